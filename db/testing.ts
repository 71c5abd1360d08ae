import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
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

/** A new, empty Postgres database with a function that drops it, whoever is still connected. */
export async function createTestPostgres(): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `plumbline_test_${randomBytes(6).toString('hex')}`
  await administer(`create database ${name}`)
  const url = new URL(TEST_POSTGRES_URL)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => administer(`drop database if exists ${name} with (force)`) }
}

/** A fresh, migrated database of the driver under test (`TEST_DRIVER`: pglite or pg); gone when it is closed. */
export async function openTestDatabase(): Promise<Database> {
  if (process.env.TEST_DRIVER === 'pg') {
    const { url, drop } = await createTestPostgres()
    const db = await openDatabase({ databaseUrl: url, poolSize: 10, dataDir: '' })
    return { ...db, close: () => db.close().then(drop) }
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'plumbline-test-'))
  const template = process.env.TEST_PGLITE_TEMPLATE
  if (template) cpSync(template, dataDir, { recursive: true })
  const db = await openDatabase({ databaseUrl: undefined, poolSize: 1, dataDir })
  return { ...db, close: () => db.close().then(() => rmSync(dataDir, { recursive: true })) }
}
