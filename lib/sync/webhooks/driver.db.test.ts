import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Database, rows, type Statement, shareDatabase, type Value } from '@/db/client'
import { RESOURCE_NAMES, scopeOf } from '@/lib/core/resource-names'
import { openTestDatabase } from '@/lib/testing/database'
import { call, makeTenant, sampleBooks } from '@/lib/testing/tenant'
import { afterWrite, webhookDriver } from './after-write'
import { runDue, runWebhooks, sendSoon } from './run'

let db: Database
beforeEach(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterEach(async () => {
  const driver = webhookDriver()
  delete driver.kick
  await driver.running
  await new Promise(setImmediate)
  await db.close()
})

/** Makes a webhook whose address refuses at once, and writes something just after the feed was read without it. */
async function writeBehindTheLastLook() {
  const tenant = await makeTenant(db)
  await tenant.load(sampleBooks(1))
  const { text: key } = await tenant.key([...RESOURCE_NAMES.map(scopeOf), 'write:webhooks'])
  const made = await call('/api/v1/webhooks/create', {
    key,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: 'https://hook.example.com/', events: ['project.updated'], description: '' }),
  })
  expect(made.status, made.text).toBe(200)
  await db.orm.execute(sql`update webhook_endpoints set url = 'https://127.0.0.1:9/'`)
  await runWebhooks()
  const read = db.run
  const looks: number[] = []
  db.run = async <Row extends object>(statement: Statement, values: Value[]) => {
    const found = await read<Row>(statement, values)
    if (statement.name === 'plumbline_feed_news' && looks.push(found.length) === 1) {
      await db.orm.execute(sql`update projects set name = name || '.' where contractor_id = ${tenant.contractor.id}`)
      afterWrite()
    }
    return found
  }
  return looks
}

const attempted = () => rows(db.orm, sql`select type, attempts > 0 as is_sent from webhook_deliveries`)
const UPDATED = [{ type: 'project.updated', is_sent: true }]

test('where no timer runs, what is written while a run ends is sent by the same work and not with the next write', async () => {
  const looks = await writeBehindTheLastLook()
  const held: Promise<void>[] = []
  webhookDriver().kick = () => {
    webhookDriver().isAsked = true
    held.push(runDue())
  }
  afterWrite()
  await held[0]
  expect(looks[0]).toBe(0)
  expect(await attempted()).toEqual(UPDATED)
})

test('where a timer runs, what is written while a run ends is sent before it ends and not with the next turn', async () => {
  const looks = await writeBehindTheLastLook()
  sendSoon()
  afterWrite()
  await vi.waitFor(() => expect(looks[0]).toBe(0), { timeout: 10_000 })
  await webhookDriver().running
  expect(await attempted()).toEqual(UPDATED)
})

test('where no timer runs, what a receiver refused is sent again within the time of the function, and a write meanwhile at once', async () => {
  await writeBehindTheLastLook()
  const held: Promise<void>[] = []
  webhookDriver().kick = () => {
    webhookDriver().isAsked = true
    held.push(runDue({ retryMs: 20_000 }))
  }
  afterWrite()
  const attempts = async () =>
    (await rows<{ n: number }>(db.orm, sql`select attempts as n from webhook_deliveries order by seq`)).map(
      ({ n }) => n,
    )
  await vi.waitFor(async () => expect(await attempts()).toEqual([1]), { timeout: 10_000 })
  await db.orm.execute(sql`insert into projects (id, contractor_id, customer_id, name, status)
    select id || '_2', contractor_id, customer_id, 'Another', status from projects limit 1`)
  await db.orm.execute(sql`update projects set name = 'Changed' where name = 'Another'`)
  afterWrite()
  // The event of another record does not wait for the repetition, five seconds after the first attempt.
  await vi.waitFor(async () => expect(await attempts()).toEqual([1, 1]), { timeout: 4_000 })
  await vi.waitFor(async () => expect(await attempts()).toEqual([2, 2]), { timeout: 15_000 })
  await held[0]
  // The next repetition is half a minute later, which is left to cron.
  expect(webhookDriver().running).toBeUndefined()
  expect(await attempts()).toEqual([2, 2])
})
