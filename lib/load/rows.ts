import { type Column, type FileKind, type Read, unfit } from './columns'
import { type CsvRecord, MOST_CELLS } from './csv'
import type { Fault } from './fault'
import type { Layout } from './header'

/**
 * A row of a file: its values by field, null for a blank cell. A field whose column is missing, or whose cell has an error,
 * is missing here too. A row with an error is never written; a malformed one has no values at all.
 */
export type Row = {
  line: number
  values: Record<string, string | null>
  faults: Fault[]
  /** Notes on where the row contradicts itself, or says what is not known, although it can be loaded. */
  notes?: Fault[]
  malformed: boolean
}

/** Returns why a record cannot be a row, or undefined. */
function malformation({ columns }: Layout, { line, lastLine, cells, stray }: CsvRecord): string | undefined {
  const lines = lastLine > line ? ` (lines ${line} to ${lastLine} were read as one row)` : ''
  if (stray) return `has a quote (") that is not closed${lines}`
  const [has, wanted] = [cells.length, columns.length]
  if (has > MOST_CELLS) return `has more than ${MOST_CELLS} cells where the header has ${wanted}${lines}`
  if (has < wanted) return `has ${has} cells where the header has ${wanted}; a blank cell needs its comma too${lines}`
  if (cells.slice(wanted).some((cell) => cell.trim() !== ''))
    return `has ${has} cells where the header has ${wanted}; a value with a comma needs quotes${lines}`
  return undefined
}

/** Reads a cell as its column's type; a blank one is null, or an error when a value is required. */
function readCell(column: Column, cell: string): Read {
  if (cell === '') return column.required ? { reason: 'is blank' } : { value: null }
  return column.read(cell)
}

/**
 * Returns the identity of a row whose kind has an `identity`: its values as a JSON list, so that no two sets of values give the same
 * text. Undefined when one of its cells has an error.
 */
function identityOf({ identity = [] }: FileKind, { fields }: Layout, { values }: Row): string | undefined {
  if (identity.length === 0 || identity.some((field) => fields.includes(field) && values[field] === undefined))
    return undefined
  return JSON.stringify(identity.map((field) => values[field] ?? null))
}

/** Reads a cell as each of the columns it fills; what no column accepts is one error. */
function readInto(row: Row, file: string, columns: Column[], value: string): void {
  const { line } = row
  const wrong = value === '' ? undefined : unfit(value)
  for (const column of columns) {
    const field = column.headers[0]
    const read: Read = wrong === undefined ? readCell(column, value) : { reason: wrong }
    if ('reason' in read) row.faults.push({ file, line, field, value, reason: read.reason })
    else row.values[column.field] = read.value
    if ('note' in read && read.note !== undefined)
      row.notes = [...(row.notes ?? []), { file, line, field, value, reason: read.note }]
    if (wrong !== undefined) return
  }
}

/** Reads the cells of a record and reports all of its errors at once. */
export function readRow(kind: FileKind, layout: Layout, record: CsvRecord): Row {
  const { file } = kind
  const { line } = record
  const row: Row = { line, values: {}, faults: [], malformed: false }
  const reason = malformation(layout, record)
  if (reason !== undefined) {
    row.faults.push({ file, line, field: null, value: null, reason })
    return { ...row, malformed: true }
  }
  for (const [i, columns] of layout.columns.entries()) {
    const value = (record.cells[i] ?? '').trim().replace(/\r\n?/g, '\n')
    readInto(row, file, columns, value)
  }
  const known = identityOf(kind, layout, row)
  if (known !== undefined) row.values.reference = known
  return row
}
