import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, shareDatabase } from '@/db/client'
import { RESOURCE_NAMES, scopeOf } from '@/lib/core/resource-names'
import { openTestDatabase } from '@/lib/testing/database'
import { call, makeTenant, sampleBooks } from '@/lib/testing/tenant'
import { runWebhooks } from './run'
import { AT_ONCE, OF_EACH, type Post } from './send'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase({ DATABASE_POOL_SIZE: '4' })
  shareDatabase(db)
})
afterAll(() => db.close())

/** Makes a webhook with so many events that wait for it, each of another record. */
async function webhookWith(events: number): Promise<void> {
  const tenant = await makeTenant(db)
  await tenant.load(sampleBooks(events))
  const { text: key } = await tenant.key([...RESOURCE_NAMES.map(scopeOf), 'write:webhooks'])
  const body = { url: 'https://hook.example.com/', events: ['project.updated'], description: '' }
  const made = await call('/api/v1/webhooks/create', {
    key,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(made.status, made.text).toBe(200)
  await db.orm.execute(sql`update projects set name = name || '.' where contractor_id = ${tenant.contractor.id}`)
}

test('a process sends no more at once than it may, over all webhooks, and the rest as soon as there is room', async () => {
  const webhooks = AT_ONCE.ofProcess / OF_EACH + 2
  for (let i = 0; i < webhooks; i++) await webhookWith(OF_EACH + 2)
  const sent = new Set<string>()
  let [underWay, most] = [0, 0]
  let open = () => {}
  const opened = new Promise<void>((done) => {
    open = done
  })
  const post: Post = async (_to, { headers }) => {
    underWay++
    most = Math.max(most, underWay)
    // None ends before as many as may be are under way, and others had the time to begin.
    if (underWay === AT_ONCE.ofProcess) setTimeout(open, 1_500)
    await opened
    underWay--
    sent.add(`${headers['webhook-id']}`)
    return { status: 200, text: '' }
  }
  const all = webhooks * (OF_EACH + 2)
  // The feed tells of a change once every transaction that began before it has ended, also those of other tests on the same Postgres.
  for (let count = 0; count < all; ) {
    const report = await runWebhooks({ post })
    expect(report.failed).toBe(0)
    count += report.sent
  }
  expect(most).toBe(AT_ONCE.ofProcess)
  expect(sent.size).toBe(all)
}, 120_000)
