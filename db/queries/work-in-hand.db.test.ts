import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase } from '@/lib/testing/database'
import { forgetRuntime } from '@/lib/testing/runtime'
import { type Database, rows, shareDatabase } from '../client'
import { inHand, putAllDown, type Work } from './work-in-hand'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

const SOURCE = (subject: string): Work => ({ kind: 'source', subject })

/** Does work, and says what became of it. */
const take = (work: Work, does: () => Promise<unknown> = async () => {}, orm = db.orm) =>
  inHand<unknown>(orm, work, {
    begun: async () => {
      await does()
      return 'done'
    },
    left: async (times) => times,
    later: () => 'later',
  })

/** Returns whether the database says that somebody is at work. */
const isOpen = async ({ kind, subject }: Work) => {
  const [found] = await rows<{ open: boolean }>(
    db.orm,
    sql`select is_open as open from work_in_hand where kind = ${kind} and subject = ${subject}`,
  )
  return found?.open
}

/** Begins work that never ends. */
const begin = (work: Work) =>
  new Promise<void>((begun) => {
    void take(work, async () => {
      begun()
      await new Promise(() => {})
    })
  })

/** Takes work that has to wait; resolves when it does. */
const takeInVain = (work: Work) =>
  new Promise<void>((waits) => {
    const transaction: typeof db.orm.transaction = (...all) => db.orm.transaction(...all).finally(waits)
    take(work, undefined, Object.create(db.orm, { transaction: { value: transaction } })).catch(() => {})
  })

/** Begins work in a process that ends in the middle of it: what a process keeps is gone, and the database has what it wrote. */
async function killed(...all: Work[]): Promise<void> {
  await Promise.all(all.map(begin))
  forgetRuntime()
}

test('work that ended its process is found each time, also between tries that did not begin; then the count begins again', async () => {
  const work = SOURCE('pill')
  for (const times of [1, 2, 3]) {
    await killed(work)
    expect(await take(work)).toBe(times)
  }
  await killed(work)
  expect(await take(work)).toBe(1)
})

test('what runs alone is followed by what waits for it', async () => {
  const all = [SOURCE('one'), SOURCE('two'), SOURCE('three')]
  await killed(...all)
  for (const work of all) expect(await take(work)).toBe(1)
  let atOnce = 0
  const alone = async () => {
    atOnce++
    await new Promise((done) => setImmediate(done))
    expect(atOnce--).toBe(1)
  }
  expect(await Promise.all(all.map((work) => take(work, alone)))).toEqual(['done', 'done', 'done'])
})

test('an end, good or bad, begins the count again', async () => {
  const work = SOURCE('well')
  await killed(work)
  expect([await take(work), await take(work)]).toEqual([1, 'done'])
  await killed(work)
  expect(await take(work)).toBe(1)
  const fails = take(work, () => Promise.reject(new Error('refused')))
  await expect(fails).rejects.toThrow('refused')
  await killed(work)
  expect(await take(work)).toBe(1)
})

test('what was beside it when its process ended is not blamed: what was found open runs alone', async () => {
  const [pill, beside, other] = [SOURCE('guilty'), SOURCE('beside'), SOURCE('other')]
  await killed(pill, beside, other)
  expect([await take(pill), await take(beside), await take(other)]).toEqual([1, 1, 1])
  for (const times of [2, 3]) {
    await begin(pill)
    // What was beside it waits until that ends, which it does not here; nothing says meanwhile that it has begun.
    await takeInVain(beside)
    expect(await take(SOURCE('new'))).toBe('done')
    expect(await isOpen(beside)).not.toBe(true)
    forgetRuntime()
    expect(await take(pill)).toBe(times)
  }
  expect([await take(beside), await take(other)]).toEqual(['done', 'done'])
})

test('work with a time of its own is left to the process that is at it until that is over', async () => {
  const long = { kind: 'events', subject: 'long', leaseMs: 60_000 } as const
  await killed(long)
  expect(await take(long)).toBe('later')
  await killed({ ...long, subject: 'short', leaseMs: 0 })
  expect(await take({ ...long, subject: 'short' })).toBe(1)
})

test('work that stays aside is not begun again for a day', async () => {
  const work: Work = { kind: 'take_back', subject: 'aside', staysAside: true }
  for (const times of [1, 2, 3]) {
    await killed(work)
    expect(await take(work)).toBe(times)
  }
  expect([await take(work), await take(work)]).toEqual([3, 3])
  await db.orm.execute(sql`update work_in_hand set begun_at = now() - interval '25 hours' where subject = 'aside'`)
  expect(await take(work)).toBe('done')
})

test('a process that stops because it was asked to, or a database that takes no end, is no end of the process', async () => {
  const [asked, unheard] = [SOURCE('asked'), SOURCE('unheard')]
  shareDatabase(db)
  await begin(asked)
  await putAllDown()
  forgetRuntime()
  expect(await take(asked)).toBe('done')

  const { execute } = db.orm
  await take(unheard, async () => {
    db.orm.execute = () => {
      db.orm.execute = execute
      throw new Error('the database is down')
    }
  })
  expect(await take(unheard)).toBe('done')
})
