import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'
import { Client } from 'pg'
import type { Ask } from '../../db/drivers/migrated'
import { DatabaseDriver } from '../core/database-settings'
import { type Env, loadEnv } from '../core/env'
import { createTestPostgres, reaching } from './database'

/** A database as the last version with the replaced migrations left it, with rows in every table, as `pg_dump` wrote it. */
const RELEASE = 'db/fixtures/release-0063.sql.gz'

/** The same database as that version backed it up. */
export const RELEASE_BACKUP = 'db/fixtures/release-0063.backup'

/** The moment of its last migration, which is also that of the ones that replace its own. */
export const RELEASE_MOMENT = 1_795_370_000_063

/** Leaves out the functions that take rows of a type which a later migration creates. */
function leaveOutOf(folder: string, later: string[]): void {
  const types = later.flatMap((text) => [...text.matchAll(/^create type (\w+) as/gm)].map(([, name = '']) => name))
  for (const file of readdirSync(join(folder, 'functions/of-rows'))) {
    const path = join(folder, 'functions/of-rows', file)
    if (types.some((type) => readFileSync(path, 'utf8').includes(` ${type}[]`))) rmSync(path)
  }
}

/** Makes a copy of the folder `db` without the migrations that came after that version. */
export function releaseFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-release-'))
  for (const part of ['migrations', 'functions']) cpSync(join('db', part), join(folder, part), { recursive: true })
  const file = join(folder, 'migrations/meta/_journal.json')
  const entries: { when: number; tag: string }[] = JSON.parse(readFileSync(file, 'utf8')).entries
  const later = entries.filter(({ when }) => when > RELEASE_MOMENT)
  leaveOutOf(
    folder,
    later.map(({ tag }) => readFileSync(join(folder, 'migrations', `${tag}.sql`), 'utf8')),
  )
  writeFileSync(file, JSON.stringify({ entries: entries.filter(({ when }) => when === RELEASE_MOMENT) }))
  return folder
}

/** A database that no process has open: what opens it, what asks it meanwhile, and what deletes it. */
export type Closed = { settings: Env; within<T>(work: (ask: Ask) => Promise<T>): Promise<T>; drop(): Promise<void> }

async function closedPostgres(driver: 'pg' | 'vercel'): Promise<Closed> {
  const { url, drop } = await createTestPostgres()
  return {
    settings: loadEnv(reaching(driver, url)),
    within: async (work) => {
      const client = new Client({ connectionString: url })
      await client.connect()
      return work((text) => client.query(text)).finally(() => client.end())
    },
    drop,
  }
}

async function closedEmbedded(): Promise<Closed> {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-release-'))
  return {
    settings: loadEnv({ PLUMBLINE_DATA_DIR: directory }),
    within: async (work) => {
      const client = await PGlite.create(join(directory, 'pg'))
      return work(async (text) => (await client.exec(text)).at(-1) ?? { rows: [] }).finally(() => client.close())
    },
    drop: async () => rmSync(directory, { recursive: true }),
  }
}

/** Makes an empty database for the driver under test (`TEST_DRIVER`). */
export async function makeEmpty(): Promise<Closed> {
  const driver = DatabaseDriver.parse(process.env.TEST_DRIVER ?? 'pglite')
  return driver === 'pglite' ? closedEmbedded() : closedPostgres(driver)
}

/** Makes a database as the last version with the replaced migrations left it. */
export async function makeRelease(): Promise<Closed> {
  const closed = await makeEmpty()
  await closed.within((ask) => ask(gunzipSync(readFileSync(RELEASE)).toString()))
  return closed
}
