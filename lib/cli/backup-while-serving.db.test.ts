import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { closeDatabase, type Database, lockHolder, openDatabase, rows, shareDatabase } from '@/db/client'
import { loadEnv } from '@/lib/core/env'
import { type Control, forwardCommand, serveControl } from './control'
import type { Io } from './io'

// A running server holds the embedded database; with any other, a command connects by itself.
describe.skipIf(process.env.TEST_DRIVER !== 'pglite')('while the server holds the embedded database', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'plumbline-serving-'))
  let db: Database
  let control: Control

  beforeAll(async () => {
    db = await openDatabase(loadEnv({ PLUMBLINE_DATA_DIR: dataDir }))
    shareDatabase(db)
    await serveControl(db)
    const published = lockHolder(dataDir)?.control
    if (!published) throw new Error('the control address was not published')
    control = published
    await db.orm.execute(sql`insert into contractors (id, slug, name) values ('con_1', 'one', 'One')`)
  })
  afterAll(async () => {
    await closeDatabase()
    rmSync(dataDir, { recursive: true })
  })

  async function run(argv: string[], answers?: string[]) {
    const told = { out: '', err: '', asked: [] as string[] }
    const io: Io = {
      out: (text) => {
        told.out += text
      },
      err: (text) => {
        told.err += text
      },
      cwd: dataDir,
      ...(answers && {
        ask: async (question) => {
          told.asked.push(question)
          return answers.shift() ?? ''
        },
      }),
    }
    return { code: await forwardCommand(control, argv, io), ...told }
  }

  const slugs = async () =>
    (await rows<{ slug: string }>(db.orm, sql`select slug from contractors`)).map(({ slug }) => slug)

  test('the server writes the backup to the command’s directory, and keeps serving', async () => {
    const [saved, served] = await Promise.all([run(['backup', 'one.backup']), slugs()])
    expect(saved.code).toBe(0)
    expect(saved.out).toMatch(/contractors +1 +[0-9a-f]{64}\n/)
    expect(saved.err).toContain('BETTER_AUTH_SECRET')
    expect(statSync(join(dataDir, 'one.backup')).mode & 0o777).toBe(0o600)
    expect(served).toEqual(['one'])
  })

  test('a restore over existing data requires typing yes', async () => {
    await db.orm.execute(sql`update contractors set slug = 'two'`)
    const plain = await run(['restore', 'one.backup'])
    expect([plain.code, plain.err]).toEqual([1, expect.stringContaining('--replace')])
    const nobody = await run(['restore', 'one.backup', '--replace'])
    expect([nobody.code, nobody.err]).toEqual([1, expect.stringContaining('contractors  1')])
    const no = await run(['restore', 'one.backup', '--replace'], ['no'])
    expect([no.code, no.asked.length]).toEqual([1, 1])
    expect(await slugs()).toEqual(['two'])
    const yes = await run(['restore', 'one.backup', '--replace'], ['yes'])
    expect([yes.code, yes.asked.length]).toEqual([0, 1])
    expect(await slugs()).toEqual(['one'])
  })

  test('--yes skips the question', async () => {
    await db.orm.execute(sql`update contractors set slug = 'two'`)
    const { code, asked } = await run(['restore', 'one.backup', '--replace', '--yes'], [])
    expect([code, asked]).toEqual([0, []])
    expect(await slugs()).toEqual(['one'])
  })
})
