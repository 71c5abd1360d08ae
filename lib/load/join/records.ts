import { centsOf } from '@/lib/core/cents'
import { plain } from '../columns'
import type { CsvRecord } from '../csv-record'
import type { Mapping } from '../sources/mapping'
import type { Table } from '../tables/table'
import type { Notation } from '../values'
import { amountAsWritten, amountIn, asAmount, type Cells, indexOf } from './fills'

/** A record of a file: its cells, what it is, where it stands, and why it cannot be used. */
export type JoinedRecord = Cells & { line: number; lastLine: number; kind: string; fault?: string }

const TOTAL = /^(?:grand |report )?totals?:?$/i
const TOTAL_OF_GROUP = /^total for\b/i

/** A totals row of the report: its own sum of a column. */
export type Totals = { line: number; cells: string[] }

/** A cell without blanks around it; `="2"` is how an id is kept from becoming a number. */
function clean(cell: string, blanks: readonly string[]): string {
  const text = cell.trim().replace(/\r\n?/g, '\n')
  const bare = text.startsWith('="') && text.endsWith('"') ? text.slice(2, -1).trim() : text
  return blanks.includes(bare) ? '' : bare
}

/** Groups the rows of a table into records, by what its mapping says of headings, totals, footers and lines. */
export class Joiner {
  totals: Totals | undefined
  private heading = ''
  private open: (JoinedRecord & { key: string; cents: bigint; taxed: bigint }) | undefined
  private readonly index: ReadonlyMap<string, number>
  private readonly width: number

  constructor(
    private readonly mapping: Mapping,
    { header }: Pick<Table, 'header'>,
    private readonly notation: Notation,
  ) {
    this.index = indexOf(header)
    this.width = header.length
  }

  private at = (name: string | undefined) => (name === undefined ? -1 : (this.index.get(plain(name)) ?? -1))

  /** Takes a row; returns the records that are whole now. */
  take({ line, lastLine, cells: raw, stray, isUnended }: CsvRecord): JoinedRecord[] {
    const { blanks = [], kinds, lines } = this.mapping
    const cells = raw.map((cell) => clean(cell, blanks))
    if (this.isTotal(line, cells)) return []
    if (cells.slice(1).every((cell) => cell === '') && this.width > 2) {
      if (this.mapping.grouped && !this.totals) this.heading = cells[0] ?? ''
      return this.end()
    }
    const kind = kinds ? (cells[this.at(kinds.column)] ?? '') : ''
    const record: JoinedRecord = { line, lastLine, cells, heading: this.heading, kind }
    const wrong = this.malformation(cells, stray, isUnended === true)
    if (wrong !== undefined) return [...this.end(), { ...record, fault: wrong }]
    if (!lines) return [record]
    const key = cells[this.at(lines.key)] ?? ''
    if (this.open && key !== '' && key === this.open.key && kind === this.open.kind) {
      this.open.lastLine = lastLine
      this.add(cells)
      return []
    }
    const before = this.end()
    this.open = { ...record, key, cents: 0n, taxed: 0n }
    this.add(cells)
    return before
  }

  /** Whether a row is a totals row; the report's own is kept. */
  private isTotal(line: number, cells: string[]): boolean {
    const first = cells.find(Boolean) ?? ''
    if (!TOTAL.test(first)) return TOTAL_OF_GROUP.test(first)
    this.totals ??= { line, cells }
    return true
  }

  /** Returns the record that is open. */
  end(): JoinedRecord[] {
    if (!this.open) return []
    const { key: _, cents, taxed, ...record } = this.open
    this.open = undefined
    const { lines } = this.mapping
    if (lines?.sum !== undefined && this.at(lines.sum) >= 0) {
      const cells = [...record.cells]
      cells[this.at(lines.sum)] = amountAsWritten(cents, this.notation)
      return [{ ...record, cells }]
    }
    const stated =
      lines?.total === undefined ? undefined : amountIn(record.cells[this.at(lines.total)] ?? '', this.notation)
    if (stated === undefined) return [record]
    const total = centsOf(stated)
    if (cents === total || cents + taxed === total) return [record]
    const fault = `the lines add up to ${asAmount(cents)}, with tax ${asAmount(cents + taxed)}, and ${lines?.total} says ${stated}`
    return [{ ...record, fault }]
  }

  private add(cells: string[]): void {
    const { lines } = this.mapping
    if (!this.open || !lines) return
    const cents = (name: string | undefined) => centsOf(amountIn(cells[this.at(name)] ?? '', this.notation) ?? '0.00')
    this.open.cents += cents(lines.sum ?? lines.amount)
    this.open.taxed += cents(lines.tax)
  }

  private malformation(cells: string[], stray: boolean, isUnended: boolean): string | undefined {
    if (stray) return 'has a quote (") that is not closed'
    if (isUnended && cells.length < this.width) return 'is not whole: the file ends in the middle of it'
    if (cells.slice(this.width).some(Boolean)) return `has ${cells.length} cells where the header has ${this.width}`
    return undefined
  }
}

/** Reads the records of a table as a stream. */
export async function* recordsOf(mapping: Mapping, table: Table, notation: Notation): AsyncGenerator<JoinedRecord> {
  const joiner = new Joiner(mapping, table, notation)
  for await (const row of table.rows) yield* joiner.take(row)
  yield* joiner.end()
}
