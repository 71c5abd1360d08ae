import { countTable } from '@/db/queries/load'
import type { FileKind } from './columns'
import { readCsv } from './csv'
import { type CsvRecord, MOST_CELLS } from './csv-record'
import type { DryRun } from './dry/run'
import { type Layout, matchHeader } from './header'
import type { CompleteFile } from './missing'
import {
  addContradiction,
  addFault,
  type Fault,
  FileProblem,
  type FileReport,
  type LoadOptions,
  type LoadReport,
  type ReadTo,
} from './report'
import { type Row, readRow } from './rows'
import { SeenReferences } from './seen'
import { Slices } from './slices'
import type { Table } from './tables/table'
import { type Target, writeRows } from './write'

/** The file's table is analyzed after this many rows, and whenever it has doubled, because cached plans fit its size. */
const FIRST_COUNT = 1_000

/** A report in progress, and the caller's options. */
export type Progress = { report: LoadReport; options: LoadOptions; dry?: DryRun | undefined }

/** Which of the times that a file is read. */
type Pass = Omit<ReadTo, 'line'>

/** A file that is being loaded. */
class FileLoad {
  readonly seen = new SeenReferences()
  /** Rows that do not show which record they are. */
  unreadable = 0
  private readonly slices: Slices
  private pending: Row[] = []
  private uncounted = 0
  private countAfter = FIRST_COUNT

  constructor(
    private readonly target: Target,
    private readonly file: FileReport,
    private readonly progress: Progress,
    private readonly pass: Pass,
  ) {
    this.slices = new Slices(target.db)
  }

  async take(row: Row): Promise<void> {
    this.refuseDuplicate(row)
    this.pending.push(row)
    if (this.pending.length >= this.slices.rows) await this.flush()
  }

  async flush(): Promise<void> {
    const { file, pending, progress } = this
    if (pending.length === 0) return
    this.pending = []
    const { added, updated, milliseconds } = await writeRows(
      this.target,
      pending.filter(({ malformed }) => !malformed),
    )
    this.slices.took(pending.length, milliseconds)
    await this.slices.between()
    if (!progress.dry) await this.countGrowth(added)
    const refused = pending.filter(({ faults }) => faults.length > 0)
    progress.dry?.look(
      this.target.kind,
      pending.filter(({ faults }) => faults.length === 0),
    )
    for (const { faults } of refused) for (const fault of faults) note(progress, fault)
    for (const { faults, notes = [] } of pending)
      if (faults.length === 0) for (const each of notes) addContradiction(progress.report, each)
    file.rows += pending.length
    file.added += added
    file.updated += updated
    file.refused += refused.length
    file.unchanged += pending.length - refused.length - added - updated
    progress.options.onProgress?.(file, { ...this.pass, line: pending.at(-1)?.line ?? 0 })
  }

  private async countGrowth(added: number): Promise<void> {
    const { db, kind } = this.target
    this.uncounted += added
    if (this.uncounted < this.countAfter) return
    this.countAfter += this.uncounted
    this.uncounted = 0
    await countTable(db, kind.table)
    await this.slices.between()
  }

  /** The first row with a reference keeps it, even if that row is refused: which row counts must not depend on other errors. */
  private refuseDuplicate(row: Row): void {
    const { kind } = this.target
    const { reference: value } = row.values
    if (!value) this.unreadable++
    const first = value ? this.seen.firstLine(value, row.line) : undefined
    if (!value || first === undefined) return
    const [{ headers }] = kind.columns
    const reason = `is already used on line ${first}`
    row.faults.push({ file: kind.file, line: row.line, field: headers[0], value, reason })
  }
}

const note = ({ report, options }: Progress, fault: Fault) => addFault(report, fault, options.onFault)

async function readHeader(kind: FileKind, records: ReturnType<typeof readCsv>): Promise<Layout> {
  const header = await records.next()
  if (header.done) throw new FileProblem('The file is empty. The first line must name the columns.')
  if (header.value.stray) throw new FileProblem('The header line has a quote (") that is not closed.')
  if (header.value.cells.length > MOST_CELLS)
    throw new FileProblem(
      `The header line has more than ${MOST_CELLS} columns. Remove the unneeded ones and load the file again.`,
      header.value.line,
    )
  return matchHeader(kind, header.value.cells)
}

/** The report of a file before its first row. */
export const emptyReport = (file: string): FileReport => ({
  file,
  rows: 0,
  added: 0,
  updated: 0,
  unchanged: 0,
  refused: 0,
  ignored: [],
  problem: null,
})

/** Loads rows until `signal` is aborted; when the file, or the rest of it, cannot be used, that is reported. */
export async function loadRows(
  target: Target,
  file: FileReport,
  rows: AsyncIterable<Row>,
  progress: Progress,
  pass: Pass = { file: file.file, part: 1, parts: 1 },
): Promise<void> {
  const load = new FileLoad(target, file, progress, pass)
  try {
    for await (const row of rows) {
      if (progress.options.signal?.aborted) return
      await load.take(row)
    }
    await load.flush()
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error
    await load.flush()
    noteProblem(progress, file, error)
  }
}

/** Reports why a file, or the rest of it, cannot be used. */
export function noteProblem(progress: Progress, file: FileReport, { message, line }: FileProblem): void {
  file.problem = message
  note(progress, { file: file.file, line, field: null, value: null, reason: message })
}

/** The records of a table as our own reader gives them: the header first. */
async function* recordsIn({ header, format, rows }: Table): AsyncGenerator<CsvRecord, undefined> {
  yield { line: format.headerRow, lastLine: format.headerRow, cells: header, stray: false }
  yield* rows
}

/**
 * Loads one file, ours by name or a table with its columns, until `signal` is aborted. When the file, or the rest of it, cannot be used, that is reported and the load continues
 * with the next file.
 * @returns what is known of the file, for when it is declared complete
 */
export async function loadFile(
  target: Omit<Target, 'fields'>,
  source: string | Table,
  progress: Progress,
): Promise<CompleteFile> {
  const own = target.kind
  const kind = typeof source === 'string' ? own : { ...own, file: source.name }
  const file = emptyReport(kind.file)
  progress.report.files.push(file)
  const records = typeof source === 'string' ? readCsv(source) : recordsIn(source)
  let load: FileLoad | undefined
  try {
    const layout = await readHeader(kind, records)
    file.ignored = layout.ignored
    load = new FileLoad({ ...target, kind, fields: layout.fields }, file, progress, {
      file: kind.file,
      part: 1,
      parts: 1,
    })
    for await (const record of records) {
      if (progress.options.signal?.aborted) break
      await load.take(readRow(kind, layout, record))
    }
    if (!progress.options.signal?.aborted) await load.flush()
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error
    await load?.flush()
    noteProblem(progress, file, error)
  } finally {
    await records.return(undefined)
  }
  const { seen = new SeenReferences(), unreadable = 0 } = load ?? {}
  return { kind: own, report: file, seen, unreadable }
}
