import type { FileKind } from '../columns'
import type { Fault } from '../fault'
import type { Row } from '../rows'

/**
 * The errors that a batch's lookups find in its rows. Kept separate from the rows until the transaction has ended, so that a retry
 * starts clean.
 */
export class Verdicts {
  private readonly found = new Map<Row, Fault[]>()
  private readonly noted = new Map<Row, Fault[]>()

  constructor(private readonly kind: FileKind) {}

  /** Refuses a row for a field, unless its cell or the whole row already has an error, which explains this one. */
  refuse(row: Row, field: string, reason: string): void {
    const header = this.kind.columns.find((column) => column.field === field)?.headers[0] ?? field
    const known = [...row.faults, ...(this.found.get(row) ?? [])]
    if (known.some((fault) => fault.field === header || fault.field === null)) return
    const fault = { file: this.kind.file, line: row.line, field: header, value: row.values[field] ?? null, reason }
    this.found.set(row, [...(this.found.get(row) ?? []), fault])
  }

  /** Notes that a row contradicts itself in a field, and what counts. */
  note(row: Row, field: string, reason: string): void {
    const header = this.kind.columns.find((column) => column.field === field)?.headers[0] ?? field
    const fault = { file: this.kind.file, line: row.line, field: header, value: row.values[field] ?? null, reason }
    this.noted.set(row, [...(this.noted.get(row) ?? []), fault])
  }

  /** Reports whether a row can be written. */
  isSound(row: Row): boolean {
    return row.faults.length === 0 && !this.found.has(row)
  }

  /** Adds these errors to the rows. */
  settle(): void {
    for (const [row, faults] of this.found) row.faults.push(...faults)
    for (const [row, notes] of this.noted) row.notes = [...(row.notes ?? []), ...notes]
  }
}
