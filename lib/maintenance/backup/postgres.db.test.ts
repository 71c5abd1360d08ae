import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { type Orm, openDatabase, rows } from '@/db/client'
import { atOneMoment } from '@/db/queries/backup/read'
import { loadEnv } from '@/lib/core/env'
import { EVERY_TYPE, fillEveryTable } from '@/lib/testing/backup-rows'
import { createTestPostgres, openTestDatabase } from '@/lib/testing/database'
import { backUp } from './backup'
import { restore } from './restore'

async function administer(connectionString: string, ...statements: string[]): Promise<void> {
  const client = new Client({ connectionString })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

const overPostgres = test.skipIf(process.env.TEST_DRIVER !== 'pg')

overPostgres('a backup sees one moment, whatever is written while it reads', async () => {
  const db = await openTestDatabase()
  const count = async (orm: Orm) =>
    (await rows<{ n: number }>(orm, sql`select count(*)::int as n from contractors`))[0]?.n
  try {
    const seen = await atOneMoment(db, async (tx) => {
      const before = await count(tx)
      await db.orm.execute(sql`insert into contractors (id, slug, name) values ('con_late', 'late', 'Late')`)
      return [before, await count(tx)]
    })
    expect(seen).toEqual([0, 0])
    expect(await count(db.orm)).toBe(1)
  } finally {
    await db.close()
  }
})

overPostgres('a restore beside a server that uses the tables gives up and says so', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-busy-'))
  const { url, drop } = await createTestPostgres()
  const target = await openDatabase(loadEnv({ DATABASE_URL: url }))
  const busy = new Client({ connectionString: url })
  try {
    await backUp(target, join(folder, 'one.backup'))
    await busy.connect()
    await busy.query('begin')
    await busy.query('lock table contractors in row exclusive mode')
    await expect(restore(target, join(folder, 'one.backup'))).rejects.toThrow('Stop the servers')
  } finally {
    await busy.end()
    await target.close()
    await drop()
    rmSync(folder, { recursive: true })
  }
})

// Hosted platforms give the owner of a database but no superuser, so triggers cannot be turned off for a whole session.
overPostgres('a role that only owns its database restores into it', async () => {
  const role = `plumbline_test_${randomBytes(6).toString('hex')}`
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-owner-'))
  const source = await openTestDatabase()
  const { url, drop } = await createTestPostgres()
  const name = new URL(url).pathname.slice(1)
  await administer(
    url,
    `create role ${role} login password '${role}'`,
    `alter database ${name} owner to ${role}`,
    `alter schema public owner to ${role}`,
  )
  try {
    await fillEveryTable(source)
    const saved = await backUp(source, join(folder, 'one.backup'))
    const address = Object.assign(new URL(url), { username: role, password: role })
    const target = await openDatabase(loadEnv({ DATABASE_URL: address.href }))
    await target.orm.execute(EVERY_TYPE)
    expect((await restore(target, join(folder, 'one.backup'))).tables).toEqual(saved.tables)
    await target.close()
  } finally {
    await source.close()
    await drop()
    await administer(new URL('/postgres', url).href, `drop role ${role}`)
    rmSync(folder, { recursive: true })
  }
})
