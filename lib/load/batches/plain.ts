import type { UpsertRecord } from '@/db/queries/upsert'
import { newRecordId } from '@/lib/core/ids'
import { inSlices } from '@/lib/core/slices'
import type { CsvColumn } from '@/lib/resources/csv'
import type { Resource } from '@/lib/resources/define'
import { resourceCalled } from '@/lib/resources/registry'
import type { Row } from '../rows'
import { type BatchContext, COMMON, columnsFor, commonOf, referencesOf, upsert, type WriteBatch } from './batch'
import { fillingColumns, recordColumns, valuesReader } from './record'

/** A loaded record that a row refers to, and its customer. */
type Named = { id: string; customerId: string }
type Links = { column: string; field: string; names: NonNullable<CsvColumn['names']>; found: Map<string, Named> }[]

/** A column with the customer whom a row names by a project alone, and the field with the project. */
type Owned = { column: string; field: string }

/** Returns that column of a resource whose file says no customer of its own. */
function ownedBy({ csv, links }: Resource): Owned | undefined {
  const column = links.find(({ to }) => to === 'customer')?.column
  const project = csv.columns.find(({ names }) => names === 'project')
  const isFilled = csv.columns.some((each) => each.column === column)
  return column && project && !isFilled ? { column: column.name, field: project.field } : undefined
}

/** Finds the customers and projects that a batch refers to. The projects are locked until the transaction ends, so they keep their customers. */
async function findNamed(resource: Resource, { books }: BatchContext, batch: Row[]): Promise<Links> {
  const links: Links = []
  for (const { field, names, column } of fillingColumns(resource)) {
    if (!names) continue
    const references = referencesOf(batch, field)
    const found =
      names === 'project'
        ? (await books.projects({ projects: references, invoices: [] })).byReference
        : new Map(
            [...(await books.customers(references))].map(([name, id]) => [name, { id, customerId: books.ownerOf(id) }]),
          )
    links.push({ column: column.name, field, names, found })
  }
  return links
}

/** Returns the ids that a row refers to, by column; refuses the row when one is missing or the project belongs to another customer. */
function resolveLinks(
  links: Links,
  owned: Owned | undefined,
  { verdicts }: BatchContext,
  row: Row,
): Record<string, string | null> {
  const ids: Record<string, string | null> = {}
  const customers = new Set<string>()
  for (const { column, field, names, found } of links) {
    const reference = row.values[field]
    const named = reference ? found.get(reference) : undefined
    ids[column] = named?.id ?? null
    if (reference && !named)
      verdicts.refuse(row, field, `no ${names} with this id is loaded; add it to ${resourceCalled(names).csv.file}`)
    if (named) customers.add(named.customerId)
    if (named && field === owned?.field) ids[owned.column] = named.customerId
    if (customers.size > 1) verdicts.refuse(row, field, 'belongs to another customer')
  }
  return ids
}

/** Writes the records of a resource whose cells are stored without conversion. */
export function plainWriter(resource: Resource): WriteBatch {
  return async (context, batch) => {
    const { books, contractor, fields, verdicts } = context
    const links = await findNamed(resource, context, batch)
    const owned = ownedBy(resource)
    const following: Record<string, [string, string, 'follows']> = owned
      ? { [owned.column]: ['text', owned.field, 'follows'] }
      : {}
    const fill = valuesReader(resource, contractor)
    const records = await inSlices(batch, (row): UpsertRecord[] => {
      const ids = resolveLinks(links, owned, context, row)
      if (!verdicts.isSound(row)) return []
      return [Object.assign(fill(row, commonOf(row, contractor.id, newRecordId(resource.idPrefix))), ids)]
    })
    const columns = columnsFor(fields, {
      ...COMMON,
      ...recordColumns(resource),
      ...following,
    })
    return upsert(books, resource.source.table, columns, records.flat())
  }
}
