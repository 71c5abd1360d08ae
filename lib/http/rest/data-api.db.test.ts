import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { forgetKeys } from '@/lib/auth/key-cache'
import { revokeKey, rotateKey } from '@/lib/auth/manage-keys'
import { SCOPES } from '@/lib/auth/scopes'
import { RESOURCES, resources } from '@/lib/resources/registry'
import { openTestDatabase } from '@/lib/testing/database'
import { call, makeTenant, sampleBooks } from '@/lib/testing/tenant'
import { documented } from '../openapi/operation'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const names = Object.values(resources)

async function tenantWithBooks(count = 60, mark = '') {
  const tenant = await makeTenant(db)
  await tenant.load(sampleBooks(count, mark))
  return { ...tenant, secret: (await tenant.key()).text }
}

/** Follows nextPageToken to its end. */
async function walk(
  path: string,
  key: string,
  between: () => Promise<unknown> = async () => {},
): Promise<{ id: string }[]> {
  const items: { id: string }[] = []
  let token: string | null = ''
  while (token !== null) {
    const { status, body } = await call(
      token === '' ? path : `${path}${path.includes('?') ? '&' : '?'}pageToken=${token}`,
      { key },
    )
    expect(status).toBe(200)
    items.push(...body.items)
    token = body.nextPageToken
    await between()
  }
  return items
}

describe.each(names)('GET /v1/$name', (resource) => {
  test('200 with exactly the documented fields, exact cents and UTC milliseconds', async () => {
    const { secret, contractor } = await tenantWithBooks(3)
    const { status, body, text } = await call(`/api/v1/${resource.name}`, { key: secret })
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['apiVersion', 'items', 'nextPageToken'])
    expect(body).toMatchObject({ apiVersion: 'v1', nextPageToken: null })
    expect(body.items).toHaveLength(3)
    for (const item of body.items) {
      expect(resource.output.strict().parse(item)).toEqual(item)
      if ('contractorId' in item) expect(item.contractorId).toBe(contractor.id)
    }
    for (const amount of text.matchAll(/"(?:amount|totalAmount)":([^,}]+)/g)) expect(amount[1]).toMatch(/^\d+\.\d\d$/)
    const one = await call(`/api/v1/${resource.name}/${body.items[1].id}`, { key: secret })
    expect(one.body).toEqual(body.items[1])
  })

  test('paging with limit=7 returns as many records as a SQL count, although every row changes meanwhile', async () => {
    const { secret, contractor } = await tenantWithBooks(60)
    const table = sql.raw(resource.source.table)
    const [{ n } = { n: 0 }] = await rows<{ n: number }>(
      db.orm,
      sql`select count(*)::int as n from ${table} where contractor_id = ${contractor.id}`,
    )
    const column = sql.raw(
      ['number', 'reference', 'name'].find((name) => resource.source.columns.some(({ column }) => column === name)) ??
        '',
    )
    const touchSome = () =>
      rows(
        db.orm,
        sql`update ${table} set ${column} = ${column} || '.' where contractor_id = ${contractor.id} and id in (select id from ${table} where contractor_id = ${contractor.id} order by random() limit 5)`,
      )
    let steps = 0
    const items = await walk(`/api/v1/${resource.name}?limit=7`, secret, async () => {
      if (steps++ < 40) await touchSome()
    })
    expect(new Set(items.map(({ id }) => id)).size).toBe(n)
    const quiet = await walk(`/api/v1/${resource.name}?limit=7`, secret)
    expect(quiet).toHaveLength(n)
  })

  test('403 when the key lacks the scope, 404 for another contractor’s id', async () => {
    const { secret, key } = await tenantWithBooks(2)
    const other = await tenantWithBooks(2)
    const lacking = await key(SCOPES.filter((scope) => scope !== resource.scope))
    expect(await call(`/api/v1/${resource.name}`, { key: lacking.text })).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    })
    const { body } = await call(`/api/v1/${resource.name}`, { key: other.secret })
    expect(await call(`/api/v1/${resource.name}/${body.items[0].id}`, { key: secret })).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    })
  })
})

test('ties on a millisecond are kept across pages', async () => {
  const { secret, contractor } = await tenantWithBooks(25)
  await rows(db.orm, sql`alter table analytics_invoice_records disable trigger touch`)
  await rows(
    db.orm,
    sql`update analytics_invoice_records set updated_at = '2026-01-01T00:00:00.123Z' where contractor_id = ${contractor.id}`,
  )
  await rows(db.orm, sql`alter table analytics_invoice_records enable trigger touch`)
  const items = await walk('/api/v1/invoices?limit=4', secret)
  expect(new Set(items.map(({ id }) => id)).size).toBe(25)
  const none = await call('/api/v1/invoices?updatedAfter=2026-01-01T00:00:00.123Z', { key: secret })
  expect(none.body.items).toEqual([])
  const all = await call('/api/v1/invoices?updatedAfter=2026-01-01T00:00:00.122Z', { key: secret })
  expect(all.body.items).toHaveLength(25)
})

test.each([
  ['invoices', 'current', 'overdue'],
  ['estimates', 'sent', 'expired'],
] as const)('%s: %s turns to %s with the clock at the next read, with a new updatedAt', async (name, before, after) => {
  const { secret, contractor } = await tenantWithBooks(1)
  const table = sql.identifier(resources[name].source.table)
  const storeAs = async (change: ReturnType<typeof sql>) => {
    await rows(db.orm, sql`alter table ${table} disable trigger user`)
    await rows(db.orm, sql`update ${table} set ${change} where contractor_id = ${contractor.id}`)
    await rows(db.orm, sql`alter table ${table} enable trigger user`)
  }
  const [item] = (await call(`/api/v1/${name}`, { key: secret })).body.items
  expect(item.status).toBe(after)
  // As it was stored the day before its status changed.
  await storeAs(sql`status = ${before}, turns_at = now() + interval '1 hour'`)
  expect((await call(`/api/v1/${name}/${item.id}`, { key: secret })).body).toMatchObject({
    status: before,
    updatedAt: item.updatedAt,
  })
  await storeAs(sql`turns_at = now() - interval '1 second'`)
  const { items } = (await call(`/api/v1/${name}?updatedAfter=${item.updatedAt}`, { key: secret })).body
  expect(items).toMatchObject([{ id: item.id, status: after }])
  expect(items[0].updatedAt > item.updatedAt).toBe(true)
  // A filter uses the current status, even one that no row has stored yet.
  await storeAs(sql`status = ${before}, turns_at = now() - interval '1 second'`)
  expect((await call(`/api/v1/${name}?status=${after}`, { key: secret })).body.items).toHaveLength(1)
})

test('an estimate expires when its last valid day (UTC) is over and it is still sent', async () => {
  const at = async (stated: string, until: string | null, now: string) =>
    (
      await rows<{ s: string }>(
        db.orm,
        sql`select estimate_status_at(${stated}, ${until}::timestamptz, ${now}::timestamptz) as s`,
      )
    )[0]?.s
  expect(await at('sent', '2026-02-01Z', '2026-02-01T23:59:59.999Z')).toBe('sent')
  expect(await at('sent', '2026-02-01Z', '2026-02-02T00:00:00Z')).toBe('expired')
  expect(await at('sent', null, '2126-02-02T00:00:00Z')).toBe('sent')
  for (const stated of ['draft', 'accepted', 'declined', 'expired'])
    expect(await at(stated, '2026-02-01Z', '2026-03-01T00:00:00Z')).toBe(stated)
})

test('an invoice’s status follows from settlement, due date and invoice date', async () => {
  const at = async (settled: boolean, date: string, due: string, now: string) =>
    (
      await rows<{ s: string }>(
        db.orm,
        sql`select invoice_status_at(${settled}, ${date}::timestamptz, ${due}::timestamptz, ${now}::timestamptz) as s`,
      )
    )[0]?.s
  expect(await at(true, '2026-01-01Z', '2026-02-01Z', '2026-03-01Z')).toBe('paid')
  expect(await at(false, '2026-01-01Z', '2026-02-01Z', '2026-02-01T23:59:59.999Z')).toBe('current')
  expect(await at(false, '2026-01-01Z', '2026-02-01Z', '2026-02-02T00:00:00Z')).toBe('overdue')
  expect(await at(false, '2026-01-01Z', '2026-02-01Z', '2025-12-31T23:59:59Z')).toBe('future')
  expect(await at(false, '2026-01-01Z', '2026-02-01Z', '2026-01-01T00:00:00Z')).toBe('current')
})

test('updatedAt moves forward even when the clock runs backwards, and not when nothing changes', async () => {
  const { contractor } = await tenantWithBooks(1)
  await rows(db.orm, sql`alter table projects disable trigger touch`)
  await rows(
    db.orm,
    sql`update projects set updated_at = now() + interval '1 day' where contractor_id = ${contractor.id}`,
  )
  await rows(db.orm, sql`alter table projects enable trigger touch`)
  const at = async () =>
    (
      await rows<{ at: number }>(
        db.orm,
        sql`select (extract(epoch from updated_at) * 1000)::float8 as at from projects where contractor_id = ${contractor.id}`,
      )
    )[0]?.at ?? 0
  const before = await at()
  await rows(db.orm, sql`update projects set name = name where contractor_id = ${contractor.id}`)
  expect(await at()).toBe(before)
  await rows(db.orm, sql`update projects set name = 'other' where contractor_id = ${contractor.id}`)
  expect(await at()).toBe(before + 1)
})

test('a homeowner is a customer while they have a project; records follow a project to its new owner', async () => {
  const tenant = await tenantWithBooks(2)
  const list = async (path: string) => (await call(path, { key: tenant.secret })).body.items
  await tenant.load({ 'customers.csv': 'Customer ID,Name\nC9,Newcomer\n' })
  expect(await list('/api/v1/customers')).toHaveLength(2)
  await tenant.load({ 'projects.csv': 'Project ID,Customer ID,Name\nP0,C9,Project 0\n' })
  const customers = await list('/api/v1/customers')
  expect(customers.map(({ name }: { name: string }) => name).sort()).toEqual(['Customer 1', 'Newcomer'])
  const { id } = customers.find(({ name }: { name: string }) => name === 'Newcomer')
  const following = RESOURCES.filter(({ table }) => 'customerId' in table && 'projectId' in table)
  expect(following.length).toBeGreaterThan(2)
  for (const { name } of following) expect(await list(`/api/v1/${name}?customerId=${id}`), name).toHaveLength(1)
})

describe('parameters', () => {
  const bad: [string, string, string][] = [
    ['limit=0', 'invoices', 'limit'],
    ['limit=101', 'invoices', 'limit'],
    ['limit=', 'invoices', 'limit'],
    ['limit=1.5', 'invoices', 'limit'],
    ['limit=1e1', 'invoices', 'limit'],
    ['limit=5&limit=5', 'invoices', 'limit'],
    ['updatedAfter=2026-01-01T00:00:00', 'invoices', 'updatedAfter'],
    ['updatedAfter=yesterday', 'projects', 'updatedAfter'],
    ['contractorId=abc', 'customers', 'contractorId'],
    ['status=open', 'invoices', 'status'],
    ['status=paid', 'payments', 'status'],
    ['from=1/2/26', 'payments', 'from'],
    ['status=paid', 'estimates', 'status'],
    ['customerId=x%20y', 'projects', 'customerId'],
    ['projectId=prj_1', 'customers', 'projectId'],
    ['pageToken=nonsense', 'invoices', 'pageToken'],
    ['limit=5', 'metadata', 'limit'],
  ]
  test.each(bad)('%s on /%s is 400 and names the field', async (query, path, field) => {
    const { text } = await (await makeTenant(db)).key()
    const answer = await call(`/api/v1/${path}?${query}`, { key: text })
    expect(answer).toMatchObject({
      status: 400,
      body: { error: expect.any(String), code: 'bad_request', fields: [{ field }] },
    })
    expect(answer.headers.get('x-request-id')).toBe(answer.body.requestId)
  })

  test('unknown parameters are ignored; filters apply', async () => {
    const { secret, contractor } = await tenantWithBooks(5)
    const count = async (query: string) => (await call(`/api/v1/invoices?${query}`, { key: secret })).body.items.length
    expect(await count('utm_source=x&_=1')).toBe(5)
    expect(await count('status=overdue')).toBe(5)
    expect(await count('status=paid')).toBe(0)
    expect(await count('from=2024-01-05&to=2024-01-05')).toBe(5)
    expect(await count('from=2024-01-06')).toBe(0)
    expect(await count('to=2024-01-05T00:00:00Z')).toBe(5)
    expect(await count('to=2024-01-04')).toBe(0)
    expect(await count(`contractorId=${contractor.id}`)).toBe(5)
    expect(await count('projectId=prj_none')).toBe(0)
  })

  test('a contractorId that is not the key’s is 403', async () => {
    const [a, b] = [await tenantWithBooks(1), await tenantWithBooks(1)]
    expect(await call(`/api/v1/invoices?contractorId=${b.contractor.id}`, { key: a.secret })).toMatchObject({
      status: 403,
    })
  })
})

test('page tokens: another key, endpoint or filter is 400', async () => {
  const { secret, key } = await tenantWithBooks(9)
  const token = (await call('/api/v1/invoices?limit=3', { key: secret })).body.nextPageToken
  const refused = { status: 400, body: { code: 'bad_request', fields: [{ field: 'pageToken' }] } }
  expect(await call(`/api/v1/invoices?limit=5&pageToken=${token}`, { key: secret })).toMatchObject({ status: 200 })
  expect(await call(`/api/v1/invoices?limit=3&pageToken=${token}`, { key: (await key()).text })).toMatchObject(refused)
  expect(await call(`/api/v1/payments?limit=3&pageToken=${token}`, { key: secret })).toMatchObject(refused)
  expect(await call(`/api/v1/invoices?status=overdue&pageToken=${token}`, { key: secret })).toMatchObject(refused)
})

test('missing, malformed, unknown, revoked and expired keys get the same 401', async () => {
  const tenant = await makeTenant(db)
  const [revoked, expired] = [await tenant.key(), await tenant.key()]
  await revokeKey(db.orm, revoked.id, tenant.operator)
  await rows(db.orm, sql`update api_keys set expires_at = now() - interval '1 second' where id = ${expired.id}`)
  forgetKeys()
  const unknown = (await tenant.key()).text.replace(/^plb_live/, 'plb_test')
  const answers = [undefined, 'nonsense', unknown, revoked.text, expired.text].map((key) =>
    call('/api/v1/invoices', key === undefined ? {} : { key }),
  )
  const shapes = (await Promise.all(answers)).map(({ status, headers, body: { requestId: _, ...body } }) => ({
    status,
    body,
    headers: [...headers.keys()].sort(),
  }))
  for (const shape of shapes) expect(shape).toEqual(shapes[0])
  expect(shapes[0]).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
})

test('either header carries the key; two that differ are 401', async () => {
  const tenant = await makeTenant(db)
  const [a, b] = [(await tenant.key()).text, (await tenant.key()).text]
  expect((await call('/api/v1/metadata', { headers: { authorization: `Bearer ${a}` } })).status).toBe(200)
  expect((await call('/api/v1/metadata', { headers: { authorization: `bearer ${a}`, 'x-api-key': a } })).status).toBe(
    200,
  )
  expect((await call('/api/v1/metadata', { headers: { authorization: `Bearer ${b}`, 'x-api-key': a } })).status).toBe(
    401,
  )
  // Not Basic credentials, because the decoded text has no colon.
  const odd = `Basic ${Buffer.from('nothing of a proxy').toString('base64')}`
  expect((await call('/api/v1/metadata', { headers: { authorization: odd, 'x-api-key': a } })).status).toBe(401)
})

test('rotation: both secrets work during the overlap; without one the old secret ends at once', async () => {
  const tenant = await makeTenant(db)
  const old = await tenant.key()
  const next = await rotateKey(db.orm, old.id, '1h', tenant.operator)
  for (const { text } of [old, next]) expect((await call('/api/v1/metadata', { key: text })).status).toBe(200)
  const last = await rotateKey(db.orm, next.id, 'now', tenant.operator)
  expect((await call('/api/v1/metadata', { key: next.text })).status).toBe(401)
  expect((await call('/api/v1/metadata', { key: last.text })).status).toBe(200)
})

test('a key that another process revoked is refused within five seconds', async () => {
  const tenant = await makeTenant(db)
  const { id, text } = await tenant.key()
  const status = async () => (await call('/api/v1/metadata', { key: text })).status
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
  expect(await status()).toBe(200)
  await rows(db.orm, sql`update api_keys set revoked_at = now() where id = ${id}`)
  expect(await status()).toBe(200)
  // The cache looks at the clock every half second.
  clock.mockReturnValue(performance.now() + 4_500)
  await expect.poll(status).toBe(401)
  clock.mockRestore()
})

test('only hashes are stored: the keys themselves are nowhere in the database', async () => {
  const tenant = await makeTenant(db)
  const { text } = await tenant.key()
  const [{ dump } = { dump: '' }] = await rows<{ dump: string }>(
    db.orm,
    sql`select string_agg(k::text, '') as dump from api_keys k`,
  )
  expect(dump).not.toContain(text)
  expect(dump).not.toContain(text.slice(9, 49))
})

test('another contractor’s canary is never returned, whatever the request', async () => {
  const b = await tenantWithBooks(3, 'do-not-leak')
  const a = await tenantWithBooks(3)
  const foreign = await Promise.all(
    names.map(async ({ name }) => (await call(`/api/v1/${name}`, { key: b.secret })).body.items[0].id),
  )
  for (const { http } of documented()) {
    if (http.at !== 'data') continue
    const queries = ['', '?limit=100', ...foreign.flatMap((id) => [`?customerId=${id}`, `?projectId=${id}`])]
    const paths = http.path.includes('{') ? foreign.map((id) => http.path.replace('{id}', id)) : [http.path]
    for (const [path, query] of paths.flatMap((path) => queries.map((query) => [path, query] as const))) {
      const { text } = await call(`/api/v1${path}${query}`, { key: a.secret })
      expect(text).not.toContain('do-not-leak')
      for (const other of foreign.filter((id) => !query.includes(id))) expect(text).not.toContain(`"${other}"`)
    }
  }
})

test('the eleventh request in a minute from one address is 429; guessing keys is counted too', async () => {
  const { text } = await (await makeTenant(db)).key()
  const address = '192.0.2.55'
  for (let i = 0; i < 10; i++) {
    const { status, headers } = await call('/api/v1/projects', { address, ...(i < 3 ? {} : { key: text }) })
    expect(status).toBe(i < 3 ? 401 : 200)
    expect(headers.get('x-ratelimit-limit')).toBe('10')
    expect(headers.get('x-ratelimit-remaining')).toBe(String(9 - i))
  }
  const { status, headers, body } = await call('/api/v1/projects', { address, key: text })
  expect({ status, code: body.code }).toEqual({ status: 429, code: 'rate_limited' })
  const reset = Number(headers.get('x-ratelimit-reset'))
  expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  expect(Math.abs(reset - Date.now() / 1000 - Number(headers.get('retry-after')))).toBeLessThanOrEqual(2)
  expect((await call('/api/v1/payments', { address, key: text })).status).toBe(200)
})
