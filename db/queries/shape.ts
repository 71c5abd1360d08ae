import { setImmediate as turn } from 'node:timers/promises'
import type { Database, Statement, Value } from '../client'
import { itemText, selected, statementOf } from './list'
import type { ListSource } from './list-types'
import { staleFlag, updateStaleStatuses } from './stale-statuses'

/** The record that each record of a list belongs to: `link` is the column with its id. */
export type ExpandedOne = { field: string; source: ListSource; link: string }

/** Records that belong to each record of a list: `of` is their column with its id. */
export type ExpandedMany = { field: string; source: ListSource; of: string }

export type Expansion = ExpandedOne | ExpandedMany

/** The most records that an expansion shows with each record. */
export const MOST_EXPANDED = 10

const oneText = ({ field, source, link }: ExpandedOne): string =>
  `'"${field}":' || (select ${itemText(source)} from (select ${source.columns.map(selected).join(', ')} from ${source.table}
      where id = r.${link} and contractor_id || '' = $1 ${source.only ? `and ${source.only}` : ''}) p)`

/** The latest changed first, because that order is in the index that finds them: a record with a thousand invoices costs as one with ten. */
const manyText = ({ field, source, of }: ExpandedMany): string =>
  `'"${field}":' || (select '{"items":[' || coalesce(string_agg(item, ',' order by n) filter (where n <= ${MOST_EXPANDED}), '')
      || '],"more":' || (count(*) > ${MOST_EXPANDED})::text || '}'
    from (select row_number() over () as n, ${itemText(source)} as item
      from (select ${source.columns.map(selected).join(', ')} from ${source.table} l
        where contractor_id = $1 and ${of} = r.id ${source.only ? `and ${source.only}` : ''}
        order by updated_at desc, id desc limit ${MOST_EXPANDED + 1}) p) x)`

/**
 * Returns the SQL that shows records otherwise: $1 is the contractor, $2 the text of a JSON array of them, $3 the fields to keep with
 * commas (null for all), $4 and $5 which of the array.
 */
function shapeText(source: ListSource, expansions: readonly Expansion[]): string {
  const kept = `(select string_agg(to_json(k.key)::text || ':' || k.value::text, ',' order by k.n)
      from json_each(e.item) with ordinality k(key, value, n) where $3::text is null or k.key = any(string_to_array($3, ',')))`
  const parts = [kept, ...expansions.map((each) => ('link' in each ? oneText(each) : manyText(each)))]
  const stale = [...new Set(expansions.map((each) => staleFlag(each.source)))].filter((flag) => flag !== 'false')
  const record =
    expansions.length > 0 ? `left join ${source.table} r on r.id = e.item->>'id' and r.contractor_id || '' = $1` : ''
  return `select coalesce(string_agg('{' || concat_ws(',', ${parts.join(', ')}) || '}', ',' order by e.n), '') as items,
      ${stale.length > 0 ? stale.join(' or ') : 'false'} as stale
    from json_array_elements($2::json) with ordinality e(item, n) ${record}
    where e.n > $4::int and e.n <= $5::int and $1::text is not null`
}

type ShapeRow = { items: string; stale: boolean }

/** Runs the statement, once more where a status that it would show was out of date. */
async function runShape(
  db: Database,
  statement: Statement,
  values: Value[],
  contractorId: string,
  expansions: readonly Expansion[],
): Promise<ShapeRow | undefined> {
  const [row] = await db.run<ShapeRow>(statement, values)
  if (!row?.stale) return row
  for (const { source } of expansions) if (source.turnsAt) await updateStaleStatuses(db, source, contractorId)
  const [fresh] = await db.run<ShapeRow>(statement, values)
  return fresh
}

/** Records that one statement expands: the embedded database, which runs in this process, answers nothing else meanwhile. */
const AT_ONCE = 10

/**
 * Returns records of a list with only some of their fields, and with what belongs to them. Numbers keep the digits they have.
 * @param items the text of a JSON array, as `listPage` gives it
 * @param fields which fields to keep, with commas; undefined for all
 * @returns the text of a JSON array, in the same order
 */
export async function shapeItems(
  db: Database,
  source: ListSource,
  { contractorId, items, count }: { contractorId: string; items: string; count: number },
  fields: string | undefined,
  expansions: readonly Expansion[],
): Promise<string> {
  const names = expansions.map(({ field }) => field).join(' ')
  const statement = statementOf(`shape | ${source.table} | ${names}`, () => shapeText(source, expansions))
  const step = expansions.length > 0 ? AT_ONCE : count
  const parts: string[] = []
  for (let from = 0; from < count; from += step) {
    // Its statements end without a turn of the event loop between them.
    if (from > 0) await turn()
    const values = [contractorId, items, fields ?? null, from, from + step]
    const row = await runShape(db, statement, values, contractorId, expansions)
    if (row?.items) parts.push(row.items)
  }
  return `[${parts.join(',')}]`
}
