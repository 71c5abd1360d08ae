import { usersByReference } from '@/db/queries/load'
import { upsertByReference } from '@/db/queries/upsert'
import { newId } from '@/lib/core/ids'
import { ADDRESS, addressOf, COMMON, columnsFor, commonOf, referencesOf, type WriteBatch } from './batch'

/** Writes projects for the home-owners they name. */
export const writeProjects: WriteBatch = async ({ orm, contractor, fields, refuse }, batch) => {
  const customers = await usersByReference(orm, contractor.id, referencesOf(batch, 'customer'))
  const records = batch.flatMap((row) => {
    const customerId = customers.get(row.values.customer ?? '')
    if (customerId === undefined) {
      refuse(row, 'customer', 'no customer with this id is loaded; add it to customers.csv')
      return []
    }
    const { startDate = null, endDate = null, description = null, name = null } = row.values
    const record = {
      id: newId('project'),
      ...commonOf(row, contractor.id),
      customer_id: customerId,
      name,
      ...addressOf(row),
    }
    const work = {
      status: row.values.status ?? 'estimate',
      total_amount: row.values.totalAmount ?? '0.00',
      description,
      start_date: startDate,
      end_date: endDate,
    }
    return [{ ...record, ...work }]
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
  return upsertByReference(orm, 'projects', columns, records)
}
