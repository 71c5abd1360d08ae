import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Database, rows, type Statement, shareDatabase, type Value } from '@/db/client'
import { openTestDatabase } from '@/db/testing'
import { RESOURCE_NAMES, scopeOf } from '@/lib/core/resource-names'
import { call, makeTenant, sampleBooks } from '@/lib/testing/tenant'
import { afterWrite, webhookDriver } from './after-write'
import { runAsked, runWebhooks, scheduleWebhooks } from './run'

let db: Database
beforeEach(async () => {
  process.env.EXTERNAL_API_TOKEN_SECRET = 'a-secret-for-tests-of-32-characters'
  db = await openTestDatabase()
  shareDatabase(db)
})
afterEach(async () => {
  const driver = webhookDriver()
  await driver.running
  await new Promise(setImmediate)
  clearTimeout(driver.timer)
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
    held.push(runAsked())
  }
  afterWrite()
  await held[0]
  expect(looks[0]).toBe(0)
  expect(await attempted()).toEqual(UPDATED)
})

test('where a timer runs, what is written while a run ends is sent before it ends and not with the next turn', async () => {
  const looks = await writeBehindTheLastLook()
  scheduleWebhooks()
  afterWrite()
  await vi.waitFor(() => expect(looks[0]).toBe(0), { timeout: 10_000 })
  await webhookDriver().running
  expect(await attempted()).toEqual(UPDATED)
})
