import { parsePhone } from '@/lib/core/contact'
import { newRecordId } from '@/lib/core/ids'
import { customers } from '@/lib/resources/customers'
import { COMMON, columnsFor, commonOf, upsert, type WriteBatch } from './batch'
import { recordColumns, recordValues } from './record'

/** Writes home-owners; their phone as it was written and in one form. */
export const writeCustomers: WriteBatch = async ({ orm, contractor, fields, verdicts }, batch) => {
  const columns = columnsFor(fields, {
    ...COMMON,
    ...recordColumns(customers),
    phone: ['text', 'phone'],
  })
  const records = batch
    .filter((row) => verdicts.isSound(row))
    .map((row) => ({
      id: newRecordId(customers.idPrefix),
      ...commonOf(row, contractor.id),
      ...recordValues(customers, row, contractor),
      phone: (row.values.phone && parsePhone(row.values.phone)) || null,
    }))
  return upsert(orm, 'users', columns, records)
}
