import { isDeepStrictEqual } from 'node:util'
import type { Database, Orm } from '@/db/client'
import { type BackupTable, listTables, migrationLevel } from '@/db/queries/backup/catalog'
import { countRows } from '@/db/queries/backup/read'
import {
  emptyTables,
  gatherStatistics,
  TablesInUse,
  whileFilling,
  writeLines,
  writeSequence,
} from '@/db/queries/backup/write'
import { ServiceError } from '@/lib/core/errors'
import { BUILD, buildName } from '@/lib/core/service'
import { sumRows } from './backup'
import type { Closing, Contents, Header } from './format'
import { readRows, verifyFile } from './read-file'

/** Rows that a restore would remove, table by table; only tables that have any. */
export type Loss = { name: string; rows: number }[]

export type RestoreOptions = {
  /** Asks before existing rows are removed; without it only an empty database can be restored into. */
  mayReplace?: (loss: Loss) => Promise<boolean>
}

/**
 * Throws with an actionable message when the backup has another schema. How many migrations were run says nothing: a new database has the few
 * that replace what an older one ran.
 */
function requireSameSchema(header: Header, level: Header['level'], tables: BackupTable[]): void {
  if (header.level.last === level.last && isDeepStrictEqual(header.tables, tables)) return
  const [there, here] = [BigInt(header.level.last), BigInt(level.last)]
  const writer = buildName(header.version, header.commit)
  const next =
    there < here
      ? `The backup is older. Restore it with the version that wrote it, ${writer}, into an empty database, then start this version, ${BUILD.name}, on that: it migrates it.`
      : there > here
        ? `The backup is newer than this version, ${BUILD.name}. Restore it with the version that wrote it, ${writer}, or a later one.`
        : `The levels of ${writer}, which wrote it, and of this version, ${BUILD.name}, are alike but the tables are not: one of the two was changed by hand. Restore into a database that only Plumbline has migrated.`
  throw new ServiceError('bad_request', `This backup does not fit this database. ${next} Nothing was changed.`)
}

async function requireEmpty(tx: Orm, tables: BackupTable[], { mayReplace }: RestoreOptions): Promise<void> {
  const loss = (await countRows(tx, tables)).filter(({ rows }) => rows > 0)
  if (loss.length === 0) return
  const held = loss.map(({ name, rows }) => `${name} ${rows}`).join(', ')
  if (!mayReplace)
    throw new ServiceError(
      'bad_request',
      `This database is not empty (${held}). Restore into an empty one, or use --replace to delete its rows first. Nothing was changed.`,
    )
  if (!(await mayReplace(loss))) throw new ServiceError('bad_request', 'Nothing was changed.')
}

/** Reads the restored rows back and compares them with the backup while everything can still be rolled back. */
async function requireSameRows(tx: Orm, tables: BackupTable[], wanted: Closing[]): Promise<void> {
  for (const [i, table] of tables.entries()) {
    const reading = sumRows(tx, table)
    let step = await reading.next()
    while (!step.done) step = await reading.next()
    if (!isDeepStrictEqual({ ...step.value }, { sequence: undefined, ...wanted[i] }))
      throw new ServiceError(
        'bad_request',
        `${table.name} was not restored exactly (${step.value.rows} of ${wanted[i]?.rows} rows). Nothing was changed.`,
      )
  }
}

/** Returns why a restore was rolled back, for the operator. */
function explain(error: unknown): unknown {
  if (error instanceof ServiceError) return error
  if (error instanceof TablesInUse)
    return new ServiceError(
      'bad_request',
      'Another connection is using the tables, and a restore needs them for itself. Stop the servers and run it again. Nothing was changed.',
    )
  let cause = error
  while (cause instanceof Error && cause.cause !== undefined) cause = cause.cause
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new ServiceError(
    'internal',
    `The backup could not be restored: ${reason.slice(0, 300)}. Nothing was changed.`,
    {
      cause: error,
    },
  )
}

/**
 * Restores a backup into a database: verified before anything changes, in one transaction, read back before commit. The service's
 * triggers do not fire, so every value is the saved one.
 * @returns what the backup held, which is what the database holds now
 * @throws ServiceError `bad_request` when the file is damaged, the schemas differ, or the database is not empty
 */
export async function restore(db: Database, path: string, options: RestoreOptions = {}): Promise<Contents> {
  const contents = await verifyFile(path)
  const tables = await listTables(db.orm)
  requireSameSchema(contents.header, await migrationLevel(db.orm), tables)
  // Asked before the tables are locked, so that nobody waits for a person; checked again once nothing can change.
  await requireEmpty(db.orm, tables, options)
  await whileFilling(db, tables, async (tx) => {
    if (!options.mayReplace) await requireEmpty(tx, tables, options)
    await emptyTables(tx, tables)
    await readRows(path, async (name, lines) => {
      const table = tables.find((one) => one.name === name)
      if (table) await writeLines(tx, table, lines)
    })
    for (const [i, table] of tables.entries()) {
      const sequence = contents.tables[i]?.sequence
      if (sequence) await writeSequence(tx, table, sequence)
    }
    await requireSameRows(tx, tables, contents.tables)
  }).catch((error) => {
    throw explain(error)
  })
  await gatherStatistics(db, tables)
  return contents
}
