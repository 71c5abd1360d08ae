import { resources } from '@/lib/resources/registry'
import type { AnyOperation } from './define'
import { getHealth } from './health'
import { getOperation, listOperation } from './lists'
import { getMetadata } from './metadata'

/** Everything the service does. What is not here has no route, no document entry and no tool. */
export const operations = {
  getMetadata,
  listCustomers: listOperation(resources.customers),
  getCustomer: getOperation(resources.customers),
  listProjects: listOperation(resources.projects),
  getProject: getOperation(resources.projects),
  listInvoices: listOperation(resources.invoices),
  getInvoice: getOperation(resources.invoices),
  listPayments: listOperation(resources.payments),
  getPayment: getOperation(resources.payments),
  getHealth,
} satisfies Record<string, AnyOperation>
