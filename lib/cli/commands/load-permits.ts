import { resolve } from 'node:path'
import { type Command, CommanderError, Option } from 'commander'
import type * as z from 'zod'
import { serviceOperator } from '@/lib/auth/actor'
import { ServiceError } from '@/lib/core/errors'
import { PERMIT_FORMATS, type PermitFormat } from '@/lib/load/permits/load'
import { formatReport } from '@/lib/load/report-text'
import { execute } from '@/lib/operations/execute'
import { loadPermits } from '@/lib/operations/loads/load-permits'
import { type Io, writeJson } from '../io'

type Options = { jurisdiction: string; format: PermitFormat; map?: string; json?: boolean; strict?: boolean }

function coverageLine({ jurisdiction, loaded }: z.output<typeof loadPermits.output>): string {
  if (!loaded) return `${jurisdiction}: nothing is loaded.\n`
  const count = (n: number) => n.toLocaleString('en-US')
  const { permits, firstApplied, lastApplied, withIssued, withCoordinates } = loaded
  const applied = firstApplied ? `applied for from ${firstApplied} to ${lastApplied}` : 'no day of application'
  return `${jurisdiction} now: ${count(permits)} permits, ${applied}; ${count(withIssued)} with an issue date, ${count(withCoordinates)} with coordinates.\n`
}

async function load(io: Io, path: string, { jurisdiction, format, map, json, strict }: Options): Promise<void> {
  const mapPath = map === undefined ? undefined : resolve(io.cwd, map)
  const input = { jurisdiction, format, map: mapPath, path: resolve(io.cwd, path), signal: io.stop?.() }
  const report = await execute(loadPermits, { actor: serviceOperator(), now: new Date() }, input)
  if (json) writeJson(io, report)
  else io.out(formatReport(report) + coverageLine(report))
  if (report.stopped) throw new CommanderError(130, 'stopped', 'stopped')
  if (strict && report.faultCount > 0)
    throw new ServiceError('bad_request', 'Some rows or the file were refused; see above. The others are loaded.')
}

/** Adds `load-permits --jurisdiction <id> --format blds|csv --map <file> <csv>`. */
export function loadPermitsCommand(program: Command, io: Io): void {
  program
    .command('load-permits <csv>')
    .description('load a jurisdiction’s permit history from a CSV file, in the columns of BLDS or of the city')
    .requiredOption('--jurisdiction <id>', 'such as us-tn-nashville')
    .addOption(new Option('--format <format>', 'the format of the file').choices(PERMIT_FORMATS).default('blds'))
    .option('--map <file>', 'a mapping file (JSON): the source of the data, and its columns')
    .option('--strict', 'end with code 1 when a row was refused')
    .option('--json', 'the report as JSON')
    .action((path: string, options) => load(io, path, options))
}
