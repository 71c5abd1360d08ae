import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { MOST_EXPORTED } from '@/db/queries/export'
import { SCOPES } from '@/lib/auth/scopes'
import { ADDRESS_HEADER } from '@/lib/http/address'
import { serviceRequest } from '@/lib/http/request'
import { RESOURCES } from '@/lib/resources/registry'
import { findRoute } from '@/lib/testing/answer-of'
import { openTestDatabase } from '@/lib/testing/database'
import { checksumOf, FeedClient, truthOf } from '@/lib/testing/feed-client'
import { askAs, call, makeTenant, sampleBooks } from '@/lib/testing/tenant'
import { EXPORTS } from './export-records'

let db: Database
const mostExported = () => (db.driver === 'pglite' ? MOST_EXPORTED.embedded : MOST_EXPORTED.other)
beforeAll(async () => {
  process.env.RATE_LIMIT_EXPORT = '5'
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

async function tenantWithBooks(count = 3) {
  const tenant = await makeTenant(db)
  await tenant.load(sampleBooks(count))
  return { ...tenant, id: tenant.contractor.id, secret: (await tenant.key()).text }
}

const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

let caller = 0
/** Begins an export; the answer's parts come as the test reads them. */
async function begin(path: string, key: string, headers: Record<string, string> = {}) {
  const url = new URL(path, 'http://localhost')
  const from = { [ADDRESS_HEADER]: `10.9.0.${++caller}`, 'x-api-key': key, ...headers }
  const answer = await findRoute(url.pathname)
  const reply = await answer?.(serviceRequest(new Request(url, { headers: from })))
  if (!reply?.stream) throw new Error(`${path} answered ${reply?.status} ${reply?.body}`)
  return { headers: reply.headers, chunks: reply.stream.chunks, ended: reply.stream.ended }
}

test.each(RESOURCES.map(({ name }) => [name]))(
  '%s: as NDJSON every record as the list gives it, then cursor and count; as CSV the same cells',
  async (name) => {
    const { secret } = await tenantWithBooks(5)
    const listed = (await call(`/api/v1/${name}?limit=100`, { key: secret })).body.items
    const { status, text, headers } = await call(`/api/v1/export/${name}`, { key: secret })
    expect([status, headers.get('content-type')]).toEqual([200, 'application/x-ndjson; charset=utf-8'])
    expect(headers.get('content-disposition')).toMatch(new RegExp(`^attachment; filename="${name}-[-\\d]+\\.ndjson"$`))
    const lines = linesOf(text)
    expect(lines.slice(0, -1)).toEqual(listed)
    expect(lines.at(-1)).toEqual({ cursor: headers.get('x-changes-cursor'), count: 5 })
    const csv = await call(`/api/v1/export/${name}`, { key: secret, headers: { accept: 'text/csv' } })
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const cells = parse<Record<string, string>>(csv.text, { columns: true })
    const texts = listed.map((item: object) =>
      Object.fromEntries(
        Object.entries(item).map(([field, value]) => [field, typeof value === 'number' ? value.toFixed(2) : value]),
      ),
    )
    expect(cells.map((row) => Object.fromEntries(Object.entries(row).filter(([, cell]) => cell !== '')))).toEqual(texts)
    expect((await call(`/api/v1/export/${name}?format=csv`, { key: secret })).text).toBe(csv.text)
  },
)

test('an export while everything changes, then the changes from its cursor, is the truth', async () => {
  const count = mostExported() + 300
  const tenant = await tenantWithBooks(count)
  const client = new FeedClient(askAs(tenant.secret), 500, ['invoices'])
  const { chunks, headers } = await begin('/api/v1/export/invoices', tenant.secret)
  const kept = new Map<string, string>()
  let isFirst = true
  let end: { cursor?: string; count?: number } = {}
  for await (const chunk of chunks) {
    for (const { id, updatedAt, ...rest } of linesOf(String(chunk))) {
      if (id === undefined) end = rest
      else kept.set(id, updatedAt)
    }
    if (!isFirst) continue
    isFirst = false
    await db.orm.execute(
      sql`delete from analytics_invoice_records where contractor_id = ${tenant.id} and source_reference like 'I1%'`,
    )
    await db.orm.execute(
      sql`update analytics_invoice_records set amount = amount + 1 where contractor_id = ${tenant.id} and source_reference like 'I2%'`,
    )
    await tenant.load({ 'invoices.csv': 'Invoice Number,Project ID,Amount,Date\nNEW,P0,5,2024-01-01' })
  }
  expect(end.cursor).toBe(headers['x-changes-cursor'])
  const truth = await truthOf(db, tenant.id)
  expect(checksumOf(kept)).not.toBe(truth.invoices?.checksum)
  client.copy.set('invoices', kept)
  client.cursor = end.cursor ?? ''
  while ((await client.catchUp()) > 0);
  expect(client.proof().invoices).toEqual(truth.invoices)
  expect(client.totals.invoices).toEqual(truth.invoices)
}, 120_000)

test('an interrupted export goes on behind its last whole record, in both forms, to the same records', async () => {
  const count = mostExported() + 50
  const tenant = await tenantWithBooks(count)
  for (const format of ['ndjson', 'csv']) {
    const { chunks, headers, ended } = await begin(`/api/v1/export/projects?format=${format}`, tenant.secret)
    let got = ''
    for await (const chunk of chunks) {
      got += chunk
      // The connection is lost after a part of the records, in the middle of a line.
      if (got.length > 2_000) break
    }
    await ended
    const whole = got.slice(0, got.lastIndexOf('\n', got.length - 40) + 1)
    const all = await call(`/api/v1/export/projects?format=${format}`, { key: tenant.secret })
    const last =
      format === 'csv' ? parse<Record<string, string>>(whole, { columns: true }).at(-1) : linesOf(whole).at(-1)
    const cursor = headers['x-changes-cursor']
    const rest = await call(
      `/api/v1/export/projects?format=${format}&cursor=${cursor}&after=${last.updatedAt},${last.id}`,
      { key: tenant.secret },
    )
    const recordsOf = (text: string) => text.split('\n').filter((line) => line !== '' && !line.startsWith('{"cursor"'))
    expect(recordsOf(whole + rest.text)).toEqual(recordsOf(all.text))
    if (format === 'ndjson') expect(linesOf(rest.text).at(-1).cursor).toBe(cursor)
  }
})

test('gzip for those who take it', async () => {
  const { secret } = await tenantWithBooks(40)
  const { chunks, headers } = await begin('/api/v1/export/invoices', secret, { 'accept-encoding': 'br, gzip;q=0.5' })
  expect([headers['content-encoding'], headers.vary]).toEqual(['gzip', 'Accept, Accept-Encoding'])
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(Buffer.from(chunk))
  expect(linesOf(gunzipSync(Buffer.concat(parts)).toString())).toHaveLength(41)
  const plain = await begin('/api/v1/export/invoices', secret, { 'accept-encoding': 'gzip;q=0' })
  expect(plain.headers['content-encoding']).toBeUndefined()
  await plain.chunks.return(undefined)
})

test('a formula that somebody wrote leaves as text, a phone number as it is', async () => {
  const tenant = await makeTenant(db)
  await tenant.load({
    'customers.csv': `Customer ID,Name,Phone\nC1,"=HYPERLINK(""http://evil"")",(615) 555-0142`,
    'projects.csv': 'Project ID,Customer ID,Name,Total Amount\nP1,C1,-2+3,(75.50)',
  })
  const { text: key } = await tenant.key()
  const { text: customers } = await call('/api/v1/export/customers?format=csv', { key })
  expect(customers).toContain(`,"'=HYPERLINK(""http://evil"")",`)
  expect(customers).toContain(',+16155550142,')
  const { text: projects } = await call('/api/v1/export/projects?format=csv', { key })
  expect(projects).toMatch(/,'-2\+3,estimate,-75\.50,/)
})

describe('refusals', () => {
  test.each([
    ['format=xml', /^format:/],
    ['after=nonsense', /^after: must be `updatedAt` and `id`/],
    ['after=2026-01-01T00:00:00Z,inv_1', /^cursor: is needed with after/],
    ['cursor=nonsense&after=2026-01-01T00:00:00Z,inv_1', /not one that this API gave/],
  ])('400 for %s', async (query, message) => {
    const { secret } = await tenantWithBooks(1)
    const { status, body } = await call(`/api/v1/export/invoices?${query}`, { key: secret })
    expect([status, body.error]).toEqual([400, expect.stringMatching(message)])
  })

  test('400 for a cursor of other resources, 410 for one that is too old', async () => {
    const { secret, id } = await tenantWithBooks(2)
    const { headers } = await call('/api/v1/export/projects', { key: secret })
    const cursor = headers.get('x-changes-cursor')
    const after = 'after=2026-01-01T00:00:00Z,inv_1'
    expect((await call(`/api/v1/export/invoices?cursor=${cursor}&${after}`, { key: secret })).status).toBe(400)
    await rows(
      db.orm,
      sql`update change_heads set forgotten_to = position + 1, position = position + 2 where contractor_id = ${id}`,
    )
    expect((await call(`/api/v1/export/projects?cursor=${cursor}&${after}`, { key: secret })).status).toBe(410)
  })

  test('403 without the scope; HEAD begins nothing; one more than a contractor may run at once is 429', async () => {
    const { secret, key } = await tenantWithBooks(1)
    const lacking = await key(SCOPES.filter((scope) => scope !== 'read:invoices'))
    expect((await call('/api/v1/export/invoices', { key: lacking.text })).status).toBe(403)
    for (let i = 0; i <= EXPORTS.ofSubject; i++) {
      const head = await call('/api/v1/export/invoices', { key: secret, method: 'HEAD' })
      expect([head.status, head.text]).toEqual([200, ''])
    }
    // Ended before it began, as a framework does when the client has gone.
    for (let i = 0; i <= EXPORTS.ofSubject; i++) {
      const { chunks } = await begin('/api/v1/export/invoices', secret, { 'accept-encoding': 'gzip' })
      await chunks.return(undefined)
    }
    const open = []
    for (let i = 0; i < EXPORTS.ofSubject; i++) open.push(await begin('/api/v1/export/invoices', secret))
    const { text: another } = await key()
    const refused = await call('/api/v1/export/invoices', { key: another })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10'])
    await open[0]?.chunks.return(undefined)
    expect((await call('/api/v1/export/invoices', { key: secret })).status).toBe(200)
    for await (const _ of open[1]?.chunks ?? []);
  })

  test('its own limit counts by address', async () => {
    const { secret } = await tenantWithBooks(1)
    const statuses = []
    for (let i = 0; i < 6; i++)
      statuses.push((await call('/api/v1/export/payments', { key: secret, address: '192.0.2.77' })).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    expect((await call('/api/v1/payments', { key: secret, address: '192.0.2.77' })).status).toBe(200)
  })
})
