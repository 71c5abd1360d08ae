import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase, rows } from '@/db/client'
import { listTables } from '@/db/queries/backup/catalog'
import { countRows, LEFT_OUT } from '@/db/queries/backup/read'
import { loadEnv } from '@/lib/core/env'
import { EVERY_TYPE, fillEveryTable } from '@/lib/testing/backup-rows'
import { createTestPostgres, openTestDatabase } from '@/lib/testing/database'
import { makeEmpty, makeRelease, RELEASE_BACKUP, releaseFolder } from '@/lib/testing/release'
import { backUp } from './backup'
import { restore } from './restore'

/** True when there is no other driver, or the other client of a Postgres shows it. */
const withoutOther = process.env.PLUMBLINE_WITHOUT_POSTGRES === '1' || process.env.TEST_DRIVER === 'vercel'
const folder = mkdtempSync(join(tmpdir(), 'plumbline-backup-test-'))
let files = 0
const newFile = () => join(folder, `${++files}.backup`)
let source: Database
let file: string
let saved: Awaited<ReturnType<typeof backUp>>
const opened: Database[] = []

/** Keeps a database, closed at the end; includes the table with every type. */
const kept = async (db: Database) => {
  opened.push(db)
  await db.orm.execute(EVERY_TYPE)
  return db
}

const isSaved = ({ name }: { name: string }) => !LEFT_OUT.includes(name)

/**
 * Returns every row of every saved table in the database's own words, including computed columns, so that the tested reader does not check
 * itself.
 */
async function everything(db: Database): Promise<Record<string, unknown>> {
  const all: Record<string, unknown> = {}
  for (const { name } of (await listTables(db.orm)).filter(isSaved))
    all[name] = await rows(
      db.orm,
      sql.raw(`select to_jsonb(t)::text as row from "${name}" t order by to_jsonb(t)::text collate "C"`),
    )
  return all
}

/** A new database of the other driver. */
async function openOther(): Promise<Database> {
  if (process.env.TEST_DRIVER !== 'pglite') {
    const dataDir = mkdtempSync(join(tmpdir(), 'plumbline-other-'))
    const db = await openDatabase(loadEnv({ PLUMBLINE_DATA_DIR: dataDir }))
    return { ...db, close: () => db.close().then(() => rmSync(dataDir, { recursive: true })) }
  }
  const { url, drop } = await createTestPostgres()
  const db = await openDatabase(loadEnv({ DATABASE_URL: url }))
  return { ...db, close: () => db.close().then(drop) }
}

const total = async (db: Database) =>
  (await countRows(db.orm, (await listTables(db.orm)).filter(isSaved))).reduce((sum, { rows: n }) => sum + n, 0)

beforeAll(async () => {
  source = await kept(await openTestDatabase())
  await fillEveryTable(source)
  file = newFile()
  saved = await backUp(source, file)
})
afterAll(async () => {
  for (const db of opened) await db.close()
  rmSync(folder, { recursive: true })
})

test('a backup has rows of every table except unfinished uploads, and only its owner can read it', async () => {
  expect(saved.tables.filter(({ rows: n }) => n === 0).map(({ end }) => end)).toEqual(LEFT_OUT)
  expect(await rows(source.orm, sql`select 1 from load_parts`)).not.toEqual([])
  expect(saved.trailer.rows).toBe(await total(source))
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('an existing file is not overwritten', async () => {
  const before = readFileSync(file)
  await expect(backUp(source, file)).rejects.toThrow('already exists')
  expect(readFileSync(file)).toEqual(before)
})

describe.each([
  ['the same driver', openTestDatabase, false],
  ['the other driver', openOther, true],
] as const)('restored over %s', (_, open, isOther) => {
  test.skipIf(isOther && withoutOther)(
    'every value is restored, and a backup of the result has the same checksums',
    async () => {
      const target = await kept(await open())
      const restored = await restore(target, file)
      expect(restored.tables).toEqual(saved.tables)
      expect(await everything(target)).toEqual(await everything(source))
      const again = await backUp(target, newFile())
      expect(again.tables).toEqual(saved.tables)
      expect(again.header.level).toEqual(saved.header.level)
    },
  )

  test.skipIf(isOther && withoutOther)('identity columns continue, and triggers work as before', async () => {
    const target = opened.at(-1)
    if (!target) throw new Error('nothing was restored')
    const before = await rows<{ n: string }>(target.orm, sql`select max(number)::text as n from documents`)
    await target.orm.execute(sql`insert into documents (id, shelf_id, reference, title, untrusted, digest)
      select 'doc_new', id, 'new', 'New', false, 'x' from search_shelves order by id limit 1`)
    const [after] = await rows<{ n: string }>(
      target.orm,
      sql`select number::text as n from documents where id = 'doc_new'`,
    )
    expect(Number(after?.n)).toBeGreaterThan(Number(before[0]?.n))
    const [moved] = await rows<{ moved: boolean }>(
      target.orm,
      sql`with old as (select id, updated_at from contractors order by id limit 1)
        update contractors c set name = c.name || '!' from old where c.id = old.id returning c.updated_at > old.updated_at as moved`,
    )
    expect(moved?.moved).toBe(true)
  })
})

test('a database with data is left unchanged unless its loss is confirmed', async () => {
  const target = await kept(await openTestDatabase())
  await target.orm.execute(sql`insert into contractors (id, slug, name) values ('con_there', 'there', 'There')`)
  await expect(restore(target, file)).rejects.toThrow('not empty (contractors 1)')
  const refused: unknown[] = []
  const mayNot = async (loss: unknown) => {
    refused.push(loss)
    return false
  }
  await expect(restore(target, file, { mayReplace: mayNot })).rejects.toThrow('Nothing was changed')
  expect(refused).toEqual([[{ name: 'contractors', rows: 1 }]])
  expect(await total(target)).toBe(1)
  await restore(target, file, { mayReplace: async () => true })
  expect(await rows(target.orm, sql`select 1 from contractors where id = 'con_there'`)).toEqual([])
  expect((await backUp(target, newFile())).tables).toEqual(saved.tables)
})

test('a backup of the last version with the replaced migrations restores with every row into the first migrations, and later ones run', async () => {
  const [empty, release, folder] = [await makeEmpty(), await makeRelease(), releaseFolder()]
  try {
    const target = await openDatabase(empty.settings, folder)
    try {
      const { header, trailer } = await restore(target, RELEASE_BACKUP)
      expect(header.level.migrations).toBeGreaterThan(50)
      expect(await total(target)).toBe(trailer.rows)
    } finally {
      await target.close()
    }
    const [restored, upgraded] = await Promise.all(
      [empty, release].map(async ({ settings }) => {
        const db = await openDatabase(settings)
        return everything(db).finally(() => db.close())
      }),
    )
    expect(restored).toEqual(upgraded)
  } finally {
    await empty.drop()
    await release.drop()
    rmSync(folder, { recursive: true })
  }
})

describe('a broken file is refused and nothing is changed', () => {
  let target: Database
  beforeAll(async () => {
    target = await kept(await openTestDatabase())
  })

  const text = () => gunzipSync(readFileSync(file)).toString('utf8')
  const written = (content: Buffer | string) => {
    const path = newFile()
    writeFileSync(path, content)
    return path
  }
  const cut = (bytes: number) => {
    const path = written(readFileSync(file))
    truncateSync(path, bytes)
    return path
  }
  const flipped = () => {
    const bytes = readFileSync(file)
    const at = Math.floor(bytes.length / 2)
    bytes[at] = (bytes[at] ?? 0) ^ 1
    return written(bytes)
  }
  const lines = () => text().trimEnd().split('\n')
  const packed = (all: string[]) => written(gzipSync(`${all.join('\n')}\n`))

  test.each<[string, () => string, RegExp]>([
    ['truncated in the middle', () => cut(Math.floor(statSync(file).size / 2)), /truncated|damaged/],
    ['truncated at its last byte', () => cut(statSync(file).size - 1), /truncated/],
    ['empty', () => written(''), /truncated/],
    ['with one bit turned', flipped, /damaged|truncated|do not match their checksum/],
    ['whole as an archive, without its trailer', () => packed(lines().slice(0, -1)), /truncated/],
    ['with a row missing', () => packed(lines().filter((_, i) => i !== 2)), /do not match their checksum/],
    ['with a value changed', () => written(gzipSync(text().replace('Zoë', 'Zoe'))), /do not match their checksum/],
    ['no backup', () => written('hello'), /not a backup/],
    ['an archive of something else', () => written(gzipSync('{"a":1}\n')), /not a backup of Plumbline/],
    [
      'of a later format',
      () => packed(lines().map((line, i) => (i ? line : line.replace('"format":1', '"format":2')))),
      /later version/,
    ],
    ['not there', newFile, /no file/],
  ])('%s', async (_, make, reason) => {
    await expect(restore(target, make())).rejects.toThrow(reason)
    expect(await total(target)).toBe(0)
  })

  test('a backup of another schema version is refused with what to do', async () => {
    await target.orm.execute(
      sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 9999999999999)`,
    )
    await expect(restore(target, file)).rejects.toThrow(
      /The backup is older. Restore it with the version that wrote it, \d\S+ \(commit unknown\), .* this version, \d\S+ \(commit unknown\)/,
    )
    await target.orm.execute(sql`delete from drizzle.__drizzle_migrations where hash = 'later'`)
    expect(await total(target)).toBe(0)
  })

  test('an error during a restore leaves the database unchanged, with its triggers enabled', async () => {
    await target.orm.execute(sql`insert into contractors (id, slug, name) values ('con_there', 'there', 'There')`)
    await target.orm.execute(sql`alter table audit_events add constraint never check (event = 'never')`)
    await expect(restore(target, file, { mayReplace: async () => true })).rejects.toThrow(
      /could not be restored: .*"never".* Nothing was changed/,
    )
    expect(await total(target)).toBe(1)
    const off = await rows(target.orm, sql`select tgname from pg_trigger where not tgisinternal and tgenabled <> 'O'`)
    expect(off).toEqual([])
  })
})
