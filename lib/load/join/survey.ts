import { centsOf } from '@/lib/core/cents'
import { resources } from '@/lib/resources/registry'
import { plain } from '../columns'
import { FileProblem } from '../report'
import { headersOf } from '../sources/headers'
import type { Fills, Mapping } from '../sources/mapping'
import type { Table } from '../tables/table'
import { decimalsShown, type Notation, orderShown } from '../values'
import { amountIn, asAmount, indexOf } from './fills'
import { type JoinedRecord, Joiner } from './records'

/** What a person says of a file where it does not show it. */
export type Said = { [Key in keyof Notation]?: Notation[Key] | undefined }

/** What a file shows as a whole: its notation, and how many rows of which kind are left out. */
export type Survey = { notation: Notation; rows: number; leftOut: Map<string, number> }

type Evidence<Value> = { first: Map<Value, { line: number; cell: string }> }

const DATES = ['moment', 'day']
const AMOUNTS = ['money', 'sum']

/** Where the cells stand that fill fields of these types. */
function columnsOf(fills: Fills, types: string[], index: ReadonlyMap<string, number>): number[] {
  const found = new Set<number>()
  for (const resource of Object.values(resources))
    for (const { field, cell } of resource.csv.columns) {
      const fill = fills[resource.name]?.[field]
      if (fill === undefined || typeof cell !== 'string' || !types.includes(cell)) continue
      for (const header of headersOf(fill)) {
        const at = index.get(plain(header))
        if (at !== undefined) found.add(at)
      }
    }
  return [...found]
}

const placed = ({ line, cell }: { line: number; cell: string }) =>
  `${JSON.stringify(cell.slice(0, 40))} on line ${line}`

/** Decides the order of dates over the file as a whole. @throws FileProblem when it shows both orders, or none and nobody says it */
function orderOf(
  { first }: Evidence<'mdy' | 'dmy' | 'either'>,
  { dates: usual = 'mdy' }: Mapping,
  said: Said,
): Notation['dates'] {
  if (said.dates) return said.dates
  const [mdy, dmy, either] = [first.get('mdy'), first.get('dmy'), first.get('either')]
  const say = 'Say which it is with --dates mdy or --dates dmy.'
  if (mdy && dmy)
    throw new FileProblem(
      `Dates of both orders are in the file: ${placed(mdy)} has the month first, ${placed(dmy)} the day. ${say}`,
    )
  if (mdy || dmy) return mdy ? 'mdy' : 'dmy'
  if (usual !== 'ask') return usual
  if (either)
    throw new FileProblem(
      `${placed(either)} can be a day of two months, and no date of the file shows the order. ${say}`,
    )
  return 'mdy'
}

/** Decides the decimal mark. @throws FileProblem when the file shows both */
function decimalsOf({ first }: Evidence<'.' | ','>, { decimals = '.' }: Mapping, said: Said): Notation['decimals'] {
  if (said.decimals) return said.decimals
  const [point, comma] = [first.get('.'), first.get(',')]
  if (point && comma)
    throw new FileProblem(
      `Amounts of both notations are in the file: ${placed(point)} and ${placed(comma)}. Write all with a decimal point, and load it again.`,
    )
  return point ? '.' : comma ? ',' : decimals
}

/** The resources that a record is a row of. */
export function ownersOf({ kinds, fills, mentions = [] }: Mapping, { kind }: Pick<JoinedRecord, 'kind'>): string[] {
  if (!kinds) return Object.keys(fills).filter((name) => !mentions.some((mentioned) => mentioned === name))
  const word = plain(kind)
  return Object.entries(kinds.words).flatMap(([name, words]) =>
    words.some((each) => plain(each) === word) ? [name] : [],
  )
}

/** Compares the report's own total with what its rows add up to. @throws FileProblem */
function checkTotals(
  { totals }: Mapping,
  joiner: Joiner,
  sums: Map<Notation['decimals'], bigint>,
  { at, notation }: { at: number; notation: Notation },
) {
  if (!totals || at < 0) return
  if (!joiner.totals) {
    if (!totals.always) return
    throw new FileProblem(
      'The totals row is missing, which such a report always has, so the file was probably cut. Export it again. Nothing of it was loaded.',
    )
  }
  const { line, cells } = joiner.totals
  const stated = amountIn(cells[at] ?? '', notation)
  const sum = sums.get(notation.decimals) ?? 0n
  if (stated === undefined || centsOf(stated) === sum) return
  throw new FileProblem(
    `The report's own total of ${totals.column} is ${stated}, and its rows add up to ${asAmount(sum)}: the file was cut or changed. Export it again. Nothing of it was loaded.`,
    line,
  )
}

/** Keeps the first cell of these columns that shows each value. */
function noteFirst<Value>(
  { first }: Evidence<Value>,
  columns: number[],
  { cells, line }: JoinedRecord,
  shownBy: (cell: string) => Value | undefined,
): void {
  for (const column of columns) {
    const cell = cells[column] ?? ''
    const shown = shownBy(cell)
    if (shown && !first.has(shown)) first.set(shown, { line, cell })
  }
}

/** Adds an amount to the sum of each notation in which it can be read. */
function addTo(sums: Map<Notation['decimals'], bigint>, cell: string): void {
  for (const [decimals, sum] of sums) {
    const amount = amountIn(cell, { dates: 'mdy', decimals })
    if (amount !== undefined) sums.set(decimals, sum + centsOf(amount))
  }
}

/** Counts a row of a kind that is not loaded, of at most fifty kinds. */
function countLeftOut(leftOut: Map<string, number>, mapping: Mapping, record: JoinedRecord): void {
  const { kind } = record
  if (!mapping.kinds || ownersOf(mapping, record).length > 0) return
  if (leftOut.has(kind) || leftOut.size < 50) leftOut.set(kind, (leftOut.get(kind) ?? 0) + 1)
}

/**
 * Reads a file once, to decide what only the whole of it shows, and to notice that it was cut.
 * @throws FileProblem when it contradicts itself, or was cut
 */
export async function survey(mapping: Mapping, table: Table, said: Said = {}): Promise<Survey> {
  const index = indexOf(table.header)
  const [dates, amounts] = [columnsOf(mapping.fills, DATES, index), columnsOf(mapping.fills, AMOUNTS, index)]
  const orders: Evidence<'mdy' | 'dmy' | 'either'> = { first: new Map() }
  const marks: Evidence<'.' | ','> = { first: new Map() }
  const at = mapping.totals ? (index.get(plain(mapping.totals.column)) ?? -1) : -1
  const sums = new Map<Notation['decimals'], bigint>([
    ['.', 0n],
    [',', 0n],
  ])
  // Neither decides how rows are grouped, so one of them will do.
  const { lines: _, ...unjoined } = mapping
  const joiner = new Joiner(unjoined, table, { dates: 'mdy', decimals: '.' })
  const leftOut = new Map<string, number>()
  let rows = 0
  const look = (record: JoinedRecord) => {
    rows++
    noteFirst(orders, dates, record, orderShown)
    noteFirst(marks, amounts, record, decimalsShown)
    if (at >= 0) addTo(sums, record.cells[at] ?? '')
    countLeftOut(leftOut, mapping, record)
  }
  for await (const row of table.rows) for (const record of joiner.take(row)) look(record)
  const notation = { dates: orderOf(orders, mapping, said), decimals: decimalsOf(marks, mapping, said) }
  checkTotals(mapping, joiner, sums, { at, notation })
  return { notation, rows, leftOut }
}
