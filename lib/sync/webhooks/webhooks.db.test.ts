import { createServer, request, type Server } from 'node:https'
import { sql } from 'drizzle-orm'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { claimDeliveries } from '@/db/queries/webhooks'
import type { Scope } from '@/lib/auth/scopes'
import { listenOnFreePort } from '@/lib/core/listen'
import { publicLookup } from '@/lib/core/public-address'
import { publicPost } from '@/lib/core/public-post'
import { RESOURCE_NAMES, scopeOf } from '@/lib/core/resource-names'
import { findAlerts } from '@/lib/notify/alerts'
import { openTestDatabase } from '@/lib/testing/database'
import { TEST_CERTIFICATE } from '@/lib/testing/private-keys'
import { call, makeTenant, sampleBooks } from '@/lib/testing/tenant'
import { EVENT_TYPES } from './events'
import { fanOut } from './fan-out'
import { runWebhooks } from './run'
import { AT_ONCE, OF_EACH, type Post } from './send'

type Taken = { id: string; body: string; headers: Record<string, string>; path: string; ok: boolean }

let db: Database
let server: Server
let port = 0
let statusOf: (taken: Omit<Taken, 'ok'>) => number = () => 200
const taken: Taken[] = []
beforeAll(async () => {
  db = await openTestDatabase({ DATABASE_POOL_SIZE: '8' })
  shareDatabase(db)
  server = createServer(TEST_CERTIFICATE, (request, response) => {
    let body = ''
    request.on('data', (part) => {
      body += part
    })
    request.on('end', () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      const one = { id: headers['webhook-id'] ?? '', body, headers, path: request.url ?? '' }
      const status = statusOf(one)
      taken.push({ ...one, ok: status < 300 })
      response.writeHead(status, status === 302 ? { location: `https://127.0.0.1:${port}/inside` } : {})
      response.end(`answered ${status}`)
    })
  })
  port = await listenOnFreePort(server)
})
afterAll(async () => {
  server.close()
  await db.close()
})
beforeEach(() => {
  taken.length = 0
  statusOf = () => 200
})

const connecting = {
  ca: TEST_CERTIFICATE.cert,
  lookup: publicLookup(
    () => true,
    (_host, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
  ),
}
const post: Post = (to, message) => publicPost(to, message, connecting)
/** Runs what a process would, at a moment so many minutes from now. */
const run = (minutes = 0) => runWebhooks({ post, clock: () => new Date(Date.now() + minutes * 60_000) })

const ALL: Scope[] = [...RESOURCE_NAMES.map(scopeOf), 'write:webhooks']

async function tenantWithWebhook(count: number, events: readonly string[] = EVENT_TYPES, scopes = ALL) {
  const tenant = await makeTenant(db)
  await tenant.load(sampleBooks(count))
  const { text: key } = await tenant.key(scopes)
  const send = (path: string, body: object, by = key) =>
    call(`/api/v1/${path}`, {
      key: by,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const path = `/${tenant.contractor.slug}`
  const made = await send('webhooks/create', {
    url: `https://hook.example.com:${port}${path}`,
    events,
    description: 'Test',
  })
  expect(made.status, made.text).toBe(200)
  const mine = () => taken.filter((each) => each.path === path)
  const touch = (id: number) =>
    rows(
      db.orm,
      sql`update projects set name = name || '.' where contractor_id = ${tenant.contractor.id} and source_reference = ${`P${id}`}`,
    )
  return { ...tenant, makeKey: tenant.key, key, send, webhook: made.body, mine, touch }
}

type Fed = { position: number; resource: string; id: string }

/** Checks that the first arrival of each event is behind those of earlier events of its record; repetitions are known by their id. */
function expectInOrder(arrived: Taken[], fed: Fed[]): void {
  const ofRecord = new Map(fed.map(({ position, resource, id }) => [position, `${resource} ${id}`]))
  const last = new Map<string, number>()
  const seen = new Set<number>()
  for (const { id } of arrived) {
    const position = positionOf(id)
    const record = ofRecord.get(position) ?? ''
    if (!seen.has(position)) expect(position, record).toBeGreaterThan(last.get(record) ?? 0)
    seen.add(position)
    last.set(record, Math.max(position, last.get(record) ?? 0))
  }
}

const positionOf = (id: string) => Number(id.slice(id.lastIndexOf('_') + 1))

test('down, slow and restarted in between: every event arrives at least once, in order for each record, signed', async () => {
  const { contractor, webhook, mine, load, touch } = await tenantWithWebhook(6)
  let offset = 0
  for (let round = 0; round < 8; round++) {
    // Up, down, answering some only, and down again.
    statusOf = [() => 200, () => 503, () => (Math.random() < 0.5 ? 200 : 500), () => 429][round % 4] ?? (() => 200)
    for (let i = 0; i < 6; i++) await touch(i % 3)
    if (round === 5) await load(sampleBooks(8, ' more'))
    if (round === 7) await rows(db.orm, sql`delete from estimates where contractor_id = ${contractor.id}`)
    // A process that sent what it took and died before it could note that.
    const now = new Date(Date.now() + offset * 60_000)
    await fanOut(now, Number.POSITIVE_INFINITY)
    const lost = await claimDeliveries(db.orm, {
      now,
      until: new Date(now.getTime() + 60_000),
      most: { ofEndpoint: 3, ofContractor: 3, inAll: 3 },
      busy: { endpoints: [], contractors: new Map() },
    })
    for (const { url, body, messageId } of lost)
      await post(url, { headers: { 'webhook-id': messageId }, body, most: 0 }).catch(() => {})
    // Two instances at once.
    await Promise.all([run(offset), run(offset)])
    offset += 20
  }
  statusOf = () => 200
  for (let i = 0; i < 12; i++) {
    await run(offset)
    offset += 60
  }
  const fed = await rows<Fed>(
    db.orm,
    sql`select position::float8 as position, resource, record_id as id from changes c where contractor_id = ${contractor.id}
      and position > (select min(position) - 1 from webhook_deliveries d where d.endpoint_id = ${webhook.id}) order by position`,
  )
  expect(fed.length).toBeGreaterThan(40)
  const arrived = mine().filter(({ ok }) => ok)
  expect(new Set(arrived.map(({ id }) => positionOf(id)))).toEqual(new Set(fed.map(({ position }) => position)))
  // At least once: what was sent by the process that died came twice.
  expect(arrived.length).toBeGreaterThan(fed.length)
  expectInOrder(arrived, fed)
  const verifier = new Webhook(webhook.secret)
  for (const { body, headers } of mine().filter((each) => each.headers['webhook-signature']))
    expect(verifier.verify(body, headers)).toMatchObject({ type: expect.any(String), data: { id: expect.any(String) } })
}, 120_000)

test('an event is what the feed tells, with the record as a list shows it', async () => {
  const { key, mine, touch } = await tenantWithWebhook(2, ['project.updated'])
  await touch(1)
  await rows(db.orm, sql`select 1`)
  expect(await run()).toMatchObject({ sent: 1, failed: 0 })
  const [one] = mine()
  const event = JSON.parse(one?.body ?? '')
  expect(Object.keys(event)).toEqual(['type', 'timestamp', 'data'])
  expect(event.type).toBe('project.updated')
  const { body } = await call(`/api/v1/projects/${event.data.id}`, { key })
  expect(event.data).toEqual({ id: body.id, updatedAt: body.updatedAt, record: body })
  expect(one?.headers['content-type']).toBe('application/json; charset=utf-8')
})

test('a rotated secret: both sign for a day, then the new one alone', async () => {
  const { webhook, send, mine, touch } = await tenantWithWebhook(1, ['project.updated'])
  const rotated = await send('webhooks/rotate', { id: webhook.id })
  expect(rotated.body.secret).toMatch(/^whsec_/)
  await touch(0)
  await run()
  const [both] = mine()
  for (const secret of [webhook.secret, rotated.body.secret])
    new Webhook(secret).verify(both?.body ?? '', both?.headers ?? {})
  await send('webhooks/rotate', { id: webhook.id, now: true })
  await touch(0)
  await run()
  const [, alone] = mine()
  expect(() => new Webhook(rotated.body.secret).verify(alone?.body ?? '', alone?.headers ?? {})).toThrow()
  const stored = await rows<{ text: string }>(db.orm, sql`select to_jsonb(e)::text as text from webhook_endpoints e`)
  expect(stored.map(({ text }) => text).join()).not.toContain('whsec_')
})

test('pausing what is paused is answered like the first time; an id that no webhook can have is refused', async () => {
  const { webhook, send, key } = await tenantWithWebhook(0)
  for (const id of [webhook.id, webhook.id])
    expect((await send('webhooks/change', { id, paused: true })).body.state).toBe('paused')
  expect((await call('/api/v1/webhook-deliveries?webhook=%00', { key })).status).toBe(400)
})

test('it is paused after 72 hours without an answer, or at once by 410, with a notice; resumed it misses nothing', async () => {
  const { contractor, webhook, send, mine, touch, key } = await tenantWithWebhook(1, ['project.updated'])
  const get = async () => (await call(`/api/v1/webhooks/${webhook.id}`, { key })).body
  statusOf = () => 500
  await touch(0)
  for (const hours of [0, 1, 24, 48, 71]) await run(hours * 60)
  expect(await get()).toMatchObject({ state: 'active', failingSince: expect.any(String), waiting: 1 })
  await run(73 * 60)
  expect(await get()).toMatchObject({ state: 'paused', pausedReason: 'failing' })
  const window = { contractorId: contractor.id, from: new Date(0), to: new Date(Date.now() + 100 * 3_600_000) }
  expect(await findAlerts(db.orm, ['paused_webhooks'], window)).toMatchObject([
    { title: 'The webhook to hook.example.com was paused', path: `/outgoing/${webhook.id}` },
  ])
  await touch(0)
  const before = mine().length
  await run(74 * 60)
  expect(mine()).toHaveLength(before)
  statusOf = () => 410
  expect((await send('webhooks/change', { id: webhook.id, paused: false })).body.state).toBe('active')
  await run(74 * 60)
  expect(await get()).toMatchObject({ state: 'paused', pausedReason: 'refused' })
  statusOf = () => 200
  await send('webhooks/change', { id: webhook.id, paused: false })
  await run(80 * 60)
  expect(mine().filter(({ ok }) => ok)).toHaveLength(2)
  expect(await get()).toMatchObject({ state: 'active', failingSince: null, waiting: 0 })
})

test('one delivery and a span are replayed with the same ids; the log has every attempt and body', async () => {
  const { webhook, send, mine, touch, key } = await tenantWithWebhook(2, ['project.updated', 'project.created'])
  statusOf = () => 500
  await touch(0)
  await run()
  statusOf = () => 200
  await run(1)
  const list = await call(`/api/v1/webhook-deliveries?webhook=${webhook.id}`, { key })
  expect(list.body.items).toHaveLength(1)
  const [{ id, messageId, attempts }] = list.body.items
  expect(attempts.map(({ status }: { status: number }) => status)).toEqual([500, 200])
  const one = await call(`/api/v1/webhook-deliveries/${id}`, { key })
  expect(one.body).toMatchObject({ body: mine()[0]?.body, response: 'answered 200' })
  expect((await send('webhook-deliveries/replay', { id })).status).toBe(200)
  await run(1)
  expect(mine().map((each) => each.id)).toEqual([messageId, messageId, messageId])
  expect(mine()[2]?.body).toBe(mine()[0]?.body)
  // The span of a day has both creations of before the webhook, and the update.
  const day = new Date().toISOString().slice(0, 10)
  const span = await send('webhooks/replay', { id: webhook.id, from: day })
  expect(span.status, span.text).toBe(200)
  expect((await send('webhooks/replay', { id: webhook.id, from: day })).status).toBe(400)
  await run(1)
  const again = mine().slice(3)
  expect(again.map(({ body }) => JSON.parse(body).type)).toEqual([
    'project.created',
    'project.created',
    'project.updated',
  ])
  expect(again[2]?.id).toBe(messageId)
  const tested = await send('webhooks/test', { id: webhook.id })
  await run(1)
  expect(JSON.parse(mine().at(-1)?.body ?? '')).toMatchObject({ type: 'webhook.test' })
  expect(tested.status).toBe(200)
  expect((await send('webhooks/delete', { id: webhook.id })).body).toEqual({ id: webhook.id, deleted: true })
  expect((await call(`/api/v1/webhooks/${webhook.id}`, { key })).status).toBe(404)
})

test('nobody gets through a webhook what their key may not read, and nobody sees another contractor’s', async () => {
  const { webhook, makeKey, send, touch, key } = await tenantWithWebhook(1)
  await touch(0)
  await run()
  const { text: narrow } = await makeKey(['write:webhooks', 'read:invoices'])
  const { text: none } = await makeKey(['read:invoices'])
  const url = `https://hook.example.com:${port}/narrow`
  expect((await send('webhooks/create', { url, events: ['payment.created'] }, narrow)).status).toBe(403)
  expect((await send('webhooks/create', { url, events: ['invoice.created'] }, none)).status).toBe(403)
  for (const path of ['change', 'rotate', 'replay'])
    expect((await send(`webhooks/${path}`, { id: webhook.id, from: '2026-01-01', url }, narrow)).status, path).not.toBe(
      200,
    )
  const [{ id }] = (await call(`/api/v1/webhook-deliveries?webhook=${webhook.id}`, { key })).body.items
  expect((await call(`/api/v1/webhook-deliveries/${id}`, { key: narrow })).status).toBe(403)
  const other = await tenantWithWebhook(1)
  expect((await call(`/api/v1/webhooks/${webhook.id}`, { key: other.key })).status).toBe(404)
  expect((await call(`/api/v1/webhook-deliveries/${id}`, { key: other.key })).status).toBe(404)
  expect((await other.send('webhooks/delete', { id: webhook.id })).status).toBe(404)
  for (const bad of [
    'http://hook.example.com/',
    'https://127.0.0.1/',
    'https://10.0.0.1/',
    'https://[::1]/',
    'https://metadata.internal/',
  ])
    expect((await send('webhooks/create', { url: bad, events: ['invoice.created'] })).status, bad).toBe(400)
})

test('a slow receiver keeps nobody else waiting', async () => {
  const slow = await tenantWithWebhook(1, ['project.updated'])
  const quick = await tenantWithWebhook(1, ['project.updated'])
  await slow.touch(0)
  await quick.touch(0)
  const began = performance.now()
  const patient: Post = async (to, message) => {
    // It answers once the other has got all of its events.
    if (to.includes(slow.contractor.slug))
      while (quick.mine().length < 2 && performance.now() - began < 60_000)
        await new Promise((done) => setTimeout(done, 20))
    return post(to, message)
  }
  const running = runWebhooks({ post: patient })
  await new Promise((done) => setTimeout(done, 300))
  await quick.touch(0)
  await running
  expect(quick.mine()).toHaveLength(2)
  expect(taken.at(-1)?.path).toBe(`/${slow.contractor.slug}`)
  expect(slow.mine()).toHaveLength(1)
})

test('webhooks of one contractor that answer slowly hold its own places only: another one’s event goes out while they hang', async () => {
  const held: (() => void)[] = []
  const slow = createServer(TEST_CERTIFICATE, (incoming, response) => {
    incoming.resume()
    held.push(() => response.end())
  })
  const slowUrl = `https://hook.example.com:${await listenOnFreePort(slow)}/`
  // Without an end of patience, so that a busy machine is not taken for one.
  const patient: Post = (to, message) =>
    to === slowUrl
      ? new Promise((done, fail) => {
          const { ca, lookup } = connecting
          const sent = request(to, { method: 'POST', ca, lookup }, (answer) => {
            answer.resume().once('end', () => done({ status: answer.statusCode ?? 0, text: '' }))
          })
          sent.once('error', fail).end(message.body)
        })
      : post(to, message)
  // As many events as the process sends at once, and more.
  const count = AT_ONCE.ofProcess / OF_EACH + 1
  const tenant = await tenantWithWebhook(OF_EACH, ['project.updated'])
  const { id: first } = tenant.webhook
  await rows(db.orm, sql`update webhook_endpoints set url = ${slowUrl} where id = ${first}`)
  await rows(
    db.orm,
    sql`insert into webhook_endpoints select (json_populate_record(e, json_build_object('id', e.id || n))).*
      from webhook_endpoints e, generate_series(2, ${count}) n where e.id = ${first}`,
  )
  for (let i = 0; i < OF_EACH; i++) await tenant.touch(i)
  const quick = await tenantWithWebhook(1, ['project.updated'])
  const running = runWebhooks({ post: patient, budgetMs: Number.POSITIVE_INFINITY })
  await vi.waitFor(() => expect(held.length).toBeGreaterThanOrEqual(AT_ONCE.ofSubject), { timeout: 60_000 })
  await quick.touch(0)
  await vi.waitFor(() => expect(quick.mine()).toHaveLength(1), { timeout: 60_000 })
  // None of them was answered, and no further one was begun.
  expect(held).toHaveLength(AT_ONCE.ofSubject)
  const release = setInterval(() => {
    for (const answer of held.splice(0)) answer()
  }, 20)
  await running
  clearInterval(release)
  slow.close()
}, 180_000)

test('what waits of events that are no longer chosen is not sent', async () => {
  const { send, webhook, mine, touch } = await tenantWithWebhook(2)
  statusOf = () => 503
  await touch(0)
  await run()
  const kept = await send('webhooks/change', { id: webhook.id, events: ['payment.created'] })
  expect(kept.status, kept.text).toBe(200)
  statusOf = () => 200
  const before = mine().length
  await run(600)
  expect(
    mine()
      .slice(before)
      .map(({ body }) => JSON.parse(body).type)
      .filter((type) => type !== 'payment.created'),
  ).toEqual([])
})

test('a redirect is a failed attempt, and nothing is sent where it points', async () => {
  const { mine, touch } = await tenantWithWebhook(1, ['project.updated'])
  statusOf = () => 302
  await touch(0)
  await run()
  expect(mine()).toHaveLength(1)
  expect(taken.filter(({ path }) => path === '/inside')).toEqual([])
  statusOf = () => 200
  await run(1)
  expect(mine().map(({ ok }) => ok)).toEqual([false, true])
})

test('an attempt that fails after another process has taken and delivered its event does not send it again', async () => {
  const { contractor, mine, touch } = await tenantWithWebhook(1, ['project.updated'])
  await touch(0)
  let isLate = true
  const late: Post = async (to, message) => {
    if (!to.endsWith(contractor.slug) || !isLate) return await post(to, message)
    isLate = false
    await run(2)
    return { status: 500, text: '' }
  }
  await runWebhooks({ post: late })
  expect([isLate, mine().length]).toEqual([false, 1])
  await run(10)
  expect(mine()).toHaveLength(1)
})

test('events of a type that is chosen while another process reads the feed are sent', async () => {
  const { contractor, send, webhook, mine, touch } = await tenantWithWebhook(1, ['invoice.created'])
  await touch(0)
  const read = db.run
  db.run = async (statement, values) => {
    if (statement.name !== 'plumbline_feed_page' || values[0] !== contractor.id) return await read(statement, values)
    db.run = read
    await send('webhooks/change', { id: webhook.id, events: ['invoice.created', 'project.updated'] })
    await touch(0)
    return await read(statement, values)
  }
  await fanOut(new Date(), Number.POSITIVE_INFINITY)
  await run()
  expect(mine().map(({ body }) => JSON.parse(body).type)).toContain('project.updated')
})
