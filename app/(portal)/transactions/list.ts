import type * as z from 'zod'
import type { DataColumn } from '@/app/ui/data-column'
import type { browseTransactions } from '@/lib/operations/browse-transactions'
import { methodOf } from '../records/columns'
import { transactionName } from '../records/transactions'

type Transaction = z.output<typeof browseTransactions.output>['items'][number]

type Column = DataColumn<Transaction> & { isExtra?: true }

/** What is on the books beside payments, as a list whose columns people choose. */
export const TRANSACTIONS: { name: 'transactions'; columns: Column[] } = {
  name: 'transactions',
  columns: [
    {
      name: 'type',
      head: 'Kind',
      kind: 'text',
      value: ({ type }) => transactionName(type),
      href: ({ invoiceId, projectId }) => (invoiceId ? `/invoices/${invoiceId}` : `/projects/${projectId}`),
    },
    {
      name: 'customer',
      head: 'Customer',
      kind: 'text',
      value: ({ customer }) => customer,
      href: ({ customerId }) => `/customers/${customerId}`,
    },
    {
      name: 'project',
      head: 'Project',
      kind: 'text',
      rank: 3,
      narrow: 'none',
      value: ({ project }) => project,
      href: ({ projectId }) => `/projects/${projectId}`,
    },
    {
      name: 'invoiceNumber',
      head: 'Invoice',
      kind: 'text',
      isShort: true,
      rank: 2,
      value: ({ invoiceNumber }) => invoiceNumber,
    },
    { name: 'method', head: 'Method', kind: 'text', isShort: true, rank: 3, value: methodOf },
    { name: 'reference', head: 'Reference', kind: 'text', rank: 2, isExtra: true, value: ({ reference }) => reference },
    { name: 'date', head: 'Date', kind: 'day', value: ({ date }) => date },
    {
      name: 'amount',
      head: 'Amount',
      kind: 'money',
      value: ({ amount }) => amount,
      currency: ({ currency }) => currency,
    },
  ],
}
