import { centsOf, productInCents } from '@/lib/core/money'
import { plain } from '../columns'
import type { CsvRecord } from '../csv'
import type { DocumentType } from '../documents'
import { headersOf, readBy } from '../sources/headers'
import type { Mapping } from '../sources/mapping'
import type { Table } from '../tables/table'
import { type Notation, plainAmount } from '../values'
import { amountAsWritten, amountIn, asAmount, type Cells, indexOf } from './fills'
import type { JoinedFile } from './joined-file'
import type { LinesApart } from './lines-apart'
import { typeOf, type Words } from './words'

/**
 * A record of a file: its cells, the word of its type and the document that this means (undefined where a file has one kind only, or
 * nobody knows the word), where it stands, and why it cannot be used.
 */
export type JoinedRecord = Cells & {
  line: number
  lastLine: number
  kind: string
  type: DocumentType | undefined
  fault?: string
  note?: string
}

/** The most words of which the meaning is remembered. */
const MOST_WORDS = 1_000

const SPREADSHEET_ERROR = /^(?:#(?:REF!|N\/A|VALUE!|NAME\?|DIV\/0!|NULL!|NUM!|SPILL!|CALC!)|#{3,50})$/i

const TOTAL = /^(?:grand |report )?totals?:?$/i
const TOTAL_OF_GROUP = /^total for\b/i

/** A totals row of the report: its own sum of a column; `others` are those before it, which sum parts. */
export type Totals = { line: number; cells: string[]; others: number }

/** A cell without blanks around it; `="2"` is how an id is kept from becoming a number. */
function clean(cell: string, blanks: readonly string[]): string {
  const text = cell.trim().replace(/\r\n?/g, '\n')
  const bare = text.startsWith('="') && text.endsWith('"') ? text.slice(2, -1).trim() : text
  return blanks.includes(bare) ? '' : bare
}

/** Groups the rows of a table into records, by what its mapping says of headings, totals, footers and lines. */
export class Joiner {
  totals: Totals | undefined
  private readonly types = new Map<string, DocumentType | undefined>()
  private heading = ''
  private open: (JoinedRecord & { key: string; cents: bigint; taxed: bigint; parts: number }) | undefined
  private readonly index: ReadonlyMap<string, number>
  private readonly width: number

  /** Where the cells stand that every document has and no total. */
  private readonly keys: number[]

  /** Where the cells stand that are read. */
  private readonly read: number[]

  constructor(
    private readonly mapping: Mapping,
    private readonly table: Pick<Table, 'header'>,
    private readonly notation: Notation,
    private readonly words: Words = {},
    private readonly apart?: LinesApart,
  ) {
    const { header } = table
    this.index = indexOf(header)
    this.width = header.length
    const used = readBy(mapping)
    this.read = header.flatMap((name, at) => (used.has(plain(name)) ? [at] : []))
    this.keys = keyColumns(mapping).flatMap((name) => this.index.get(plain(name)) ?? [])
  }

  private at = (name: string | undefined) => (name === undefined ? -1 : (this.index.get(plain(name)) ?? -1))

  /** Takes a row; returns the records that are whole now. */
  take({ line, lastLine, cells: raw, stray, isUnended }: CsvRecord): JoinedRecord[] {
    const { blanks = [], types, lines } = this.mapping
    const cells = raw.map((cell) => clean(cell, blanks))
    if (this.isTotal(line, cells) || this.isHeader(cells)) return []
    if (cells.slice(1).every((cell) => cell === '') && this.width > 2) {
      if (this.mapping.grouped && !this.totals) this.heading = cells[0] ?? ''
      return this.end()
    }
    const kind = types ? (cells[this.at(types.column)] ?? '') : ''
    const type = types && (this.isVoided(cells) ? 'none' : this.typeOf(kind))
    const record: JoinedRecord = { line, lastLine, cells, heading: this.heading, kind, type }
    const wrong = this.malformation(cells, stray, isUnended === true)
    if (wrong !== undefined) return [...this.end(), { ...record, fault: wrong }]
    return lines ? this.takeLine(record) : [record]
  }

  /** Returns the document that a word means; a file has few of them. */
  private typeOf(word: string): DocumentType | undefined {
    if (this.types.has(word)) return this.types.get(word)
    const type = typeOf(this.mapping, word, this.words)
    if (this.types.size < MOST_WORDS) this.types.set(word, type)
    return type
  }

  /** Adds a row to the document that it is a line of, or begins one. */
  private takeLine(record: JoinedRecord): JoinedRecord[] {
    const { cells, kind, line, lastLine } = record
    const key = this.keyOf(record)
    if (this.open && key !== '' && key === this.open.key && kind === this.open.kind) {
      this.open.lastLine = lastLine
      this.add(cells)
      return []
    }
    const before = this.end()
    if (key !== '' && this.apart?.isLater(key, kind, line)) return before
    this.open = { ...record, key, cents: 0n, taxed: 0n, parts: 0 }
    this.add(cells)
    if (key !== '') for (const row of this.apart?.elsewhere(key, kind) ?? []) this.add(row)
    return before
  }

  /** What tells the document of a row apart from others of its kind; blank where the row names none. */
  keyOf({ cells, heading }: Cells): string {
    const key = cells[this.at(this.mapping.lines?.key)] ?? ''
    return key === '' || heading === '' ? key : JSON.stringify([heading, key])
  }

  /** Keeps the totals row of a report, which is its first; a sheet may have others for its parts, and the last is for all. */
  private noteTotals(line: number, cells: string[]): void {
    if (!this.totals) this.totals = { line, cells, others: 0 }
    else if (this.mapping.source === 'Mapped') this.totals = { line, cells, others: this.totals.others + 1 }
  }

  /** Reports whether a row is the header again, as reports print it on each page. */
  private isHeader = (cells: string[]): boolean =>
    this.table.header.every((name, at) => name.trim() === (cells[at] ?? ''))

  /** Reports whether a row is a totals row, which has no date and no number; the report's own is kept. */
  private isTotal(line: number, cells: string[]): boolean {
    const first = cells.find(Boolean) ?? ''
    if (!TOTAL.test(first) && !TOTAL_OF_GROUP.test(first)) return false
    if (this.keys.some((at) => cells[at] && cells[at] !== first)) return false
    if (TOTAL.test(first)) this.noteTotals(line, cells)
    return true
  }

  /** Reports whether a row is a document that was voided: its memo says so, and nothing is left of its amount. */
  private isVoided(cells: string[]): boolean {
    const { voidedIn, fills } = this.mapping
    if (voidedIn === undefined || !/^void/i.test(cells[this.at(voidedIn)] ?? '')) return false
    const amount = fills.invoices?.amount
    return typeof amount === 'string' && amountIn(cells[this.at(amount)] ?? '', this.notation) === '0.00'
  }

  /** Returns the record that is open. */
  end(): JoinedRecord[] {
    if (!this.open) return []
    const { key: _, cents, taxed, parts, ...record } = this.open
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
    const off = [cents - total, cents + taxed - total].map((each) => (each < 0n ? -each : each))
    // Tax is rounded by line here and on the whole there: a cent a line.
    if (off.some((each) => each <= BigInt(parts)))
      return [
        {
          ...record,
          note: `the lines add up to ${asAmount(cents + taxed)}, and ${lines?.total} says ${stated}; the total counts`,
        },
      ]
    const fault = `the lines add up to ${asAmount(cents)}, with tax ${asAmount(cents + taxed)}, and ${lines?.total} says ${stated}`
    return [{ ...record, fault }]
  }

  private add(cells: string[]): void {
    const { lines } = this.mapping
    if (!this.open || !lines) return
    const cents = (name: string | undefined) => centsOf(amountIn(cells[this.at(name)] ?? '', this.notation) ?? '0.00')
    this.open.cents += cells[this.at(lines.amount)] === '' ? this.priced(cells) : cents(lines.sum ?? lines.amount)
    this.open.taxed += cents(lines.tax)
    this.open.parts++
  }

  /** The amount of a line that gives its quantity and unit price only, in cents. */
  private priced(cells: string[]): bigint {
    const [quantity = '', price = ''] = (this.mapping.lines?.priced ?? []).map((name) =>
      plainAmount(cells[this.at(name)] ?? '', this.notation.decimals),
    )
    return productInCents(quantity, price) ?? 0n
  }

  private malformation(cells: string[], stray: boolean, isUnended: boolean): string | undefined {
    const error = this.read.map((at) => cells[at] ?? '').find((cell) => SPREADSHEET_ERROR.test(cell))
    if (error !== undefined)
      return `has ${error.slice(0, 20)}, which a spreadsheet shows where it could not compute or show a value; correct it there, and export again`
    if (stray) return 'has a quote (") that is not closed'
    if (isUnended && cells.length < this.width) return 'is not whole: the file ends in the middle of it'
    if (cells.slice(this.width).some(Boolean)) return `has ${cells.length} cells where the header has ${this.width}`
    return undefined
  }
}

/** The headers of cells that every document has and no total: dates, numbers and what types rows. */
function keyColumns({ fills, types }: Mapping): string[] {
  const fields = Object.values(fills).flatMap(({ date, dueDate, reference, email }) => [
    date,
    dueDate,
    reference,
    email,
  ])
  return [...fields.flatMap((fill) => (fill === undefined ? [] : headersOf(fill))), ...(types ? [types.column] : [])]
}

/** Reads the records of a table as a stream. */
export async function* recordsOf({ mapping, table, notation, words, apart }: JoinedFile): AsyncGenerator<JoinedRecord> {
  const joiner = new Joiner(mapping, table, notation, words, apart)
  for await (const row of table.rows) yield* joiner.take(row)
  yield* joiner.end()
}
