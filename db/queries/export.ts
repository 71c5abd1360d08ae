import type { Pace } from '@/lib/core/slices'
import type { Database } from '../client'
import { itemText, selected, statementOf } from './list'
import { rangeOf } from './list-shape'
import type { ListSource } from './list-types'

/** A place in a list in its usual order: behind the record of this moment and id. */
export type ExportPlace = { at: string; id: string }

/** The extent of an export: the records of a contractor that were last changed until a moment, behind a place, and how many of them at most. */
export type ExportQuery = { contractorId: string; until: string; after: ExportPlace | undefined; most: number }

/** Records as JSON lines, or as JSON arrays of their cells' texts in the order of the fields. */
export type ExportForm = 'lines' | 'cells'

/** A page of an export: its text, how many records it has, and the last one's place; no place when it has none. */
export type ExportPage = { text: string; n: number; last: ExportPlace | undefined }

/** The most records that one statement reads of the embedded database, and of another. */
export const MOST_EXPORTED = { embedded: 256, other: 2_000 }

/** Records that one statement reads: of the embedded database, which answers nothing else in the meantime, as many as take little time. */
export function exportedAtOnce({ driver }: Pick<Database, 'driver'>, pace: Pace): number {
  if (driver !== 'pglite') return MOST_EXPORTED.other
  // A power of two, because each number has a statement of its own.
  return 2 ** Math.floor(Math.log2(Math.min(MOST_EXPORTED.embedded, pace.rows)))
}

/** Returns the SQL of a page: $1 is the contractor, $2 the last moment, $3 and $4 the place. */
function exportText(source: ListSource, form: ExportForm, hasPlace: boolean, most: number): string {
  const columns = source.columns.map(selected).join(', ')
  const cells = source.columns.map(({ field }) => `p."${field}"::text`).join(', ')
  const item = form === 'lines' ? itemText(source) : `json_build_array(${cells})::text`
  const joined = form === 'lines' ? `string_agg(item, E'\\n')` : `'[' || string_agg(item, ',') || ']'`
  const range = rangeOf(source, {
    after: hasPlace ? ['$3::timestamptz', '$4'] : undefined,
    until: '$2::timestamptz',
    most,
  })
  return `select ${joined} as text, count(*)::int as n, max(at) as at, max(id) filter (where n = ${most}) as id
    from (select row_number() over () as n, "updatedAt" as at, id, ${item} as item from (select ${columns} from (${range}) l) p) x`
}

/** Reads one page. A page that is not full is the last one. */
export async function exportPage(
  db: Database,
  source: ListSource,
  form: ExportForm,
  { contractorId, until, after, most }: ExportQuery,
): Promise<ExportPage> {
  const key = ['export', source.table, source.variant, form, after ? 'behind' : '', most].join(' | ')
  const statement = statementOf(key, () => exportText(source, form, after !== undefined, most))
  const values = [contractorId, until, ...(after ? [after.at, after.id] : [])]
  const [row] = await db.run<{ text: string | null; n: number; at: string; id: string | null }>(statement, values)
  if (!row) throw new Error('an aggregate without grouping answers one row')
  return { text: row.text ?? '', n: row.n, last: row.id === null ? undefined : { at: row.at, id: row.id } }
}

/** Returns the latest moment of a contractor's list, or of the service's clock when that is later, as Postgres writes it. */
export async function latestMoment(db: Database, { table }: ListSource, contractorId: string): Promise<string> {
  const statement = { name: 'plumbline_latest_moment', text: 'select latest_moment($1, $2)::text as at' }
  const [row] = await db.run<{ at: string }>(statement, [table, contractorId])
  return row?.at ?? '-infinity'
}
