import type { ResourceName } from '@/lib/core/resource-names'
import { RESOURCES } from '@/lib/resources/registry'
import type { WriteBatch } from './batches/batch'
import { writeCustomers } from './batches/customers'
import { writeInvoices } from './batches/invoices'
import { writeMaterials, writeProjectMaterials } from './batches/materials'
import { writePayments } from './batches/payments'
import { plainWriter } from './batches/plain'
import type { FileKind } from './columns'
import { matchedWriter } from './join/match'
import { fileKind, MATERIALS, PROJECT_MATERIALS } from './kinds'

/** A kind of file, the resource that its rows are, and how they are written. */
export type Step = { kind: FileKind; write: WriteBatch; resource?: ResourceName }

/** Writers of resources that do more than copy cells: they build ids, normalize phone numbers, or check amounts against a type. */
const SPECIAL_WRITERS: Partial<Record<ResourceName, WriteBatch>> = {
  customers: writeCustomers,
  invoices: writeInvoices,
  payments: writePayments,
}

/** The steps of a load, in the order of the files. */
export const STEPS: readonly Step[] = [
  ...RESOURCES.map(
    (resource): Step => ({
      kind: fileKind(resource),
      write: SPECIAL_WRITERS[resource.name] ?? plainWriter(resource),
      resource: resource.name,
    }),
  ),
  { kind: MATERIALS, write: writeMaterials },
  { kind: PROJECT_MATERIALS, write: writeProjectMaterials },
]

/** Returns a writer that finds the invoice where other software's payment names none. */
export const joinedWriter = (resource: ResourceName, write: WriteBatch): WriteBatch =>
  resource === 'payments' ? matchedWriter() : write
