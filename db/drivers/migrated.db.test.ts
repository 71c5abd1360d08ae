import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Closed, makeEmpty } from '@/lib/testing/release'
import { revisionFile } from './functions'
import { isMigrated, migrate } from './migrated'

const OURS = 'db'
let database: Closed
let newer: string

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
const writeJson = (path: string, value: unknown) => writeFileSync(path, JSON.stringify(value))

/** Adds a migration that only has a later moment than ours. */
function addMigration(text: string): void {
  const path = join(newer, 'migrations', 'meta', '_journal.json')
  const journal = readJson(path)
  journal.entries.push({ ...journal.entries.at(-1), tag: '9999_later', when: Date.now() + 1_000_000_000_000 })
  writeJson(path, journal)
  writeFileSync(join(newer, 'migrations', '9999_later.sql'), text)
}

const setRevision = (revision: number) => writeJson(revisionFile(newer), { revision, hash: 'other' })
const NEWER = readJson(revisionFile(OURS)).revision + 1
const wrap64 = join('functions', 'feed', 'wrap64.sql')

const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error) => String(error),
  )

beforeAll(async () => {
  database = await makeEmpty()
  await database.within((ask) => migrate(ask, OURS))
})
afterAll(() => database.drop())
beforeEach(() => {
  newer = mkdtempSync(join(tmpdir(), 'plumbline-migrations-'))
  for (const folder of ['migrations', 'functions']) cpSync(join(OURS, folder), join(newer, folder), { recursive: true })
  return () => rmSync(newer, { recursive: true })
})

test('a migration or function that fails is named, and leaves nothing of what came with it', () =>
  database.within(async (ask) => {
    addMigration('create table later (n int); select 1 / 0;')
    expect(await errorOf(migrate(ask, newer))).toMatch(/db\/migrations\/9999_later\.sql: .*division by zero/)
    setRevision(NEWER)
    writeFileSync(join(newer, wrap64), 'create or replace function wrap64(')
    expect(await errorOf(migrate(ask, newer))).toMatch(/db\/functions\/feed\/wrap64\.sql: .*syntax error/)
    expect((await ask("select to_regclass('later')::text as later")).rows).toEqual([{ later: null }])
    expect(await isMigrated(ask, OURS)).toBe(true)
  }))

test('functions are replaced once when their revision rises, and by an older version never', () =>
  database.within(async (ask) => {
    const { revision } = readJson(revisionFile(OURS))
    const answer = async () => (await ask('select wrap64(1)::int as n')).rows
    const another = `-- Another.\ncreate or replace function wrap64(n numeric) returns bigint language sql immutable as 'select 7'\n`
    writeFileSync(join(newer, wrap64), another)
    expect(await isMigrated(ask, newer)).toBe(true)
    setRevision(revision + 1)
    expect(await isMigrated(ask, newer)).toBe(false)
    for (const folder of [newer, newer, OURS]) {
      await migrate(ask, folder)
      expect(await answer()).toEqual([{ n: 7 }])
      expect(await isMigrated(ask, folder)).toBe(true)
    }
    const applied = 'select revision from drizzle.applied_functions order by revision'
    expect((await ask(applied)).rows).toEqual([{ revision }, { revision: revision + 1 }])
  }))

test('a database that lacks the newest migration runs it once', () =>
  database.within(async (ask) => {
    addMigration('create table later (n int);\n--> statement-breakpoint\ninsert into later values (1)')
    expect(await isMigrated(ask, newer)).toBe(false)
    for (const folder of [newer, newer, OURS]) {
      await migrate(ask, folder)
      expect(await isMigrated(ask, folder)).toBe(true)
    }
    expect((await ask('select n from later')).rows).toEqual([{ n: 1 }])
  }))

test('a database without the tables of what was run counts as not migrated; other errors are thrown', async () => {
  const missing = Object.assign(new Error('relation does not exist'), { code: '42P01' })
  expect(await isMigrated(() => Promise.reject(missing), OURS)).toBe(false)
  const broken = Object.assign(new Error('connection lost'), { code: '08006' })
  await expect(isMigrated(() => Promise.reject(broken), OURS)).rejects.toBe(broken)
})
