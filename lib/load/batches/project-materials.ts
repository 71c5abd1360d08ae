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
