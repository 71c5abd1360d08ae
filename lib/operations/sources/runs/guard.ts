import { join } from 'node:path'
import type { Database } from '@/db/client'
import { findMapping } from '@/db/queries/load-mappings'
import { type FetchedFile, SourceProblem } from '@/lib/load/fetch/fetched'
import { inspectFile } from '@/lib/load/inspect'
import type { LoadReport } from '@/lib/load/report'
import { asked } from '../../loads/asking'
import { Held } from './result'

/** The advice for a file that cannot be loaded by itself. */
const CHOOSE =
  'Open the load page, drop this file there, and choose; the choice is kept for the next file of these columns.'
const DATES = 'Say the order of dates in the source’s settings.'

/** The share of refused rows above which the file is another one than before. */
const MOST_REFUSED = 0.5
const MOST_NAMES = 12

/** A file that can be loaded, and what makes another one the same kind. */
export type LoadableFile = FetchedFile & { like: string }

/** Says what each file is. @throws SourceProblem for the first that nobody has said how to read */
export async function requireLoadableFiles(
  db: Database,
  contractorId: string,
  folder: string,
  files: readonly FetchedFile[],
): Promise<LoadableFile[]> {
  const kept = (shape: string) => findMapping(db.orm, contractorId, shape)
  const found: LoadableFile[] = []
  for (const file of files) {
    const { taken, columns, source, problem } = await inspectFile(join(folder, file.name), file.name, { kept })
    const names = columns.map(({ column }) => column)
    if (taken === 'guessed')
      throw new SourceProblem(
        `${file.name} has columns that nobody has mapped yet: ${names.slice(0, MOST_NAMES).join(', ')}. ${CHOOSE}`,
      )
    if (problem !== null) throw new SourceProblem(`${file.name}: ${problem}`)
    found.push({ ...file, like: taken === 'kept' ? names.sort().join('\n') : `${taken} ${source}` })
  }
  return found
}

/** Returns the earliest of the files of one kind: two of them are not loaded together, and the later one is to have the last word. */
export function firstOfEach(files: readonly LoadableFile[]): LoadableFile[] {
  const sorted = [...files].sort((a, b) => a.at - b.at || (a.name < b.name ? -1 : 1))
  return sorted.filter((file) => sorted.find(({ like }) => like === file.like) === file)
}

/** A count over all files of a report. */
export const total = (report: LoadReport, name: 'rows' | 'added' | 'updated' | 'refused'): number =>
  report.files.reduce((all, file) => all + file[name], 0)

/** Counts the records that complete files deleted, or would. */
export const removed = ({ files }: LoadReport, name: 'deleted' | 'missing'): number =>
  files.reduce((all, { removal }) => all + (removal?.[name] ?? 0), 0)

/** Yields why the files cannot be loaded by themselves, each with what to do. */
function* doubts({ files, sources = [] }: LoadReport): Generator<string> {
  for (const { file, problem, removal } of files) {
    if (problem !== null) yield `${file}: ${problem} ${/--dates/.test(problem) ? DATES : CHOOSE}`
    if (removal?.refusal) yield `${file}: ${removal.refusal} ${CHOOSE}`
  }
  for (const { file, source, rules } of sources) if (source === null) yield `${file}: ${rules.join(' ')} ${CHOOSE}`
}

/** @throws Held for questions that can be answered; SourceProblem where only another file helps */
function requireAnswered({ questions = [] }: LoadReport): void {
  const [first] = questions
  if (!first) return
  const more = questions.length > 1 ? ` It is the first of ${questions.length} questions.` : ''
  const asking = `${first.file}: ${asked(first).question}${more} Nothing was loaded.`
  if (questions.some(({ choices }) => choices.length === 0)) throw new SourceProblem(`${asking} ${CHOOSE}`)
  throw new Held(asking)
}

/** @throws SourceProblem when what a load would do needs a person; of these Held for questions */
export function requireSafe(report: LoadReport): void {
  for (const doubt of doubts(report)) throw new SourceProblem(doubt)
  requireAnswered(report)
  const [rows, refused] = [total(report, 'rows'), total(report, 'refused')]
  if (rows === 0 || refused <= rows * MOST_REFUSED) return
  const [first] = report.faults
  const why = first ? `, the first because ${first.field ?? 'it'} ${first.reason}` : ''
  throw new SourceProblem(`${refused} of ${rows} rows would be refused${why}. Nothing was loaded. ${CHOOSE}`)
}
