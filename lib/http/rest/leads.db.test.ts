import { gzipSync } from 'node:zlib'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { listDeliveries } from '@/db/queries/deliveries'
import { PRESETS } from '@/lib/auth/scopes'
import { openTestDatabase } from '@/lib/testing/database'
import { call, makeTenant } from '@/lib/testing/tenant'

let db: Database
beforeAll(async () => {
  process.env.RATE_LIMIT_LEADS = '1000000'
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const INBOUND = '/api/webhooks/leads/inbound'
const ANA = { firstName: 'Ana', lastName: 'López', email: 'Ana.Lopez@Example.com', phone: '(615) 555-0142' }

async function leadTenant() {
  const tenant = await makeTenant(db)
  const key = (await tenant.key(['write:leads', ...PRESETS.integration.scopes])).text
  const post = (body: unknown, options: Parameters<typeof call>[1] = {}) =>
    call(INBOUND, {
      key,
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...options,
      headers: { 'content-type': 'application/json', ...options.headers },
    })
  const list = async (resource: string) => (await call(`/api/v1/${resource}?limit=100`, { key })).body.items
  const deliveries = () => listDeliveries(db.orm, { contractorId: tenant.contractor.id, limit: 100 })
  return { ...tenant, secret: key, post, list, deliveries }
}

describe('POST /webhooks/leads/inbound', () => {
  test('201 creates a project in status lead for a new customer, visible at once in both lists and in delta sync', async () => {
    const { post, list, secret, contractor } = await leadTenant()
    const since = new Date(Date.now() - 1000).toISOString()
    const { status, body, headers } = await post({
      ...ANA,
      address: '12 Oak St',
      city: 'Nashville',
      state: 'Tennessee',
      zipCode: '372031234',
      leadSource: 'FacebookAds',
      notes: 'Roof leaks\nnear the chimney 🏠',
      externalId: 'abc-1',
    })
    expect(status).toBe(201)
    expect(body).toEqual({ success: true, projectId: expect.any(String), jobNumber: 1, message: expect.any(String) })
    expect(Number(headers.get('x-ratelimit-remaining'))).toBeGreaterThan(0)
    const [customer] = await list('customers')
    expect(customer).toMatchObject({ name: 'Ana López', email: 'ana.lopez@example.com', phone: '+16155550142' })
    const delta = await call(`/api/v1/projects?updatedAfter=${since}`, { key: secret })
    expect(delta.body.items).toEqual([
      expect.objectContaining({
        id: body.projectId,
        contractorId: contractor.id,
        customerId: customer.id,
        status: 'lead',
        totalAmount: 0,
      }),
    ])
    const [kept] = await rows<Record<string, unknown>>(
      db.orm,
      sql`select * from leads where project_id = ${body.projectId}`,
    )
    expect(kept).toMatchObject({
      lead_source: 'FacebookAds',
      source_keyword: 'facebook',
      source_category: 'social_ads',
    })
    const [project] = await rows<Record<string, unknown>>(
      db.orm,
      sql`select * from projects where id = ${body.projectId}`,
    )
    expect(project).toMatchObject({ state: 'TN', zip: '37203-1234', description: 'Roof leaks\nnear the chimney 🏠' })
  })

  test('200 duplicate for the same externalId, even with another body; other contractors’ ids are separate', async () => {
    const { post, list } = await leadTenant()
    const first = await post({ ...ANA, externalId: 'x' })
    const again = await post({ firstName: 'Someone', lastName: 'Else', phone: '6155550199', externalId: 'x' })
    expect(again.status).toBe(200)
    expect(again.body).toEqual({
      success: true,
      projectId: first.body.projectId,
      duplicate: true,
      message: expect.any(String),
    })
    expect(await list('projects')).toHaveLength(1)
    const other = await leadTenant()
    expect((await other.post({ ...ANA, externalId: 'x' })).status).toBe(201)
  })

  test('without externalId each post is a lead; email or phone finds the customer, of this contractor only', async () => {
    const stranger = await leadTenant()
    await stranger.post(ANA)
    const { post, list } = await leadTenant()
    await post(ANA)
    await post({ firstName: 'A.', lastName: 'López', email: 'ANA.LOPEZ@example.com' })
    await post({ firstName: 'A.', lastName: 'López', phone: '+1 615 555 0142' })
    const { body } = await post({ firstName: 'Bo', lastName: 'Diaz', email: 'bo@example.com' })
    expect(body.jobNumber).toBe(4)
    expect(await list('customers')).toHaveLength(2)
    expect(await list('projects')).toHaveLength(4)
  })

  test('400 lists every invalid field at once, and creates nothing', async () => {
    const { post, list, deliveries } = await leadTenant()
    const fields = async (body: unknown) =>
      ((await post(body)).body.fields ?? []).map(({ field }: { field: string }) => field).sort()
    expect(await fields({})).toEqual(['email', 'firstName', 'lastName', 'phone'])
    expect(
      await fields({ firstName: ' ', lastName: 7, email: 'x', state: 'Narnia', zipCode: '1', notes: 'a\u0000b' }),
    ).toEqual(['body'])
    expect(
      await fields({ firstName: ' ', lastName: 7, email: 'x', state: 'Narnia', zipCode: '1', notes: 'a\u0007b' }),
    ).toEqual(['email', 'firstName', 'lastName', 'notes', 'state', 'zipCode'])
    expect(await fields({ ...ANA, phone: '12' })).toEqual(['phone'])
    expect(await fields({ ...ANA, firstName: 'x'.repeat(101), externalId: 'y'.repeat(201) })).toEqual([
      'externalId',
      'firstName',
    ])
    expect(await list('projects')).toEqual([])
    const kept = await deliveries()
    expect(kept.map(({ outcome, status }) => [outcome, status])).toEqual(Array(5).fill(['refused', 400]))
  })

  const MALFORMED: [title: string, body: string | Uint8Array<ArrayBuffer>][] = [
    ['nothing', ''],
    ['no JSON', '{"firstName":'],
    ['a list', '[]'],
    ['a name twice', '{"firstName":"A","firstName":"B","lastName":"C","email":"a@b.co"}'],
    ['__proto__', '{"__proto__":{},"firstName":"A","lastName":"C","email":"a@b.co"}'],
    ['a length that cannot be compared', '{"lastName":{"length":{"toString":""}}}'],
    ['an endless number', '{"x":1e999,"firstName":"A","lastName":"C","email":"a@b.co"}'],
    ['half a surrogate', '{"firstName":"\\udc00","lastName":"C","email":"a@b.co"}'],
    ['no UTF-8', new Uint8Array([0x7b, 0xff, 0x7d])],
    ['deep nesting', `{"x":${'['.repeat(5000)}${']'.repeat(5000)}}`],
  ]
  test.each(MALFORMED)('400 for %s', async (_, body) => {
    const { post, deliveries } = await leadTenant()
    const answer = await post('', { body })
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ code: 'bad_request', fields: [{ field: 'body', message: expect.any(String) }] })
    expect(await deliveries()).toHaveLength(1)
  })

  test('injected id, contractorId, status and jobNumber change nothing', async () => {
    const { post, list, contractor } = await leadTenant()
    const { status, body } = await post({
      ...ANA,
      id: 'prj_mine',
      projectId: 'prj_mine',
      contractorId: 'con_other',
      status: 'completed',
      jobNumber: 99,
      totalAmount: 5,
    })
    expect([status, body.jobNumber]).toEqual([201, 1])
    expect(await list('projects')).toMatchObject([{ contractorId: contractor.id, status: 'lead', totalAmount: 0 }])
  })

  test('401 without a key, counted by address with headers; 403 without the scope; 405 for GET; 413; 415', async () => {
    const { post, key, deliveries, list } = await leadTenant()
    const anonymous = await call(INBOUND, { method: 'POST', body: '{}' })
    expect([anonymous.status, anonymous.headers.get('x-ratelimit-limit')]).toEqual([401, '1000000'])
    const reader = await post(ANA, { key: (await key(['read:projects'])).text })
    expect([reader.status, reader.body.code]).toEqual([403, 'forbidden'])
    const got = await call(INBOUND)
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
    const large = await post({ ...ANA, notes: 'x'.repeat(70_000) })
    expect([large.status, large.body.code]).toEqual([413, 'payload_too_large'])
    for (const type of ['text/plain', 'application/json; charset=iso-8859-1', 'application/jsonx', ''])
      expect((await post(ANA, { headers: { 'content-type': type } })).status).toBe(415)
    for (const type of ['application/json;charset=UTF-8', 'APPLICATION/JSON', 'application/vnd.lead+json'])
      expect((await post(ANA, { headers: { 'content-type': type } })).status).toBe(201)
    expect(await list('projects')).toHaveLength(3)
    expect((await deliveries()).map(({ status }) => status).reverse()).toEqual([
      403, 413, 415, 415, 415, 415, 201, 201, 201,
    ])
  })

  test('accepted values come back unchanged, including all Unicode; everything else is refused', {
    retry: 0,
  }, async () => {
    const { post, list, secret } = await leadTenant()
    const texts = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
    )
    const check = async ([firstName, lastName, externalId]: [string, string, string]) => {
      const { status, body } = await post({ firstName, lastName, email: 'a@example.com', externalId })
      expect([200, 201, 400]).toContain(status)
      if (status !== 201) return
      const [kept] = await rows<{ first_name: string; last_name: string; external_id: string }>(
        db.orm,
        sql`select * from leads where project_id = ${body.projectId}`,
      )
      expect([kept?.first_name, kept?.last_name]).toEqual([firstName.trim(), lastName.trim()])
      expect(kept?.external_id ?? '').toBe(externalId.trim())
      const { body: project } = await call(`/api/v1/projects/${body.projectId}`, { key: secret })
      expect(project.name).toContain(`${firstName.trim()} ${lastName.trim()}`.trim())
    }
    // Those of one run are sent at once and written together.
    const several = fc.array(fc.tuple(texts, texts, texts), { minLength: 15, maxLength: 15 })
    await fc.assert(
      fc.asyncProperty(several, async (all) => void (await Promise.all(all.map(check)))),
      { numRuns: 10 },
    )
    expect(await list('customers')).toHaveLength(1)
  })

  test('any JSON at all gets a documented status', { retry: 0 }, async () => {
    const { post } = await leadTenant()
    const field = fc.oneof(
      fc.jsonValue(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('a@b.co', '6155550142', 'TN', '37203', null),
    )
    const record = fc.record(
      Object.fromEntries(
        [
          'firstName',
          'lastName',
          'email',
          'phone',
          'address',
          'city',
          'state',
          'zipCode',
          'leadSource',
          'notes',
          'externalId',
          'extra',
        ].map((name) => [name, field]),
      ),
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(record, fc.jsonValue()), { minLength: 20, maxLength: 20 }), async (values) => {
        for (const { status } of await Promise.all(values.map((value) => post(JSON.stringify(value)))))
          expect([200, 201, 400]).toContain(status)
      }),
      { numRuns: 10 },
    )
  })

  test('1,000 concurrent posts of one externalId create one project: one 201, the rest 200 with its id', async () => {
    const { post, list } = await leadTenant()
    const answers = await Promise.all(Array.from({ length: 1000 }, () => post({ ...ANA, externalId: 'same' })))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(999)
    expect(new Set(answers.map(({ body }) => body.projectId)).size).toBe(1)
    expect(await list('projects')).toHaveLength(1)
  })

  test('500 concurrent leads get the job numbers 1 to 500, and one person is one customer', async () => {
    const { post, list } = await leadTenant()
    const answers = await Promise.all(
      Array.from({ length: 500 }, (_, i) =>
        post({ ...ANA, email: `c${i % 7}@example.com`, phone: undefined, externalId: `l${i}` }),
      ),
    )
    const numbers = answers.map(({ body }) => body.jobNumber).sort((a, b) => a - b)
    expect(numbers).toEqual(Array.from({ length: 500 }, (_, i) => i + 1))
    expect(await list('customers')).toHaveLength(7)
  })

  test('a gzip body is read; what is none, and another coding, are named', async () => {
    const { post } = await leadTenant()
    const send = async (body: Uint8Array<ArrayBuffer>, coding: string) => {
      const { status, body: answer } = await post('', { body, headers: { 'content-encoding': coding } })
      return [status, answer.error]
    }
    const whole = gzipSync(JSON.stringify(ANA))
    expect(await send(whole, 'gzip')).toEqual([201, undefined])
    expect(await send(whole.subarray(0, 40), 'gzip')).toEqual([400, expect.stringContaining('not valid gzip')])
    expect(await send(whole, 'br')).toEqual([415, expect.stringContaining('or as gzip')])
    expect((await send(gzipSync('x'.repeat(500_000)), 'gzip'))[0]).toBe(413)
  })

  test('JSON that is sent as a form is named as such', async () => {
    const { post } = await leadTenant()
    const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    const { status, body } = await post(ANA, form)
    expect([status, body.error]).toEqual([415, expect.stringContaining('The body is JSON, but its Content-Type')])
    expect((await post('a=b', form)).body.error).not.toContain('is JSON')
  })

  test('a key with spaces around it is the key, and a blank one beside a valid bearer is absent', async () => {
    const { post, secret } = await leadTenant()
    const keys: Record<string, string>[] = [
      { 'x-api-key': `  ${secret} ` },
      { 'x-api-key': ' ', authorization: `Bearer ${secret}` },
      { 'x-api-key': secret, authorization: '' },
    ]
    for (const headers of keys) {
      const { status } = await call(INBOUND, {
        method: 'POST',
        body: JSON.stringify(ANA),
        headers: { 'content-type': 'application/json', ...headers },
      })
      expect(status, JSON.stringify(headers)).toBe(201)
    }
    expect((await post(ANA, { headers: { authorization: `Bearer ${secret}x` } })).status).toBe(401)
  })
})
