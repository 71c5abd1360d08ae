import { resolve } from 'node:path'
import type { Command } from 'commander'
import { database } from '@/db/client'
import { ServiceError } from '@/lib/core/errors'
import { loadFolder } from '@/lib/load/load'
import { formatReport } from '@/lib/load/report'
import { requireContractor } from '../contractor'
import { type Io, writeJson } from '../io'

type Options = { contractor: string; json?: boolean; strict?: boolean }

async function load(io: Io, folder: string, options: Options): Promise<void> {
  const db = await database()
  const contractor = await requireContractor(db, options.contractor)
  const report = await loadFolder(db, contractor, resolve(io.cwd, folder))
  if (options.json) writeJson(io, report)
  else io.out(formatReport(report))
  if (options.strict && report.faultCount > 0) {
    throw new ServiceError('bad_request', 'Some rows or files were refused; see above. The others are loaded.')
  }
}

/** `load --contractor <id or slug> <folder>` */
export function loadCommand(program: Command, io: Io): void {
  program
    .command('load <folder>')
    .description('load customers.csv, projects.csv, invoices.csv, payments.csv and materials.csv from a folder')
    .requiredOption('--contractor <id or slug>')
    .option('--strict', 'end with code 1 when a row was refused')
    .option('--json', 'the report as JSON')
    .action((folder: string, options) => load(io, folder, options))
}
