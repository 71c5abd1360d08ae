import { LONGEST_TEXT } from '@/lib/resources/csv'
import { type CsvRecord, LONGEST_RECORD, MOST_CELLS } from '../csv'
import { FileProblem } from '../fault'
import type { Workbook } from './workbook'
import { parseXml } from './xml'

/** The most rows that a sheet has (Excel's specification). */
const MOST_ROWS = 1_048_576
const DAY_MS = 86_400_000
/** The day 0 of both calendars, as days since 1970. Excel's first has a 29 February 1900, so days before March 1900 are one later. */
const EPOCH = { 1900: -25_569, 1904: -24_107 }
const LAST_DAY = 2_958_465

/** A serial number of Excel as `2026-11-20`, or with a time as `2026-11-20 14:03:11`; undefined when it is no date. */
export function dateOfSerial(serial: number, is1904 = false): string | undefined {
  if (!(serial >= 1 && serial < LAST_DAY + 1)) return undefined
  const days = serial + (is1904 ? EPOCH[1904] : EPOCH[1900]) + (!is1904 && serial < 60 ? 1 : 0)
  const text = new Date(Math.round((days * DAY_MS) / 1000) * 1000).toISOString()
  return Number.isInteger(serial) ? text.slice(0, 10) : text.slice(0, 19).replace('T', ' ')
}

/** The column of a cell's address, from 0: `B7` is 1. */
function columnOf(address: string): number | undefined {
  const letters = /^([A-Z]{1,3})\d/.exec(address)?.[1]
  return letters === undefined
    ? undefined
    : [...letters].reduce((n, letter) => n * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

/** Collects the rows of a sheet from the events of its document. */
class Rows {
  found: CsvRecord[] = []
  private line = 0
  private cells: string[] = []
  private at = 0
  private size = 0
  private type = ''
  private style = 0
  private text = ''
  private isValue = false
  private phonetic = 0

  constructor(private readonly book: Workbook) {}

  open(name: string, attributes: Record<string, string>): void {
    this.isValue = false
    if (name === 'row') this.beginRow(Number(attributes.r ?? Number.NaN))
    else if (name === 'c') this.beginCell(attributes)
    else if (name === 'rPh') this.phonetic++
    else this.isValue = (name === 'v' || name === 't') && this.phonetic === 0
  }

  private beginRow(given: number): void {
    this.line = Number.isInteger(given) && given > this.line ? given : this.line + 1
    if (this.line > MOST_ROWS) throw new FileProblem(`The sheet has more than ${MOST_ROWS} rows. Split it.`)
    this.cells = []
    this.at = -1
    this.size = 0
  }

  private beginCell({ r = '', t = 'n', s = '-1' }: Record<string, string>): void {
    this.at = columnOf(r) ?? this.at + 1
    this.type = t
    this.style = Number(s)
    this.text = ''
  }

  take(text: string): void {
    if (this.isValue && this.text.length <= LONGEST_TEXT) this.text += text.slice(0, LONGEST_TEXT + 1)
  }

  close(name: string): void {
    this.isValue = false
    if (name === 'rPh') this.phonetic--
    if (name === 'c') this.put(this.value())
    if (name !== 'row' || !this.cells.some((cell) => cell.trim() !== '')) return
    this.found.push({ line: this.line, lastLine: this.line, cells: this.cells, stray: false })
  }

  private put(value: string): void {
    if (this.at > MOST_CELLS && value === '') return
    const at = Math.min(this.at, MOST_CELLS)
    while (this.cells.length < at) this.cells.push('')
    this.cells[at] = value
    this.size += value.length
    if (this.size > LONGEST_RECORD)
      throw new FileProblem(`A row is longer than ${LONGEST_RECORD.toLocaleString('en-US')} characters.`, this.line)
  }

  /** The text of a cell: a formula's last result, a date as ISO, a number with the fifteen digits that Excel shows. */
  private value(): string {
    const { text, type, book } = this
    if (type === 's') return book.texts[Number(text)] ?? ''
    if (type === 'b') return text === '1' ? 'TRUE' : 'FALSE'
    if (type === 'd')
      return text
        .replace('T', ' ')
        .replace(/\.\d+Z?$|Z$/, '')
        .replace(/ 00:00:00$/, '')
    if (type !== 'n' || text.trim() === '') return text
    const number = Number(text)
    if (!Number.isFinite(number)) return text
    if (book.dateStyles.has(this.style)) return dateOfSerial(number, book.is1904) ?? text
    return String(Number(number.toPrecision(15)))
  }
}

/** Reads the rows of a sheet as a stream, without blank rows. */
export async function* readSheet(chunks: AsyncIterable<Buffer>, book: Workbook): AsyncGenerator<CsvRecord> {
  const rows = new Rows(book)
  const handler = {
    open: (name: string, attributes: Record<string, string>) => rows.open(name, attributes),
    text: (text: string) => rows.take(text),
    close: (name: string) => rows.close(name),
  }
  for await (const _ of parseXml(chunks, handler)) {
    const found = rows.found
    rows.found = []
    yield* found
  }
}
