import { usersByReference } from '@/db/queries/load'
import type { UpsertRecord } from '@/db/queries/upsert'
import { newId } from '@/lib/core/ids'
import {
  ADDRESS,
  addressOf,
  COMMON,
  columnsFor,
  commonOf,
  orNull,
  referencesOf,
  upsert,
  type WriteBatch,
} from './batch'

/** Writes projects for the home-owners they name. */
export const writeProjects: WriteBatch = async ({ orm, contractor, fields, verdicts }, batch) => {
  const customers = await usersByReference(orm, contractor.id, referencesOf(batch, 'customer'))
  const records = batch.flatMap((row): UpsertRecord[] => {
    const customerId = customers.get(row.values.customer ?? '')
    if (customerId === undefined)
      verdicts.refuse(row, 'customer', 'no customer with this id is loaded; add it to customers.csv')
    if (customerId === undefined || !verdicts.isSound(row)) return []
    return [
      {
        id: newId('project'),
        ...commonOf(row, contractor.id),
        customer_id: customerId,
        name: orNull(row, 'name'),
        status: row.values.status ?? 'estimate',
        total_amount: row.values.totalAmount ?? '0.00',
        description: orNull(row, 'description'),
        start_date: orNull(row, 'startDate'),
        end_date: orNull(row, 'endDate'),
        ...addressOf(row),
      },
    ]
  })
  const columns = columnsFor(fields, {
    ...COMMON,
    customer_id: ['text', 'customer'],
    name: ['text', 'name'],
    status: ['text', 'status'],
    total_amount: ['numeric(14,2)', 'totalAmount'],
    description: ['text', 'description'],
    start_date: ['date', 'startDate'],
    end_date: ['date', 'endDate'],
    ...ADDRESS,
  })
  return upsert(orm, 'projects', columns, records)
}
