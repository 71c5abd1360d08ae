import { newId } from '@/lib/core/ids'
import { inSlices } from '@/lib/core/slices'
import { COMMON, columnsFor, commonOf, orNull, referencesOf, upsert, type WriteBatch } from './batch'

/** Writes the materials of projects. A quantity or name can be corrected; a quantity of zero removes the line. */
export const writeProjectMaterials: WriteBatch = async ({ books, contractor, fields, verdicts }, batch) => {
  const named = { projects: referencesOf(batch, 'project'), invoices: [] }
  const { byReference } = await books.projects(named)
  const columns = columnsFor(fields, {
    ...COMMON,
    project_id: ['text'],
    item_key: ['text'],
    unit: ['text'],
    quantity: ['numeric(12,3)', 'quantity'],
    name: ['text', 'name'],
  })
  const records = await inSlices(batch, (row) => {
    const project = byReference.get(row.values.project ?? '')
    if (row.values.project && !project)
      verdicts.refuse(row, 'project', 'no project with this id is loaded; add it to projects.csv')
    if (!project || !verdicts.isSound(row)) return []
    const record = {
      ...commonOf(row, contractor.id, newId('projectMaterial')),
      project_id: project.id,
      item_key: orNull(row, 'item'),
      unit: orNull(row, 'unit'),
      quantity: orNull(row, 'quantity'),
      name: orNull(row, 'name'),
    }
    return [record]
  })
  return upsert(books, 'project_materials', columns, records.flat())
}

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
