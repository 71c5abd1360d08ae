import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { type Database, openDatabase } from '../../db/client'
import { DatabaseDriver } from '../core/database-settings'
import { loadEnv } from '../core/env'

/** A Postgres where tests may create databases. */
export const TEST_POSTGRES_URL = process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'

async function administer(statement: string): Promise<{ datname: string }[]> {
  const client = new Client({ connectionString: TEST_POSTGRES_URL, connectionTimeoutMillis: 5_000 })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

const drop = async (name: string): Promise<void> => {
  await administer(`drop database if exists ${name} with (force)`)
}

/**
 * Creates a Postgres database, empty or copied from another, whose name its own then begins with. Also returns a function that drops
 * it even while clients are connected.
 */
export async function createTestPostgres(
  template = 'template1',
): Promise<{ name: string; url: string; drop(): Promise<void> }> {
  const name = `${template === 'template1' ? 'plumbline_test' : template}_${randomBytes(6).toString('hex')}`
  await administer(`create database ${name} template ${template}`)
  const url = new URL(TEST_POSTGRES_URL)
  url.pathname = `/${name}`
  return { name, url: url.href, drop: () => drop(name) }
}

/** Drops a database and the copies of it that are still there. */
export async function dropWithCopies(template: string): Promise<void> {
  const copies = `select datname from pg_database where starts_with(datname, '${template}_')`
  for (const { datname } of await administer(copies)) await drop(datname)
  await drop(template)
}

/** Returns the settings that connect a driver to a Postgres. `@vercel/postgres` accepts only one host name without `-pooler.`. */
export function reaching(driver: 'pg' | 'vercel', postgresUrl: string): Record<string, string> {
  const url = new URL(postgresUrl)
  if (driver === 'vercel') url.hostname = 'localhost'
  return { DATABASE_DRIVER: driver, DATABASE_URL: url.href }
}

/**
 * Opens a fresh, migrated database with the driver under test (`TEST_DRIVER`) and optional extra settings. Closing it deletes it.
 */
export async function openTestDatabase(settings: Record<string, string> = {}): Promise<Database> {
  const driver = DatabaseDriver.parse(process.env.TEST_DRIVER ?? 'pglite')
  if (driver !== 'pglite') {
    const { name, url } = await createTestPostgres(process.env.TEST_POSTGRES_TEMPLATE)
    // What a test writes need not outlive a power failure, so nothing waits for the disk.
    await administer(`alter database ${name} set synchronous_commit = off`)
    const db = await openDatabase(loadEnv({ ...reaching(driver, url), ...settings }))
    // Dropping waits for the disk, so the next file does not wait for it; what is left at the end is dropped with the template.
    return { ...db, close: () => db.close().then(() => void drop(name).catch(() => {})) }
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'plumbline-test-'))
  const template = process.env.TEST_PGLITE_TEMPLATE
  if (template) cpSync(template, dataDir, { recursive: true })
  const db = await openDatabase(loadEnv({ PLUMBLINE_DATA_DIR: dataDir, ...settings }))
  return { ...db, close: () => db.close().then(() => rmSync(dataDir, { recursive: true })) }
}
