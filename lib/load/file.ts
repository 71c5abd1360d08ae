import { countTable } from '@/db/queries/load'
import { inSlices, Pace, slicer } from '@/lib/core/slices'
import type { FileKind } from './columns'
import { type CsvRecord, MOST_CELLS, readCsv } from './csv'
import { type Fault, FileProblem } from './fault'
import { type Layout, matchHeader } from './header'
import type { CompleteFile } from './missing'
import { addContradiction, addFault, type FileReport, type Progress, type ReadTo } from './report'
import { type Row, readRow } from './rows'
import { SeenReferences } from './seen'
import type { Table } from './tables/table'
import { type Target, writeRows } from './write'

/** The file's table is analyzed after this many rows, and whenever it has doubled, because cached plans fit its size. */
const FIRST_COUNT = 1_000
/** Characters after which rows are written, however few they are: what a row costs grows with them. */
const MOST_PENDING = 256 * 1024

/** The pass in which a file is read. */
type Pass = Omit<ReadTo, 'line'>

/** A file that is being loaded. */
class FileLoad {
  readonly seen = new SeenReferences()
  /** The count of rows that do not show which record they are. */
  unreadable = 0
  private readonly pace: Pace
  private pending: Row[] = []
  private size = 0
  private readonly breathe = slicer()
  private uncounted = 0
  private countAfter = FIRST_COUNT

  constructor(
    private readonly target: Target,
    private readonly file: FileReport,
    private readonly progress: Progress,
    private readonly pass: Pass,
  ) {
    this.pace = new Pace(target.db)
  }

  async take(row: Row): Promise<void> {
    this.refuseDuplicate(row)
    this.pending.push(row)
    this.size += sizeOf(row)
    const turn = this.breathe()
    if (turn) await turn
    if (this.pending.length >= this.pace.rows || this.size > MOST_PENDING) await this.flush()
  }

  async flush(): Promise<void> {
    const { file, pending, progress } = this
    if (pending.length === 0) return
    this.pending = []
    this.size = 0
    const { added, updated, moved, milliseconds } = await writeRows(
      this.target,
      pending.filter(({ malformed }) => !malformed),
    )
    this.pace.took(pending.length, milliseconds)
    progress.months?.add(file.file, this.target.kind.table, moved)
    await this.pace.between()
    if (!progress.dry) await this.countGrowth(added)
    const refused = pending.filter(({ faults }) => faults.length > 0)
    const sound = pending.filter(({ faults }) => faults.length === 0)
    await progress.dry?.look(this.target.kind, sound)
    await inSlices(refused, ({ faults }) => {
      for (const fault of faults) note(progress, fault)
    })
    for (const { notes = [] } of sound) for (const each of notes) addContradiction(progress.report, each)
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
    await this.pace.between()
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

const sizeOf = ({ values }: Row): number => {
  let size = 0
  for (const name in values) size += values[name]?.length ?? 0
  return size
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

/** Loads rows until `signal` is aborted; when the file, or the rest of it, cannot be used, that is reported. @returns which records it has */
export async function loadRows(
  target: Target,
  file: FileReport,
  rows: AsyncIterable<Row>,
  progress: Progress,
  pass: Pass = { file: file.file, part: 1, parts: 1 },
): Promise<Pick<CompleteFile, 'seen' | 'unreadable'>> {
  const load = new FileLoad(target, file, progress, pass)
  try {
    for await (const row of rows) {
      if (progress.options.signal?.aborted) break
      await load.take(row)
    }
    if (!progress.options.signal?.aborted) await load.flush()
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error
    await load.flush()
    noteProblem(progress, file, error)
  }
  return { seen: [load.seen], unreadable: load.unreadable }
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
  return { kind: own, report: file, seen: [seen], unreadable }
}
