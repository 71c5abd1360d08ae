import { gunzipSync } from 'node:zlib'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { estimateFound } from '@/db/queries/count'
import { env } from '@/lib/core/env'
import { ADDRESS_HEADER } from '@/lib/http/address'
import { serviceRequest } from '@/lib/http/request'
import { resources } from '@/lib/resources/registry'
import { findRoute } from '@/lib/testing/answer-of'
import { openTestDatabase } from '@/lib/testing/database'
import { call, makeTenant, sampleBooks } from '@/lib/testing/tenant'

let db: Database
let key: string
let tenant: Awaited<ReturnType<typeof makeTenant>>
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
  tenant = await makeTenant(db)
  await tenant.load(sampleBooks(30))
  key = (await tenant.key()).text
})
afterAll(() => db.close())

const get = async (path: string, headers: Record<string, string> = {}) => call(`/api/v1/${path}`, { key, headers })

describe('fields', () => {
  test('a list and a record have only the fields asked for, with amounts to the digit', async () => {
    const list = await get('invoices?limit=2&fields=amount,id')
    expect(list.body.items.map(Object.keys)).toEqual([
      ['id', 'amount'],
      ['id', 'amount'],
    ])
    expect(list.text).toMatch(/"amount":\d+\.25[,}]/)
    expect(typeof list.body.nextPageToken).toBe('string')
    const { id } = list.body.items[0]
    expect((await get(`invoices/${id}?fields=number`)).body).toEqual({ number: expect.stringMatching(/^I\d+$/) })
    expect((await get('invoices?limit=1&fields=id,nope')).body).toMatchObject({ fields: [{ field: 'fields' }] })
  })

  test('a page token works with other fields than the page before had', async () => {
    const first = await get('invoices?limit=20&fields=id')
    const second = await get(`invoices?limit=20&pageToken=${first.body.nextPageToken}`)
    expect(second.body.items).toHaveLength(10)
    expect(Object.keys(second.body.items[0])).toContain('number')
  })
})

describe('expand', () => {
  test.each([
    ['invoices', ['project', 'customer', 'payments']],
    ['payments', ['project', 'customer', 'invoice']],
    ['projects', ['customer', 'invoices', 'payments', 'estimates']],
    ['customers', ['projects', 'invoices', 'payments', 'estimates']],
    ['estimates', ['project', 'customer']],
  ] as const)('%s shows %s, in the shapes of their own lists', async (name, expand) => {
    const { status, body } = await get(`${name}?limit=100&expand=${expand.join(',')}`)
    expect(status).toBe(200)
    expect(body.items).toHaveLength(30)
    for (const item of body.items) {
      const plain = await get(`${name}/${item.id}`)
      expect(item).toMatchObject(plain.body)
      break
    }
    const [first] = body.items
    for (const field of expand) {
      const several = Object.values(resources).find((resource) => resource.name === field)
      if (field === 'invoice' || (name === 'invoices' && field === 'payments')) continue
      const shown = several ? first[field].items[0] : first[field]
      const own = await get(`${several?.name ?? `${field}s`}/${shown.id}`)
      expect(shown, field).toEqual(own.body)
    }
  })

  test('of several the ten latest changed, and whether there are more', async () => {
    const { contractor, load, key: make } = await makeTenant(db)
    const books = sampleBooks(1)
    const invoices = Array.from({ length: 13 }, (_, i) => `I${i},P0,${i + 1}.25,2024-01-05,2024-02-05`)
    await load({ ...books, 'invoices.csv': ['Invoice Number,Project ID,Amount,Date,Due Date', ...invoices].join('\n') })
    const own = (await make()).text
    const { body } = await call('/api/v1/projects?expand=invoices,customer&fields=name', { key: own })
    expect(body.items).toHaveLength(1)
    const [project] = body.items
    expect(Object.keys(project)).toEqual(['name', 'customer', 'invoices'])
    expect(project.invoices.items).toHaveLength(10)
    expect(project.invoices.more).toBe(true)
    expect(project.customer.name).toBe('Customer 0')
    const times = project.invoices.items.map(({ updatedAt }: { updatedAt: string }) => updatedAt)
    expect(times).toEqual([...times].sort().reverse())
    expect(project.invoices.items.every((each: { contractorId: string }) => each.contractorId === contractor.id)).toBe(
      true,
    )
  })

  test('403 when the key lacks the scope of what is expanded', async () => {
    const { text } = await tenant.key(['read:invoices'])
    const refused = await call('/api/v1/invoices?expand=customer', { key: text })
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    expect(refused.body.error).toContain('read:customers')
    expect((await call('/api/v1/invoices', { key: text })).status).toBe(200)
  })
})

describe('count', () => {
  test('exact with filters, on every page; absent unless asked for', async () => {
    const first = await get('invoices?count=true&limit=20&status=overdue')
    expect(first.body).toMatchObject({ count: 30, countIsExact: true })
    expect(Object.keys(first.body)).toEqual(['apiVersion', 'count', 'countIsExact', 'items', 'nextPageToken'])
    const token = first.body.nextPageToken
    expect((await get(`invoices?count=true&limit=20&status=overdue&pageToken=${token}`)).body.count).toBe(30)
    expect((await get('invoices?count=true&status=paid')).body).toMatchObject({ count: 0, countIsExact: true })
    expect((await get('invoices')).body).not.toHaveProperty('count')
    expect((await get('invoices?count=yes')).status).toBe(400)
  })

  test('beyond what is counted it is an estimate that says so, near the truth', async () => {
    const { contractor, load, key: make } = await makeTenant(db)
    await load(sampleBooks(1))
    // 12,000 payments of one project, a third of them for 9.00.
    await rows(
      db.orm,
      sql`insert into analytics_revenue_transactions (id, contractor_id, project_id, customer_id, type, amount, currency, date, method, source_reference)
        select 'pay_' || project_id || '_' || i, contractor_id, project_id, customer_id, 'payment_received', case when i % 3 = 0 then 9 else 1 end,
          'USD', now(), 'check', 'X' || i
        from generate_series(1, 36000) i, (select * from analytics_revenue_transactions where contractor_id = ${contractor.id} limit 1) t`,
    )
    await rows(db.orm, sql`select number_changes(${contractor.id}, 100000)`)
    const own = (await make()).text
    const all = await call('/api/v1/payments?count=true&limit=1', { key: own })
    expect(all.body).toMatchObject({ countIsExact: false })
    expect(Math.abs(all.body.count - 36_001)).toBeLessThanOrEqual(36_001 * 0.05)
    const some = await call('/api/v1/payments?count=true&limit=1&minAmount=5', { key: own })
    expect(some.body.countIsExact).toBe(false)
    expect(some.body.count).toBeGreaterThan(9_000)
    expect(some.body.count).toBeLessThan(15_000)
    const query = { contractorId: contractor.id, filters: [], sort: undefined }
    expect(await estimateFound(db, resources.payments.source, 'payments', query)).toBe(all.body.count)
  })
})

describe('versions', () => {
  test('an unchanged page is 304 with the same ETag; a changed record makes a new one', async () => {
    const first = await get('payments?limit=5')
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^W\/"[\w-]+"$/)
    const again = await get('payments?limit=5', { 'if-none-match': etag })
    expect(again).toMatchObject({ status: 304, text: '' })
    expect(again.headers.get('etag')).toBe(etag)
    expect(again.headers.get('x-ratelimit-limit')).not.toBeNull()
    expect((await get('payments?limit=6', { 'if-none-match': etag })).status).toBe(200)
    expect((await get('payments?limit=5&fields=id', { 'if-none-match': etag })).status).toBe(200)
    const [{ id }] = first.body.items
    await rows(db.orm, sql`update analytics_revenue_transactions set reference = 'changed' where id = ${id}`)
    expect((await get('payments?limit=5', { 'if-none-match': etag })).status).toBe(200)
  })

  test('a record is 304 until it changes', async () => {
    const [{ id }] = (await get('projects?limit=1')).body.items
    const etag = (await get(`projects/${id}`)).headers.get('etag') ?? ''
    expect((await get(`projects/${id}`, { 'if-none-match': `"other", ${etag}` })).status).toBe(304)
    await rows(db.orm, sql`update projects set name = 'Renamed' where id = ${id}`)
    expect((await get(`projects/${id}`, { 'if-none-match': etag })).status).toBe(200)
  })

  test('with expansions what belongs to a record is part of the version', async () => {
    const path = 'projects?limit=3&sort=-amount&expand=customer'
    const etag = (await get(path)).headers.get('etag') ?? ''
    expect((await get(path, { 'if-none-match': etag })).status).toBe(304)
    const [{ customerId }] = (await get(path)).body.items
    await rows(db.orm, sql`update users set name = 'Another name' where id = ${customerId}`)
    expect((await get(path, { 'if-none-match': etag })).status).toBe(200)
  })
})

describe('without a secret for page tokens', () => {
  const [secret] = env().tokenSecrets
  beforeAll(() => Object.assign(env(), { tokenSecrets: [undefined, undefined] }))
  afterAll(() => Object.assign(env(), { tokenSecrets: [secret, undefined] }))

  test('a list that ends before its last record says so, also to a client that has it, and so does /metadata', async () => {
    const cut = await get('invoices?limit=29')
    expect(cut).toMatchObject({ status: 200, body: { nextPageToken: null } })
    const complete = (headers: Headers) => headers.get('list-complete')
    expect(complete(cut.headers)).toBe('?0;missing="EXTERNAL_API_TOKEN_SECRET"')
    const held = await get('invoices?limit=29', { 'if-none-match': cut.headers.get('etag') ?? '' })
    expect([held.status, complete(held.headers)]).toEqual([304, complete(cut.headers)])
    expect(complete((await get('invoices?limit=30')).headers)).toBeNull()
    expect((await get('metadata')).body.pageTokens).toBe(false)
  })
})

test('Link leads to the next page with the same filters, and is absent on the last', async () => {
  const first = await get('invoices?status=overdue&limit=20&sort=-amount')
  const link = first.headers.get('link') ?? ''
  const [, url = ''] = /^<([^>]+)>; rel="next"$/.exec(link) ?? []
  expect(new URL(url).searchParams.get('pageToken')).toBe(first.body.nextPageToken)
  const { pathname, search } = new URL(url)
  const second = await call(pathname + search, { key })
  expect(second.body.items).toHaveLength(10)
  expect(second.headers.get('link')).toBeNull()
})

test('a long answer is gzip for who takes it, the same text otherwise', async () => {
  const path = '/api/v1/invoices?limit=30'
  const ask = async (accepted: string) => {
    const headers = { 'x-api-key': key, 'accept-encoding': accepted, [ADDRESS_HEADER]: '198.51.100.7' }
    const answer = await findRoute('/api/v1/invoices')
    return await answer?.(serviceRequest(new Request(`http://localhost${path}`, { headers })))
  }
  const plain = await ask('identity')
  expect(plain?.headers).not.toHaveProperty('content-encoding')
  expect(plain?.headers.vary).toBe('Accept-Encoding')
  for (const refused of ['gzip;q=0', 'br', ''])
    expect((await ask(refused))?.headers['content-encoding'], refused).toBeUndefined()
  const packed = await ask('br;q=1.0, gzip;q=0.8')
  expect(packed?.headers['content-encoding']).toBe('gzip')
  const bytes = packed?.body as Uint8Array
  expect(packed?.headers['content-length']).toBe(String(bytes.length))
  const tokenless = (text: string) => text.replace(/"nextPageToken":.*/, '')
  expect(tokenless(gunzipSync(bytes).toString())).toBe(tokenless(String(plain?.body)))
  expect(bytes.length * 4).toBeLessThan(String(plain?.body).length)
})

test('updatedAfter takes a day and the first year; beyond what has a date is 400, never 500', async () => {
  const count = async (query: string) => (await get(`invoices?limit=100&${query}`)).body.items?.length
  expect(await count('updatedAfter=0001-01-01T00:00:00Z')).toBe(30)
  expect(await count('updatedAfter=0001-01-01')).toBe(30)
  expect(await count('updatedAfter=2026-01-01')).toBe(30)
  expect(await count('updatedAfter=9999-12-31')).toBe(0)
  expect(await count('from=0001-01-01&to=9999-12-31')).toBe(30)
  // A bare plus in a query that is read as a form is a space; only an offset can stand there.
  for (const at of ['2026-01-01T00:00:00+00:00', '2026-01-01T05:30:00+0530', '2026-01-01T00:00:00%2B00:00'])
    expect(await count(`updatedAfter=${at}&from=${at}`), at).toBe(
      await count('updatedAfter=2026-01-01&from=2026-01-01'),
    )
  for (const wrong of ['2026-01-01+00:00', '2026-01-01T00:00:00++00:00', '2026-01-01T00:00:00+'])
    expect((await get(`invoices?updatedAfter=${wrong}`)).status, wrong).toBe(400)
  for (const out of ['0001-01-01T00:00:00%2B14:00', '9999-12-31T23:59:59-14:00', '0000-01-01', '2026-02-30'])
    expect((await get(`invoices?updatedAfter=${out}`)).status, out).toBe(400)
})
