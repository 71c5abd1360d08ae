import { resolve } from 'node:path'
import { type Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { database } from '@/db/client'
import { operatorFor } from '@/lib/auth/actor'
import { ServiceError } from '@/lib/core/errors'
import { FILES, filesOf } from '@/lib/load/load'
import { MOST_PERCENT } from '@/lib/load/missing'
import { LoadProgress } from '@/lib/load/progress'
import { type FileReport, formatReport, type LoadReport } from '@/lib/load/report'
import { execute } from '@/lib/operations/execute'
import { loadFolder } from '@/lib/operations/loads/load-folder'
import { getLastLoad, undoLoad } from '@/lib/operations/loads/undo-load'
import { requireContractor } from '../contractor'
import { type Io, writeJson } from '../io'

type Options = {
  contractor: string
  json?: boolean
  strict?: boolean
  complete?: boolean
  countOnly?: boolean
  maxDeleted?: number
  yes?: boolean
  dates?: 'mdy' | 'dmy'
  dryRun?: boolean
}

/** The exit code of a command that was asked to stop, by shell convention. */
const INTERRUPTED = 130

const SHOWN_EVERY_MS = { terminal: 200, elsewhere: 3_000 }

/** Shows the progress of a load: on one line of a terminal, elsewhere as an occasional line. */
async function follower(io: Io, folder: string): Promise<(file: FileReport) => void> {
  const progress = await LoadProgress.of(await filesOf(folder))
  let told = performance.now()
  return (file) => {
    const every = io.progress ? SHOWN_EVERY_MS.terminal : SHOWN_EVERY_MS.elsewhere
    const line = progress.line(file, io.progress !== undefined)
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

async function load(io: Io, given: string, options: Options): Promise<void> {
  const { id } = await requireContractor(await database(), options.contractor)
  const folder = resolve(io.cwd, given)
  const onProgress = await follower(io, folder)
  const { dryRun, dates } = options
  const input = { folder, onProgress, signal: io.stop?.(), complete: completeOf(io, options), dates, dryRun }
  const report = await execute(loadFolder, { actor: operatorFor(id), now: new Date() }, input)
  io.progress?.('')
  if (options.json) writeJson(io, report)
  else io.out(formatReport(report))
  requireSuccess(report, options)
}

/** Ends the command with a code other than 0 where files or all of their rows could not be used. @throws CommanderError, ServiceError */
function requireSuccess(report: LoadReport, options: Options): void {
  if (report.stopped) throw new CommanderError(INTERRUPTED, 'stopped', 'stopped')
  const failure = failureOf(report, options)
  if (failure !== undefined) throw new ServiceError('bad_request', failure)
}

/** Says what of a load failed, or of a dry run would fail. */
function failureOf(report: LoadReport, { dryRun, strict }: Options): string | undefined {
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

/** Takes the last load back, after a question on a terminal. */
async function undo(io: Io, { contractor, yes }: Pick<Options, 'contractor' | 'yes'>): Promise<void> {
  const caller = { actor: operatorFor((await requireContractor(await database(), contractor)).id), now: new Date() }
  const { last } = await execute(getLastLoad, caller, {})
  if (!last) throw new ServiceError('not_found', 'There is no load of the last 24 hours that could be taken back.')
  const what = `the load of ${last.files.join(', ')} at ${last.loadedAt} by ${last.by ?? 'somebody'}`
  if (last.state !== 'taken_back' && !yes && io.ask) {
    const answer = await io.ask(`Take back ${what}? Type yes to confirm: `)
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

/** `load --contractor <id or slug> <folder>`, and `load undo` */
export function loadCommand(program: Command, io: Io): void {
  const command = program
    .command('load <folder>')
    .description(`load a folder: ${FILES.join(', ')}, or exports of other office software`)
    .requiredOption('--contractor <id or slug>')
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
    .option('--strict', 'end with code 1 when a row was refused')
    .option('--dry-run', 'write nothing: show what would be added, changed, deleted and refused')
    .option('--json', 'the report as JSON')
    .action((folder: string, options) => load(io, folder, options))
  command
    .command('undo')
    .description('take back the last load of a contractor, within a day')
    .action((_, undoing: Command) => undo(io, undoing.optsWithGlobals()))
}
