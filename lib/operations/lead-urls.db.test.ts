import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Database, shareDatabase } from '@/db/client'
import { operatorFor } from '@/lib/auth/actor'
import { isKeyShaped } from '@/lib/auth/keys'
import { requestsLogged } from '@/lib/telemetry/request-log'
import { startRequestLog } from '@/lib/telemetry/start'
import { openTestDatabase } from '@/lib/testing/database'
import { call, makeTenant } from '@/lib/testing/tenant'
import { getLeadDelivery, listLeadDeliveries } from './deliveries'
import { execute } from './execute'
import { revokeKey, rotateKey } from './keys/change-keys'
import { createKey } from './keys/create-key'
import { listRequests } from './requests/log'

vi.hoisted(() => Object.assign(process.env, { REQUEST_LOG_DAYS: '30', RATE_LIMIT_LEADS: '1000000' }))

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
  startRequestLog()
})
afterAll(async () => {
  await requestsLogged()
  await db.close()
})

const ANA = { name: 'Ana Lopez', email: 'ana@example.com' }

async function urlTenant(leadSource = 'zapier') {
  const tenant = await makeTenant(db)
  const ctx = { actor: operatorFor(tenant.contractor.id), now: new Date() }
  const made = await execute(createKey, ctx, { name: 'CallRail', preset: 'lead-url', leadSource })
  const at = (key: string, source = leadSource, query = '') => `/api/webhooks/leads/${source}.${key}${query}`
  const post = (path: string, body: unknown = ANA, headers: Record<string, string> = {}) =>
    call(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    })
  const deliveries = async () => (await execute(listLeadDeliveries, ctx, {})).items
  return { ...tenant, ctx, made, at, post, deliveries }
}

test('a secret URL takes leads without a header; a body that names it is kept without it', async () => {
  const { made, at, post, deliveries, ctx } = await urlTenant()
  expect(isKeyShaped(made.secret)).toBe(true)
  const { status, body } = await post(at(made.secret), { ...ANA, webhookURL: `https://x.test${at(made.secret)}` })
  expect([status, body.jobNumber]).toEqual([200, 1])
  const [kept] = await deliveries()
  expect(kept).toMatchObject({ source: 'zapier', outcome: 'created' })
  expect(JSON.stringify(await execute(getLeadDelivery, ctx, { id: kept?.id ?? '' }))).not.toContain(made.secret)
})

test('its key works in no header, another key in no URL, and one contractor never in the name of another', async () => {
  const { made, at, post, key, deliveries } = await urlTenant()
  const other = await urlTenant()
  const { text: plain } = await key(['write:leads'])
  const wrong = `${made.secret.slice(0, -1)}${made.secret.endsWith('0') ? '1' : '0'}`
  const answers = await Promise.all([
    post('/api/webhooks/leads/zapier', ANA, { 'x-api-key': made.secret }),
    post('/api/webhooks/leads/inbound', ANA, { authorization: `Bearer ${made.secret}` }),
    call('/api/v1/metadata', { key: made.secret }),
    post(at(plain)),
    post(at(wrong)),
    post(at(''), ANA, { 'x-api-key': plain }),
    post(at('nonsense'), ANA, { 'x-api-key': plain }),
  ])
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 401))
  const { status } = await post(
    at(made.secret),
    { ...ANA, contractorId: other.contractor.id },
    { 'x-api-key': other.made.secret },
  )
  expect([status, (await deliveries()).length, (await other.deliveries()).length]).toEqual([200, 1, 0])
})

test('rotated, both URLs work until the overlap ends; revoked, neither does', async () => {
  const { made, at, post, ctx } = await urlTenant()
  const next = await execute(rotateKey, ctx, { id: made.id, overlap: '1h' })
  expect(next.preset).toBe('lead-url')
  const statuses = async () => [(await post(at(made.secret))).status, (await post(at(next.secret))).status]
  expect(await statuses()).toEqual([200, 200])
  await execute(revokeKey, ctx, { id: next.id, secrets: 'both' })
  expect(await statuses()).toEqual([401, 401])
})

test('a GET that asks for proof gets its challenge as plain text, from a valid URL only; anything else is 405', async () => {
  const { made, at } = await urlTenant('meta')
  const asked = (challenge: string) => `?hub.mode=subscribe&hub.verify_token=x&hub.challenge=${challenge}`
  const { status, headers, text } = await call(at(made.secret, 'meta', asked('1158201444')))
  expect([status, text, headers.get('content-type')]).toEqual([200, '1158201444', 'text/plain; charset=utf-8'])
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect((await call(at(made.secret, 'meta', asked('%3Cscript%3E')))).status).toBe(405)
  expect((await call(at(made.secret, 'meta'))).status).toBe(405)
  expect((await call(at('plb_live_wrong', 'meta', asked('1')))).status).toBe(405)
  expect((await call(at(made.secret, 'typeform', asked('1')))).status).toBe(405)
  expect((await call(at(made.secret, 'ig', asked('1')))).text).toBe('1')
})

test('the request log names the source and the key, and holds no part of the secret', async () => {
  const { made, at, post, ctx } = await urlTenant('typeform')
  await post(at(made.secret))
  await post(at(made.secret.replace('plb', '%70lb')))
  await requestsLogged()
  const { items } = await execute(listRequests, ctx, {})
  expect(items.length).toBeGreaterThan(0)
  expect(items).toContainEqual(expect.objectContaining({ path: '/api/webhooks/leads/typeform', keyId: made.id }))
  expect(JSON.stringify(items)).not.toContain(made.secret.slice(9, 30))
})

test('a URL sends to the source it was made for and to no other, also after a rotation', async () => {
  const { made, at, post, ctx, deliveries } = await urlTenant('jotform')
  const next = await execute(rotateKey, ctx, { id: made.id, overlap: 'now' })
  expect(next.leadSource).toBe('jotform')
  const { status, body } = await post(at(next.secret, 'typeform'))
  expect([status, body.error]).toEqual([403, expect.stringContaining('another source than typeform')])
  expect((await post(at(next.secret, 'inbound'))).status).toBe(404)
  expect((await deliveries()).every(({ outcome }) => outcome === 'refused')).toBe(true)
  const meta = await execute(createKey, ctx, { name: 'Meta', preset: 'lead-url', leadSource: 'zapier' })
  expect((await call(at(meta.secret, 'meta', '?hub.mode=subscribe&hub.challenge=1'))).status).toBe(403)
})

test('one without a source, as an earlier version made them, sends nothing', async () => {
  const { made, at, post } = await urlTenant()
  await db.orm.execute(sql`update api_keys set lead_source = null where id = ${made.id}`)
  expect((await post(at(made.secret))).status).toBe(403)
})

test.each([
  [{ preset: 'lead-url' as const }, 'is needed for a secret URL'],
  [{ preset: 'lead-source' as const, leadSource: 'meta' }, 'is needed for a secret URL, and only there'],
])('a key of %j is refused: a secret URL has one source, another key has none', async (asked, why) => {
  const { ctx } = await urlTenant()
  await expect(execute(createKey, ctx, { name: 'x', ...asked })).rejects.toThrow(why)
})

test('it cannot be given other scopes', async () => {
  const { ctx } = await urlTenant()
  const asked = { name: 'x', preset: 'lead-url' as const, leadSource: 'zapier', scopes: ['write:data' as const] }
  await expect(execute(createKey, ctx, asked)).rejects.toThrow('only sends leads')
})
