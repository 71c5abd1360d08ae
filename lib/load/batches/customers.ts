import { parsePhone } from '@/lib/core/contact'
import { newRecordId } from '@/lib/core/ids'
import { customers } from '@/lib/resources/customers'
import { COMMON, columnsFor, commonOf, upsert, type WriteBatch } from './batch'
import { recordColumns, valuesReader } from './record'

/** Writes homeowners; stores their phone number both as written and normalized. */
export const writeCustomers: WriteBatch = async ({ books, contractor, fields, verdicts }, batch) => {
  const columns = columnsFor(fields, {
    ...COMMON,
    ...recordColumns(customers),
    phone: ['text', 'phone'],
  })
  const fill = valuesReader(customers, contractor)
  const records = batch
    .filter((row) => verdicts.isSound(row))
    .map((row) => {
      const record = fill(row, commonOf(row, contractor.id, newRecordId(customers.idPrefix)))
      record.phone = (row.values.phone && parsePhone(row.values.phone)) || null
      return record
    })
  return upsert(books, 'users', columns, records)
}
