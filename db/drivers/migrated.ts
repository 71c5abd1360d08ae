import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

/** Drizzle's list of the folder's migrations, the oldest first; `when` is the moment in milliseconds it notes of each it ran. */
const Journal = z.object({ entries: z.array(z.object({ when: z.number() })) })

/** Postgres' code for a table that does not exist. */
const UNDEFINED_TABLE = '42P01'

/** Runs a statement without parameters; its rows. */
export type Ask = (text: string) => Promise<{ rows: object[] }>

/**
 * Whether every migration of a folder has been run, by what Drizzle's migrator noted of the last one. One statement, so that a start on
 * existing data does not read and hash every migration, nor wait for the lock of those that migrate.
 * @throws what the driver throws, except that a database without the migrator's table is not migrated
 */
export async function isMigrated(ask: Ask, migrationsFolder: string): Promise<boolean> {
  const journal = Journal.parse(JSON.parse(await readFile(join(migrationsFolder, 'meta', '_journal.json'), 'utf8')))
  const newest = Math.max(...journal.entries.map(({ when }) => when))
  try {
    const { rows } = await ask('select max(created_at)::float8 as noted from drizzle.__drizzle_migrations')
    const [row] = rows
    return row !== undefined && 'noted' in row && typeof row.noted === 'number' && row.noted >= newest
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === UNDEFINED_TABLE) return false
    throw error
  }
}
