import { resolve } from 'node:path'
import { type Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { database } from '@/db/client'
import { operatorFor } from '@/lib/auth/actor'
import { ServiceError } from '@/lib/core/errors'
import { FileProblem } from '@/lib/load/fault'
import { filesOf } from '@/lib/load/folder'
import { FILES } from '@/lib/load/kinds'
import type { Assigned } from '@/lib/load/mapping/propose'
import { parseAssigned } from '@/lib/load/mapping/shape'
import { MOST_PERCENT } from '@/lib/load/missing'
import { LoadProgress } from '@/lib/load/progress'
import type { Question } from '@/lib/load/questions'
import type { FileReport, LoadOptions, LoadReport } from '@/lib/load/report'
import { formatReport } from '@/lib/load/report-text'
import { SOURCE_FILES } from '@/lib/load/sources/registry'
import { execute } from '@/lib/operations/execute'
import { loadFolder } from '@/lib/operations/loads/load-folder'
import { getLastLoad, undoLoad, undoText } from '@/lib/operations/loads/undo-load'
import { requireContractor } from '../contractor'
import { type Io, type Style, writeJson } from '../io'
import { inspect } from './load-inspect'

type Options = {
  contractor?: string
  json?: boolean
  strict?: boolean
  complete?: boolean
  countOnly?: boolean
  maxDeleted?: number
  yes?: boolean
  dates?: 'mdy' | 'dmy'
  dryRun?: boolean
  map?: Assigned[]
  saveMap?: boolean
  answer?: Record<string, string>
}

/** The exit code of a command that was asked to stop, by shell convention. */
const INTERRUPTED = 130

const SHOWN_EVERY_MS = { terminal: 200, elsewhere: 3_000 }

/** Shows the progress of a load: on one line of a terminal, elsewhere as an occasional line. */
async function follower(io: Io, folder: string): Promise<NonNullable<LoadOptions['onProgress']>> {
  const progress = await LoadProgress.of(await filesOf(folder))
  let told = performance.now()
  return (file, read) => {
    const every = io.progress ? SHOWN_EVERY_MS.terminal : SHOWN_EVERY_MS.elsewhere
    const line = progress.line(file, read, io.progress !== undefined)
    if (performance.now() - told < every) return
    told = performance.now()
    if (io.progress) io.progress(line)
    else io.err(`${line}\n`)
  }
}

function percent(text: string): number {
  const number = Number(text)
  if (/^\d{1,3}(\.\d+)?$/.test(text) && number <= 100) return number
  throw new InvalidArgumentError('It must be a number of percent from 0 to 100.')
}

/** Shows how many records the files no longer have; on a terminal, a person decides whether they are deleted. */
const confirmer =
  (io: Io, isAsked: boolean) =>
  async (files: FileReport[]): Promise<boolean> => {
    io.progress?.('')
    for (const { file, removal } of files)
      io.err(`${file}: ${count(removal?.missing)} of ${count(removal?.stored)} stored records are not in the file.\n`)
    if (!isAsked || !io.ask) return true
    return /^y(es)?$/i.test((await io.ask('Delete them? Type yes to confirm: ')).trim())
  }

const count = (n = 0) => n.toLocaleString('en-US')

/** Returns what the options declare about the files. @throws ServiceError `bad_request` when they do not belong together */
function completeOf(io: Io, { complete, countOnly, maxDeleted, yes }: Options) {
  if (complete) return { delete: !countOnly, mostPercent: maxDeleted, confirm: confirmer(io, !yes) }
  if (countOnly || maxDeleted !== undefined || yes)
    throw new ServiceError('bad_request', '--count-only, --max-deleted and --yes need --complete.')
  return undefined
}

/** Reads one `--map`, after those before it. */
function assigned(text: string, before: Assigned[] = []): Assigned[] {
  try {
    return [...before, parseAssigned(text)]
  } catch (error) {
    throw error instanceof FileProblem ? new InvalidArgumentError(error.message) : error
  }
}

/** Returns the contractor that a load is for: only looking at files needs none. */
const contractorOf = async (command: Command, given: string | undefined) =>
  requireContractor(
    await database(),
    given ?? command.error("error: required option '--contractor <id or slug>' not specified"),
  )

async function load(io: Io, command: Command, given: string, options: Options): Promise<void> {
  const { id } = await contractorOf(command, options.contractor)
  const folder = resolve(io.cwd, given)
  const onProgress = await follower(io, folder)
  const { dryRun, dates, map, saveMap } = options
  const answers = { ...options.answer }
  const input = {
    folder,
    onProgress,
    signal: io.stop?.(),
    complete: completeOf(io, options),
    dates,
    dryRun,
    map,
    saveMap,
  }
  const loadWith = () =>
    execute(
      loadFolder,
      { actor: operatorFor(id), now: new Date() },
      { ...input, ...(Object.keys(answers).length > 0 && { answers }) },
    )
  let report = await loadWith()
  // A person at a terminal is asked; a program gets the questions.
  while (report.questions && io.ask && !options.json && (await askAll(io, report.questions, answers)))
    report = await loadWith()
  io.progress?.('')
  if (options.json) writeJson(io, report)
  else for (const line of formatReport(report).split(/(?<=\n)/)) io.out(line, styleOf(line, report))
  requireSuccess(report, options)
}

/** Asks a person each question. @returns whether every one was answered */
async function askAll(io: Io, questions: readonly Question[], answers: Record<string, string>): Promise<boolean> {
  for (const { key, question, choices } of questions) {
    if (choices.length === 0) return false
    io.err(`${question}\n`)
    const answer = ((await io.ask?.(`${choices.slice(0, 12).join(' / ')}: `)) ?? '').trim()
    if (!choices.includes(answer)) return false
    answers[key] = answer
  }
  return true
}

/** Reads one `--answer`, after those before it. */
function answered(text: string, before: Record<string, string> = {}): Record<string, string> {
  const at = text.lastIndexOf('=')
  if (at < 1) throw new InvalidArgumentError('It must be "question=answer", as the report of the load shows it.')
  return { ...before, [text.slice(0, at).trim()]: text.slice(at + 1).trim() }
}

/** Returns how a line of the report stands out: its headings, what was refused, and how it ended. */
function styleOf(line: string, { files, faultCount, stopped }: LoadReport): Style | undefined {
  if (/^file +rows/.test(line)) return 'bold'
  if (/^(Refused|Notes|Oddest rows)\b.*:$/.test(line.trimEnd())) return 'yellow'
  if (files.some(({ file, problem }) => problem !== null && line.startsWith(`${file}: `))) return 'red'
  return /^(Done|Looked through|Stopped)/.test(line) ? (faultCount > 0 || stopped ? 'yellow' : 'green') : undefined
}

/** The data that can be loaded, by file and software. */
const LOADABLE = [
  '',
  'Files of ours, by their columns:',
  ...FILES.map((file) => `  ${file}`),
  'Exports, by their columns:',
  ...[...new Set(SOURCE_FILES.map(({ source }) => source))].map(
    (name) =>
      `  ${name}: ${SOURCE_FILES.filter(({ source }) => source === name)
        .map(({ file }) => file)
        .filter((file, i, all) => all.indexOf(file) === i)
        .join(', ')}`,
  ),
  'As .csv, .tsv, .txt, .tab, .iif or .xlsx; other columns are mapped: load inspect.',
].join('\n')

/** Ends the command with a code other than 0 where files or all of their rows could not be used. @throws CommanderError, ServiceError */
function requireSuccess(report: LoadReport, options: Options): void {
  if (report.stopped) throw new CommanderError(INTERRUPTED, 'stopped', 'stopped')
  const failure = failureOf(report, options)
  if (failure !== undefined) throw new ServiceError('bad_request', failure)
}

/** Says what of a load failed, or of a dry run would fail. */
function failureOf(report: LoadReport, { dryRun, strict }: Options): string | undefined {
  const questions = report.questions?.length ?? 0
  if (questions > 0)
    return `${questions === 1 ? 'One question has' : `${questions} questions have`} to be answered first; see above. Nothing was written.`
  const [was, rest] = dryRun ? ['would be', 'Nothing was written.'] : ['was', 'The rest is loaded.']
  const whole = report.files.filter(({ problem }) => problem !== null).map(({ file }) => file)
  if (whole.length > 0) return `Not read, or not to the end: ${whole.join(', ')}; see above. ${rest}`
  const none = report.files.filter(({ rows, refused }) => rows > 0 && refused === rows).map(({ file }) => file)
  if (none.length > 0) return `Every row ${was} refused: ${none.join(', ')}; see above. ${rest}`
  const uncut = report.files.flatMap(({ file, removal }) => (removal?.refusal ? [file] : []))
  const deleted = dryRun ? 'Nothing would be' : 'Loaded, but nothing was'
  if (uncut.length > 0) return `${deleted} deleted for ${uncut.join(', ')}; see above.`
  if (strict && report.faultCount > 0)
    return `Some rows were refused; see above. ${dryRun ? 'Nothing was written.' : 'The others are loaded.'}`
  return undefined
}

/** Takes back the last load that still can be, after a question on a terminal. */
async function undo(io: Io, command: Command, { contractor, yes }: Pick<Options, 'contractor' | 'yes'>): Promise<void> {
  const caller = { actor: operatorFor((await contractorOf(command, contractor)).id), now: new Date() }
  const { last: latest, earlier, takesBack } = await execute(getLastLoad, caller, {})
  const last = latest?.state === 'taken_back' ? (earlier[0] ?? latest) : (latest ?? earlier[0])
  if (!last) throw new ServiceError('not_found', 'There is no load of the last 24 hours that could be taken back.')
  const what = `the load of ${last.files.join(', ')} at ${last.loadedAt} by ${last.by ?? 'somebody'}`
  if (last.state !== 'taken_back' && !yes && io.ask) {
    const effect = takesBack?.load === last.load ? `${undoText(takesBack)} ` : ''
    const answer = await io.ask(`Take back ${what}? ${effect}Type yes to confirm: `)
    if (!/^y(es)?$/i.test(answer.trim()))
      throw new ServiceError('bad_request', 'It was not confirmed. Nothing was changed.')
  }
  const onProgress = (done: number) => io.progress?.(`${count(done)} records taken back`)
  const { removed, putBack, restored, kept } = await execute(undoLoad, caller, { load: last.load, onProgress })
  io.progress?.('')
  io.out(
    `Took back ${what}: ${count(removed)} records removed, ${count(putBack)} put back as they were, ${count(restored)} restored.\n`,
  )
  if (kept.length > 0) io.out(`Kept, because they were changed meanwhile: ${kept.join('; ')}.\n`)
}

/** Adds `load --contractor <id or slug> <folder>`, `load undo` and `load inspect`. */
export function loadCommand(program: Command, io: Io): void {
  const command = program
    .command('load <folder>')
    .description('load a folder of our own files, exports of office software, or mapped sheets')
    .addHelpText('after', LOADABLE)
    .option('--contractor <id or slug>', '(required, but not to inspect)')
    .option('--complete', 'the files are complete: delete records that are no longer in them')
    .option('--count-only', 'with --complete: count those records, and delete none')
    .option(
      '--max-deleted <percent>',
      `with --complete: the largest share that may be deleted (${MOST_PERCENT})`,
      percent,
    )
    .option('--yes', 'with --complete, and for undo: do not ask first')
    .addOption(
      new Option('--dates <order>', 'of dates in files that do not show it: month or day first').choices([
        'mdy',
        'dmy',
      ]),
    )
    .option('--map <column=field>', 'the field of a column of a file that is not recognized; repeatable', assigned)
    .option(
      '--answer <question=answer>',
      'the answer to a question of an earlier try; repeatable, kept for the next load',
      answered,
    )
    .option(
      '--save-map',
      'map files that are not recognized as `load inspect` proposes, and keep it for their next ones',
    )
    .option('--strict', 'end with code 1 when a row was refused')
    .option('--dry-run', 'write nothing: show what would be added, changed, deleted and refused')
    .option('--json', 'the report as JSON')
    .action((folder: string, options) => load(io, command, folder, options))
  command
    .command('undo')
    .description('take back the last load of a contractor, within a day')
    .action((_, undoing: Command) => undo(io, command, undoing.optsWithGlobals()))
  command
    .command('inspect <files...>')
    .description('what files are taken for, and what each of their columns fills; nothing is stored')
    .option('--contractor <id or slug>', 'by the mappings that are kept for this contractor')
    .option('--map <column=field>', 'with this field for a column; repeatable', assigned)
    .option('--json', 'as JSON')
    .action((files: string[], _, inspecting: Command) => inspect(io, files, inspecting.optsWithGlobals()))
}
