import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows } from '../client'
import { openTestDatabase } from '../testing'
import { isMigrated } from './migrated'

const MIGRATIONS = 'db/migrations'
let db: Database
const ask = async (text: string) => ({ rows: await rows(db.orm, sql.raw(text)) })
const newer = mkdtempSync(join(tmpdir(), 'plumbline-migrations-'))

beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(async () => {
  await db.close()
  rmSync(newer, { recursive: true })
})

test('a database that ran every migration is not migrated again; one that lacks the newest is', async () => {
  expect(await isMigrated(ask, MIGRATIONS)).toBe(true)

  cpSync(join(MIGRATIONS, 'meta'), join(newer, 'meta'), { recursive: true })
  const path = join(newer, 'meta', '_journal.json')
  const journal = JSON.parse(readFileSync(path, 'utf8'))
  journal.entries.push({ ...journal.entries.at(-1), idx: journal.entries.length, when: Date.now() + 1_000_000_000_000 })
  writeFileSync(path, JSON.stringify(journal))
  expect(await isMigrated(ask, newer)).toBe(false)
})

test('a database without the migrator’s table counts as not migrated; other errors are thrown', async () => {
  const missing = Object.assign(new Error('relation does not exist'), { code: '42P01' })
  expect(await isMigrated(() => Promise.reject(missing), MIGRATIONS)).toBe(false)
  const broken = Object.assign(new Error('connection lost'), { code: '08006' })
  await expect(isMigrated(() => Promise.reject(broken), MIGRATIONS)).rejects.toBe(broken)
})
