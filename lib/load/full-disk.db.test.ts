import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { openTestDatabase } from '@/lib/testing/database'
import { collectLog } from '@/lib/testing/log'
import { canMount, SmallDisk } from '@/lib/testing/small-disk'
import { call, makeTenant } from '@/lib/testing/tenant'

/** Does not compress, so that each piece needs disk space. */
const CSV = `Customer ID,Name\n${Array.from({ length: 4_000 }, (_, i) => `C${i},${randomBytes(60).toString('hex')}\n`).join('')}`
const SIZE = Buffer.byteLength(CSV)

async function makeSender(db: Database) {
  shareDatabase(db)
  const tenant = await makeTenant(db)
  const { text: key } = await tenant.key(['write:data'])
  const put = (body: string, range: string) =>
    call('/api/v1/loads/customers.csv?upload=a', {
      key,
      method: 'PUT',
      body,
      headers: { 'content-range': `bytes ${range}/${SIZE}` },
    })
  return {
    part: (from: number, to: number) => put(CSV.slice(from, to), `${from}-${to - 1}`),
    received: async () => (await put('', '*')).body.received,
  }
}

/** Opens a database that stores uploads on the disk: all of the embedded one is there, of a Postgres only their table. */
async function openOn(disk: SmallDisk): Promise<{ db: Database; end: () => Promise<void> } | undefined> {
  const db = await openTestDatabase({ PLUMBLINE_DATA_DIR: join(disk.directory, 'data') })
  if (db.driver === 'pglite') return { db, end: db.close }
  const [found] = await rows<{ at: string }>(db.orm, sql`select current_setting('data_directory') as at`)
  const place = found?.at ?? ''
  if (!existsSync(place)) {
    await db.close()
    return undefined
  }
  chownSync(disk.directory, statSync(place).uid, statSync(place).gid)
  const name = sql.identifier(`plumbline_test_${randomBytes(6).toString('hex')}`)
  await db.orm.execute(sql`create tablespace ${name} location ${sql.raw(`'${disk.directory}'`)}`)
  await db.orm.execute(sql`alter table load_parts set tablespace ${name}`)
  const end = async () => {
    await db.orm.execute(sql`drop table load_parts`)
    await db.orm.execute(sql`drop tablespace ${name}`)
    await db.close()
  }
  return { db, end }
}

const WORDS = {
  code: 'busy',
  error: expect.stringMatching(/disk .* is full\. Tell its operator, and send the file again later/),
}

test.skipIf(!canMount())(
  'a part for which the disk has no room is 503, and the upload goes on once there is',
  async (context) => {
    const disk = new SmallDisk(256)
    const opened = await openOn(disk)
    if (!opened) {
      disk.remove()
      return context.skip('the Postgres is on another machine')
    }
    const log = collectLog()
    try {
      const { part, received } = await makeSender(opened.db)
      expect((await part(0, 100_000)).body.received).toBe(100_000)
      disk.fill()
      const refused = await part(100_000, SIZE)
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '600'])
      expect(refused.body).toMatchObject(WORDS)
      expect(log.lines()).toMatchObject([{ level: 'error', operation: 'load_file' }])
      disk.makeRoom()
      const from = await received()
      expect(from).toBeGreaterThanOrEqual(100_000)
      expect((await part(from, SIZE)).body).toMatchObject({ state: 'done', size: SIZE })
    } finally {
      log.end()
      await opened.end()
      disk.remove()
    }
  },
)

test('a load that meets a full disk is 503, and the last part sent again loads the file', async () => {
  const db = await openTestDatabase()
  const log = collectLog()
  try {
    const { part, received } = await makeSender(db)
    await db.orm.execute(
      sql.raw(`create function full_disk() returns trigger language plpgsql as $$ begin
        raise exception 'could not extend file' using errcode = 'disk_full'; end $$`),
    )
    await db.orm.execute(sql`create trigger full_disk before insert on users for each row execute function full_disk()`)
    const refused = await part(0, SIZE)
    expect([refused.status, refused.body]).toMatchObject([503, WORDS])
    expect(log.text()).toContain('53100')
    await db.orm.execute(sql`drop trigger full_disk on users`)
    expect(await received()).toBe(SIZE)
    expect((await part(SIZE - 1, SIZE)).body.state).toBe('done')
  } finally {
    log.end()
    await db.close()
  }
})
