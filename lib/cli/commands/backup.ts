import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { database } from '@/db/client'
import { buildName } from '@/lib/core/service'
import { backUp } from '@/lib/maintenance/backup/backup'
import type { Contents } from '@/lib/maintenance/backup/format'
import { type Loss, type RestoreOptions, restore } from '@/lib/maintenance/backup/restore'
import { type Io, writeJson, writeTable } from '../io'

/** The data that a backup does not hold, because it is not in the database. */
const NOT_IN_IT =
  'Not in it: the settings. Keep EXTERNAL_API_TOKEN_SECRET (page tokens) and BETTER_AUTH_SECRET (sessions, second factors) beside it, ' +
  'apart from the file; the demonstration keeps its own in secrets.json of the data directory. It holds personal data and hashes of keys, no keys.\n'

function tell(io: Io, { header, tables, trailer }: Contents): void {
  const held = tables.filter(({ rows }) => rows > 0)
  writeTable(
    io,
    ['TABLE', 'ROWS', 'SHA-256'],
    held.map(({ end, rows, sha256 }) => [end, String(rows), sha256]),
  )
  const empty = tables.length - held.length
  io.out(
    `${trailer.rows} rows in ${held.length} tables, ${empty} empty; of ${header.at}, version ${buildName(header.version, header.commit)}.\n`,
  )
}

/** Returns, for scripts, the contents of a file in the order of its tables. */
const shown = ({ header: { at, version, commit = null, driver, level }, tables, trailer }: Contents) => ({
  at,
  version,
  commit,
  driver,
  level,
  rows: trailer.rows,
  sha256: trailer.sha256,
  tables: tables.map(({ end, rows, sha256 }) => ({ name: end, rows, sha256 })),
})

async function save(io: Io, file: string, { json }: { json?: boolean }): Promise<void> {
  const path = resolve(io.cwd, file)
  const contents = await backUp(await database(), path)
  if (json) return writeJson(io, shown(contents))
  tell(io, contents)
  io.out(`Written to ${path}, ${(statSync(path).size / 1e6).toFixed(1)} MB, readable by its owner only.\n`)
  io.err(NOT_IN_IT)
}

type Restoration = { replace?: boolean; yes?: boolean; json?: boolean }

async function load(io: Io, file: string, { replace, yes, json }: Restoration): Promise<void> {
  const mayReplace = async (loss: Loss) => {
    io.err('This database is not empty. Restoring deletes:\n')
    for (const { name, rows } of loss) io.err(`  ${name}  ${rows}\n`)
    return yes === true || (await io.ask?.('Permanently delete all of this? Type yes: ')) === 'yes'
  }
  const options: RestoreOptions = replace ? { mayReplace } : {}
  const contents = await restore(await database(), resolve(io.cwd, file), options)
  if (json) return writeJson(io, shown(contents))
  tell(io, contents)
  io.out('Restored; every table was read back and matches the backup.\n')
}

/** Adds `backup <file>` and `restore <file>`. */
export function backupCommands(program: Command, io: Io): void {
  program
    .command('backup <file>')
    .description('write a snapshot of the database to one file, which can be restored into any database')
    .option('--json', 'what was written, as JSON')
    .action((file, options) => save(io, file, options))
  program
    .command('restore <file>')
    .description('restore a backup into an empty database; its checksums are verified first')
    .option('--replace', 'delete what is in the database first, after showing it and asking')
    .option('--yes', 'with --replace: do not ask')
    .option('--json', 'what was restored, as JSON')
    .action((file, options) => load(io, file, options))
}
