import { parsePhone } from '@/lib/core/contact'
import { newId } from '@/lib/core/ids'
import { ADDRESS, addressOf, COMMON, columnsFor, commonOf, orNull, upsert, type WriteBatch } from './batch'

/** Writes home-owners. */
export const writeCustomers: WriteBatch = async ({ orm, contractor, fields, verdicts }, batch) => {
  const columns = columnsFor(fields, {
    ...COMMON,
    name: ['text', 'name'],
    email: ['text', 'email'],
    phone: ['text', 'phone'],
    phone_raw: ['text', 'phone'],
    ...ADDRESS,
  })
  const records = batch
    .filter((row) => verdicts.isSound(row))
    .map((row) => ({
      id: newId('user'),
      ...commonOf(row, contractor.id),
      name: orNull(row, 'name'),
      email: orNull(row, 'email'),
      phone: (row.values.phone && parsePhone(row.values.phone)) || null,
      phone_raw: orNull(row, 'phone'),
      ...addressOf(row),
    }))
  return upsert(orm, 'users', columns, records)
}
