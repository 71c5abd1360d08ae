import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Database, shareDatabase } from '@/db/client'
import { findSourceSecret } from '@/db/queries/leads'
import { operatorFor } from '@/lib/auth/actor'
import { openTestDatabase } from '@/lib/testing/database'
import { call, makeTenant } from '@/lib/testing/tenant'
import { listLeadDeliveries, replayLeadDelivery } from './deliveries'
import { execute } from './execute'
import { createKey } from './keys/create-key'
import { listLeadSecrets, removeLeadSecret, setLeadSecret } from './lead-secrets'

vi.hoisted(() =>
  Object.assign(process.env, {
    RATE_LIMIT_LEADS: '1000000',
    EXTERNAL_API_TOKEN_SECRET: 'a secret of at least 32 bytes, for tests',
  }),
)

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const TYPEFORM = {
  form_response: {
    token: 'tok-1',
    definition: { fields: [{ id: 'a', title: 'Your name' }] },
    answers: [
      { type: 'text', text: 'Zoë Lopez', field: { id: 'a' } },
      { type: 'email', email: 'zoe@example.com', field: { id: 'b' } },
    ],
  },
}
const META = {
  id: '9',
  field_data: [
    { name: 'full_name', values: ['Ana Lopez'] },
    { name: 'email', values: ['a@example.com'] },
  ],
}
const APP_SECRET = '0123456789abcdef0123456789abcdef'

/** A contractor with a secret URL for a source, and what posts there with a signature. */
async function sender(source: 'typeform' | 'meta', header: string) {
  const { contractor } = await makeTenant(db)
  const ctx = { actor: operatorFor(contractor.id), now: new Date() }
  const { secret: key } = await execute(createKey, ctx, { name: 'URL', preset: 'lead-url', leadSource: source })
  const path = `/api/webhooks/leads/${source}.${key}`
  const post = (body: string | Uint8Array<ArrayBuffer>, signature?: string) =>
    call(path, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...(signature !== undefined && { [header]: signature }) },
    })
  return { ctx, contractor, path, post }
}

const signed = (secret: string, body: string | Uint8Array, encoding: 'hex' | 'base64') =>
  `sha256=${createHmac('sha256', secret).update(body).digest(encoding)}`

test('Typeform: without a secret anything is taken; with one, only what is signed with it, over the bytes as sent', async () => {
  const { ctx, post } = await sender('typeform', 'Typeform-Signature')
  const body = JSON.stringify(TYPEFORM, null, 1)
  expect((await post(body)).status).toBe(200)
  const { secret } = await execute(setLeadSecret, ctx, { source: 'typeform' })
  expect(secret).toMatch(/^[\w-]{32}$/)
  const good = signed(secret ?? '', body, 'base64')
  expect((await post(body, good)).body).toMatchObject({ duplicate: true })
  const refused = [
    await post(body),
    await post(body, ''),
    await post(body, good.slice(7)),
    await post(body, signed('another secret', body, 'base64')),
    await post(body, signed(secret ?? '', body, 'hex')),
    await post(JSON.stringify(TYPEFORM), good),
    await post(body.replace('Zoë', 'Zoe'), good),
  ]
  expect(refused.map(({ status, body: { code } }) => [status, code])).toEqual(refused.map(() => [401, 'unauthorized']))
  expect(refused[0]?.body.error).toContain('typeform-signature: is missing')
  expect(refused[3]?.body.error).toContain('does not fit')
})

test('a signature is over the bytes, not over what they decode to', async () => {
  const { ctx, post } = await sender('typeform', 'typeform-signature')
  const { secret } = await execute(setLeadSecret, ctx, { source: 'typeform' })
  // A byte order mark is dropped when text is decoded.
  const bytes = new Uint8Array([0xef, 0xbb, 0xbf, ...new TextEncoder().encode(JSON.stringify(TYPEFORM))])
  expect((await post(bytes, signed(secret ?? '', bytes, 'base64'))).status).toBe(200)
  expect((await post(bytes, signed(secret ?? '', bytes.slice(3), 'base64'))).status).toBe(401)
})

test('Meta: the app secret checks the signature, and only the verify token gets the challenge', async () => {
  const { ctx, path, post } = await sender('meta', 'X-Hub-Signature-256')
  await expect(execute(setLeadSecret, ctx, { source: 'meta' })).rejects.toThrow('enter the app secret')
  const { secret, verifyToken } = await execute(setLeadSecret, ctx, { source: 'meta', secret: APP_SECRET })
  expect(secret).toBeNull()
  const body = JSON.stringify(META)
  expect((await post(body, signed(APP_SECRET, body, 'hex'))).status).toBe(200)
  expect((await post(body, signed(APP_SECRET, `${body} `, 'hex'))).status).toBe(401)
  expect((await post(body)).status).toBe(401)
  const asked = (token: string) => call(`${path}?hub.mode=subscribe&hub.challenge=42&hub.verify_token=${token}`)
  const proved = await asked(verifyToken ?? '')
  expect([proved.status, proved.text]).toEqual([200, '42'])
  for (const wrong of ['', 'x', APP_SECRET]) expect((await asked(wrong)).status).toBe(403)
})

test('what was refused is kept, and the contractor’s people can run it again', async () => {
  const { ctx, post } = await sender('typeform', 'typeform-signature')
  await execute(setLeadSecret, ctx, { source: 'typeform' })
  await post(JSON.stringify(TYPEFORM))
  const [kept] = (await execute(listLeadDeliveries, ctx, {})).items
  expect(kept).toMatchObject({ outcome: 'refused', status: 401, source: 'typeform' })
  expect((await execute(replayLeadDelivery, ctx, { id: kept?.id ?? '' })).outcome).toBe('created')
})

test('the secret is stored sealed, listed as set, and gone when it is removed; each contractor has its own', async () => {
  const [mine, other] = [await sender('meta', 'x-hub-signature-256'), await sender('meta', 'x-hub-signature-256')]
  const { verifyToken } = await execute(setLeadSecret, mine.ctx, { source: 'meta', secret: APP_SECRET })
  const stored = JSON.stringify(await findSourceSecret(db.orm, mine.contractor.id, 'meta'))
  expect(stored).not.toContain(APP_SECRET)
  expect(stored).not.toContain(verifyToken)
  const set = async (of: typeof mine) =>
    (await execute(listLeadSecrets, of.ctx, {})).items.filter(({ isSet }) => isSet).map(({ source }) => source)
  expect([await set(mine), await set(other)]).toEqual([['meta'], []])
  expect((await other.post(JSON.stringify(META))).status).toBe(200)
  await execute(removeLeadSecret, mine.ctx, { source: 'meta' })
  expect([await set(mine), (await mine.post(JSON.stringify(META))).status]).toEqual([[], 200])
})

test('a secret that can no longer be read refuses everything as our fault, so that the sender tries again', async () => {
  const { ctx, post, contractor } = await sender('typeform', 'typeform-signature')
  const { secret } = await execute(setLeadSecret, ctx, { source: 'typeform' })
  await db.orm.execute(`update lead_source_secrets set sealed = 'AAAA' where contractor_id = '${contractor.id}'`)
  const body = JSON.stringify(TYPEFORM)
  expect((await post(body, signed(secret ?? '', body, 'base64'))).status).toBe(500)
  // The sender does not wait for it to be kept.
  await expect
    .poll(async () => (await execute(listLeadDeliveries, ctx, {})).items)
    .toMatchObject([{ outcome: 'failed' }])
})
