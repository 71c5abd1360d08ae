import { parseMoney } from '@/lib/core/money'
import { type CsvRecord, MOST_CELLS, readCsv } from '../csv'
import { FileProblem } from '../fault'
import { headOf } from './delimited'
import type { Table } from './table'
import { Decoder } from './text'

/**
 * The first columns of an IIF table: what a row is (`CUST`, `JOB`, `TRNS INVOICE`), its number, its name whatever its kind, and what the
 * lines of a transaction add up to, with the sign of the transaction.
 */
const OWN = ['IIF', 'IIF.ROW', 'NAME', 'SPL.SUM']
const MOST_COLUMNS = 4 * MOST_CELLS

/** Reports whether text is an Intuit Interchange Format: its first row declares columns. */
export const isIif = (text: string): boolean =>
  /^\s*"?!(HDR|CUST|TRNS|ACCNT|CLASS|INVITEM|VEND|EMP|TIMERHDR)\b/.test(text)

const kindOf = (cells: string[]) => (cells[0] ?? '').trim().toUpperCase()
const columnOf = (kind: string, name: string) => `${kind}.${name.trim().toUpperCase()}`

/** Reads which columns each kind of row has anywhere in the file, as `KIND.COLUMN`. */
async function columnsOf(path: string): Promise<Map<string, number>> {
  const columns = new Map(OWN.map((name, i) => [name, i]))
  for await (const { cells } of readCsv(path, '\t')) {
    const kind = kindOf(cells)
    if (!kind.startsWith('!') || kind === '!SPL') continue
    for (const name of cells.slice(1).map((cell) => columnOf(kind.slice(1), cell)))
      if (!name.endsWith('.') && !columns.has(name)) columns.set(name, columns.size)
    if (columns.size > MOST_COLUMNS)
      throw new FileProblem(`The file declares more than ${MOST_COLUMNS} columns. Export fewer lists at once.`)
  }
  return columns
}

/** Puts the rows of a file under the columns of the whole file: a `!` row declares those of the rows that follow it. */
class IifRows {
  private readonly declared = new Map<string, string[]>()
  private transaction: { record: CsvRecord; cents: bigint } | undefined

  constructor(private readonly columns: ReadonlyMap<string, number>) {}

  /** Takes a row; returns the rows that are whole now. */
  take(record: CsvRecord): CsvRecord[] {
    const kind = kindOf(record.cells)
    if (kind.startsWith('!'))
      this.declared.set(
        kind.slice(1),
        record.cells.slice(1).map((cell) => columnOf(kind.slice(1), cell)),
      )
    else if (kind === 'SPL') this.addLine(record.cells)
    else if (kind === 'ENDTRNS') return this.end()
    else if (kind === 'TRNS') {
      const before = this.end()
      this.transaction = { record: this.placed(kind, record), cents: 0n }
      return before
    } else return [...this.end(), this.placed(kind, record)]
    return []
  }

  /** Returns the transaction that is open. */
  end(): CsvRecord[] {
    if (!this.transaction) return []
    const { record, cents } = this.transaction
    this.transaction = undefined
    const [sign, digits] = [cents > 0n ? '-' : '', String(cents < 0n ? -cents : cents).padStart(3, '0')]
    record.cells[3] = `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`
    return [record]
  }

  private addLine(cells: string[]): void {
    const at = this.declared.get('SPL')?.indexOf('SPL.AMOUNT') ?? -1
    const amount = at < 0 ? undefined : parseMoney((cells[at + 1] ?? '').trim())
    if (this.transaction && amount) this.transaction.cents += BigInt(amount.replace('.', ''))
  }

  private placed(kind: string, record: CsvRecord): CsvRecord {
    const cells = Array.from({ length: this.columns.size }, () => '')
    for (const [i, name] of (this.declared.get(kind) ?? []).entries()) {
      const at = this.columns.get(name)
      if (at !== undefined) cells[at] = record.cells[i + 1] ?? ''
    }
    const cell = (name: string) => cells[this.columns.get(`${kind}.${name}`) ?? -1]?.trim() ?? ''
    const job = cell('NAME').includes(':') ? 'JOB' : 'CUST'
    cells[0] = kind === 'TRNS' ? `TRNS ${cell('TRNSTYPE')}` : kind === 'CUST' ? job : kind
    cells[1] = String(record.line)
    cells[2] = cell('NAME')
    return { ...record, cells }
  }
}

async function* rowsOf(path: string, columns: ReadonlyMap<string, number>): AsyncGenerator<CsvRecord> {
  const rows = new IifRows(columns)
  for await (const record of readCsv(path, '\t')) yield* rows.take(record)
  yield* rows.end()
}

/** Opens a QuickBooks Desktop IIF file. Each kind of row has columns of its own; the header names them all. */
export async function openIif(path: string, name: string): Promise<Table> {
  const decoder = new Decoder()
  decoder.write((await headOf(path)).bytes)
  const columns = await columnsOf(path)
  return {
    name,
    format: { kind: 'iif', encoding: decoder.encoding ?? 'utf-8', delimiter: '\t', headerRow: 1 },
    header: [...columns.keys()],
    preamble: [],
    rows: { [Symbol.asyncIterator]: () => rowsOf(path, columns) },
    notes: [],
  }
}
