import { newId } from '@/lib/core/ids'
import { inSlices } from '@/lib/core/slices'
import { COMMON, columnsFor, commonOf, orNull, upsert, type WriteBatch } from './batch'

/** Writes observed prices. The fields that identify a row never change; its name, trade and cost can be corrected. */
export const writeMaterials: WriteBatch = async ({ books, contractor, fields, verdicts }, batch) => {
  const columns = columnsFor(fields, {
    ...COMMON,
    item_key: ['text'],
    unit: ['text'],
    supplier: ['text'],
    region: ['text'],
    observed_on: ['date'],
    name: ['text', 'name'],
    trade: ['text', 'trade'],
    unit_cost: ['numeric', 'unitCost'],
    currency: ['text', 'currency'],
  })
  const sound = batch.filter((row) => verdicts.isSound(row))
  const records = await inSlices(sound, (row) => ({
    ...commonOf(row, contractor.id, newId('material')),
    item_key: orNull(row, 'item'),
    unit: orNull(row, 'unit'),
    supplier: orNull(row, 'supplier'),
    region: orNull(row, 'region'),
    observed_on: orNull(row, 'date'),
    name: orNull(row, 'name'),
    trade: orNull(row, 'trade'),
    unit_cost: orNull(row, 'unitCost'),
    currency: row.values.currency ?? contractor.currency,
  }))
  return upsert(books, 'material_prices', columns, records)
}
