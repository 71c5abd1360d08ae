import { parsePhone } from '@/lib/core/contact'
import { countryOf } from '@/lib/core/country'
import { newRecordId } from '@/lib/core/ids'
import { inSlices } from '@/lib/core/slices'
import { customers } from '@/lib/resources/customers'
import { COMMON, columnsFor, commonOf, orNull, upsert, type WriteBatch } from './batch'
import { recordColumns, valuesReader } from './record'

/** Writes homeowners; stores their phone number both as written and normalized. */
export const writeCustomers: WriteBatch = async ({ books, contractor, fields, verdicts }, batch) => {
  const columns = columnsFor(fields, {
    ...COMMON,
    ...recordColumns(customers),
    phone: ['text', 'phone'],
    source_id: ['text', 'id'],
  })
  const fill = valuesReader(customers, contractor)
  const country = countryOf(contractor)
  const sound = batch.filter((row) => verdicts.isSound(row))
  const records = await inSlices(sound, (row) => {
    const record = fill(row, commonOf(row, contractor.id, newRecordId(customers.idPrefix)))
    record.phone = (row.values.phone && parsePhone(row.values.phone, country)) || null
    record.source_id = orNull(row, 'id')
    return record
  })
  return upsert(books, 'users', columns, records)
}
