import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { DatabaseDriver } from '../lib/core/database-settings'
import { loadEnv } from '../lib/core/env'
import { type Database, openDatabase } from './client'

/** Where tests find a Postgres in which they may create databases of their own. */
export const TEST_POSTGRES_URL = process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'

async function administer(statement: string): Promise<void> {
  const client = new Client({ connectionString: TEST_POSTGRES_URL, connectionTimeoutMillis: 5_000 })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** A new Postgres database, empty or a copy of another, with a function that drops it, whoever is still connected. */
export async function createTestPostgres(
  template = 'template1',
): Promise<{ name: string; url: string; drop(): Promise<void> }> {
  const name = `plumbline_test_${randomBytes(6).toString('hex')}`
  await administer(`create database ${name} template ${template}`)
  const url = new URL(TEST_POSTGRES_URL)
  url.pathname = `/${name}`
  return { name, url: url.href, drop: () => administer(`drop database if exists ${name} with (force)`) }
}

/** The settings under which a driver reaches a Postgres; `@vercel/postgres` by the one host name that needs no `-pooler.`. */
export function reaching(driver: 'pg' | 'vercel', postgresUrl: string): Record<string, string> {
  const url = new URL(postgresUrl)
  if (driver === 'vercel') url.hostname = 'localhost'
  return { DATABASE_DRIVER: driver, DATABASE_URL: url.href }
}

/** A fresh, migrated database of the driver under test (`TEST_DRIVER`), under more settings if need be; gone when it is closed. */
export async function openTestDatabase(settings: Record<string, string> = {}): Promise<Database> {
  const driver = DatabaseDriver.parse(process.env.TEST_DRIVER ?? 'pglite')
  if (driver !== 'pglite') {
    const { url, drop } = await createTestPostgres()
    const db = await openDatabase(loadEnv({ ...reaching(driver, url), ...settings }))
    return { ...db, close: () => db.close().then(drop) }
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'plumbline-test-'))
  const template = process.env.TEST_PGLITE_TEMPLATE
  if (template) cpSync(template, dataDir, { recursive: true })
  const db = await openDatabase(loadEnv({ PLUMBLINE_DATA_DIR: dataDir, ...settings }))
  return { ...db, close: () => db.close().then(() => rmSync(dataDir, { recursive: true })) }
}
