import { resolve } from 'node:path'
import { type Command, CommanderError } from 'commander'
import { database } from '@/db/client'
import { operatorFor } from '@/lib/auth/actor'
import { ServiceError } from '@/lib/core/errors'
import { FILES, filesOf } from '@/lib/load/load'
import { LoadProgress } from '@/lib/load/progress'
import { type FileReport, formatReport } from '@/lib/load/report'
import { execute } from '@/lib/operations/execute'
import { loadFolder } from '@/lib/operations/loads/load-folder'
import { requireContractor } from '../contractor'
import { type Io, writeJson } from '../io'

type Options = { contractor: string; json?: boolean; strict?: boolean }

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

async function load(io: Io, given: string, options: Options): Promise<void> {
  const { id } = await requireContractor(await database(), options.contractor)
  const folder = resolve(io.cwd, given)
  const onProgress = await follower(io, folder)
  const input = { folder, onProgress, signal: io.stop?.() }
  const report = await execute(loadFolder, { actor: operatorFor(id), now: new Date() }, input)
  io.progress?.('')
  if (options.json) writeJson(io, report)
  else io.out(formatReport(report))
  if (report.stopped) throw new CommanderError(INTERRUPTED, 'stopped', 'stopped')
  const whole = report.files.filter(({ problem }) => problem !== null).map(({ file }) => file)
  if (whole.length > 0)
    throw new ServiceError(
      'bad_request',
      `Not read, or not to the end: ${whole.join(', ')}; see above. The rest is loaded.`,
    )
  if (options.strict && report.faultCount > 0)
    throw new ServiceError('bad_request', 'Some rows were refused; see above. The others are loaded.')
}

/** `load --contractor <id or slug> <folder>` */
export function loadCommand(program: Command, io: Io): void {
  program
    .command('load <folder>')
    .description(`load CSV files from a folder: ${FILES.join(', ')}`)
    .requiredOption('--contractor <id or slug>')
    .option('--strict', 'end with code 1 when a row was refused')
    .option('--json', 'the report as JSON')
    .action((folder: string, options) => load(io, folder, options))
}
