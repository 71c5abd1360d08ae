import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { insertDelivery } from '@/db/queries/deliveries'
import { type RequestKind, type RequestLine, writeRequests } from '@/db/queries/request-log'
import { beside, conditions, newest, oldest, type RequestFilters } from '@/db/queries/request-pages'
import { operatorFor } from '@/lib/auth/actor'
import { rotateKey } from '@/lib/auth/manage-keys'
import { runCommand } from '@/lib/cli/run'
import { newId, newRequestId, requestIdAt } from '@/lib/core/ids'
import { actorOf } from '@/lib/testing/answer-of'
import { openTestDatabase } from '@/lib/testing/database'
import { personActor } from '@/lib/testing/people'
import { makeTenant } from '@/lib/testing/tenant'
import { execute } from '../execute'
import { getRequest, listRequests, tailRequests } from './log'
import { deleteFilter, listSavedFilters, saveFilter } from './saved-filters'
import { getRequestStats } from './stats'
import { getUsage, listKeyAddresses, listKeyUsage } from './usage'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const NOW = new Date('2026-11-20T08:30:00.000Z')
const at = (secondsAgo: number) => new Date(NOW.getTime() - secondsAgo * 1_000).toISOString()

/** The id and the time of requests that ended one each second before {@link NOW}, of `generate_series(…) g`. */
const eachSecond = sql`(lpad(to_hex((extract(epoch from t) * 1000)::bigint), 12, '0') || '7' || left(replace(gen_random_uuid()::text, '-', ''), 19))::uuid, t`
const seconds = (count: number) =>
  sql`generate_series(1, ${count}::int) g cross join lateral (select ${NOW.toISOString()}::timestamptz - g * interval '1 second' as t) _`

type Given = Partial<RequestKind & Omit<RequestLine, 'at' | 'kind'>> & { at?: string }

async function logTenant() {
  const tenant = await makeTenant(db)
  const key = await tenant.key()
  const ctx = { actor: operatorFor(tenant.contractor.id), now: NOW }
  const line = (given: Given, kind: number): RequestLine => ({
    id: given.id ?? requestIdAt(Date.parse(given.at ?? NOW.toISOString())).slice(4),
    at: Date.parse(given.at ?? NOW.toISOString()),
    duration_ms: given.duration_ms ?? 2.5,
    kind,
  })
  const kindOf = ({ id: _id, at: _at, duration_ms: _took, ...given }: Given): RequestKind => ({
    contractor_id: tenant.contractor.id,
    key_id: key.id,
    secret_hash: undefined,
    method: 'GET',
    path: '/api/v1/invoices',
    query: undefined,
    endpoint: 'list_invoices',
    mcp_method: undefined,
    status: 200,
    error_code: undefined,
    error_message: undefined,
    error_fields: undefined,
    address: '203.0.113.9',
    user_agent: undefined,
    timing: undefined,
    counted: undefined,
    ...given,
  })
  /** Writes requests that are alike, as of one kind. */
  const writeAlike = (given: Given, ...times: string[]) =>
    writeRequests(db, { kinds: [kindOf(given)], lines: times.map((at) => line({ at }, 0)) })
  const write = (...given: Given[]) => writeRequests(db, { kinds: given.map(kindOf), lines: given.map(line) })
  return { ...tenant, made: key, ctx, write, writeAlike }
}

describe('list_requests', () => {
  test('pages go on behind the last one, newest first, each once, also within a millisecond', async () => {
    const { ctx, write } = await logTenant()
    await write(...Array.from({ length: 25 }, (_, i) => ({ at: at(Math.floor(i / 10)) })))
    const seen: string[] = []
    const moments: string[] = []
    let before: string | undefined
    do {
      const page = await execute(listRequests, ctx, { limit: 7, before })
      seen.push(...page.items.map(({ id }) => id))
      moments.push(...page.items.map((item) => item.at))
      before = page.next ?? undefined
    } while (before)
    expect([seen.length, new Set(seen).size]).toEqual([25, 25])
    expect(moments).toEqual([...moments].sort().reverse())
  })

  test('the way back shows the same pages; the first has no previous, the last no next', async () => {
    const { ctx, write } = await logTenant()
    await write(...Array.from({ length: 9 }, (_, i) => ({ at: at(Math.floor(i / 4)) })))
    const idsOf = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id)
    const page = (place: { before?: string; after?: string }) => execute(listRequests, ctx, { limit: 3, ...place })
    const first = await page({})
    const second = await page({ before: first.next ?? '' })
    const third = await page({ before: second.next ?? '' })
    expect([first.previous, third.next]).toEqual([null, null])
    const back = await page({ after: third.previous ?? '' })
    expect(back).toEqual(second)
    const start = await page({ after: back.previous ?? '' })
    expect([idsOf(start), start.previous, start.next]).toEqual([idsOf(first), null, first.next])
    expect(await page({ after: first.previous ?? `${at(-1)}_${first.items[0]?.id.slice(4)}` })).toEqual({
      items: [],
      previous: null,
      next: null,
    })
  })

  test('failed and limited: by their status, and errors of tools that were answered with 200', async () => {
    const { ctx, write } = await logTenant()
    await write(
      { at: at(1), status: 404, error_code: 'not_found' },
      { at: at(2), path: '/mcp', mcp_method: 'tools/call', status: 200, error_code: 'bad_request' },
      { at: at(3), status: 200 },
    )
    await write({ at: at(4), path: '/mcp', mcp_method: 'tools/call', status: 200, error_code: 'rate_limited' })
    const limited = await execute(listRequests, ctx, { limited: true })
    expect(limited.items.map(({ status, errorCode }) => [status, errorCode])).toEqual([[200, 'rate_limited']])
    const { items } = await execute(listRequests, ctx, { failed: true })
    expect(items.map(({ status, errorCode }) => [status, errorCode])).toEqual([
      [404, 'not_found'],
      [200, 'bad_request'],
      [200, 'rate_limited'],
    ])
  })

  test('each filter narrows, alone and together', async () => {
    const { ctx, write, made } = await logTenant()
    await write(
      { at: at(5), method: 'POST', path: '/mcp', endpoint: 'list_invoices', mcp_method: 'tools/call', key_id: 'key_b' },
      { at: at(4), status: 404, error_code: 'not_found', path: '/api/v1/invoices/inv_1', endpoint: 'get_invoice' },
      { at: at(3), status: 429, error_code: 'rate_limited', address: '203.0.113.7' },
      { at: at(2), status: 503, error_code: 'internal' },
      { at: at(1) },
    )
    const statuses = async (filters: object) =>
      (await execute(listRequests, ctx, filters)).items.map(({ status, method }) => `${method} ${status}`)
    expect(await statuses({})).toEqual(['GET 200', 'GET 503', 'GET 429', 'GET 404', 'POST 200'])
    expect(await statuses({ statusClass: 4 })).toEqual(['GET 429', 'GET 404'])
    expect(await statuses({ statusClass: 2 })).toEqual(['GET 200', 'POST 200'])
    expect(await statuses({ status: 404 })).toEqual(['GET 404'])
    expect(await statuses({ method: 'POST' })).toEqual(['POST 200'])
    expect(await statuses({ endpoint: 'get_invoice' })).toEqual(['GET 404'])
    expect(await statuses({ keyId: 'key_b' })).toEqual(['POST 200'])
    expect(await statuses({ keyId: made.id, statusClass: 5 })).toEqual(['GET 503'])
    expect(await statuses({ address: '203.0.113.7' })).toEqual(['GET 429'])
    expect(await statuses({ path: '/api/v1/invoices/' })).toEqual(['GET 404'])
    expect(await statuses({ path: '/api/v1/%' })).toEqual([])
    expect(await statuses({ from: at(3), to: '2026-11-20T02:29:59-06:00' })).toEqual(['GET 503', 'GET 429'])
  })

  test('what has no index is looked for among five thousand rows at a time, and the page says where to go on', async () => {
    const { ctx, write } = await logTenant()
    await write({ at: at(90_000), address: 'rare' })
    await db.orm.execute(sql`insert into request_log (id, at, contractor_id, method, path, endpoint, status, address, duration_ms)
      select ${eachSecond}, ${ctx.actor.contractorId}, 'GET', '/api/v1/customers', 'list_customers', 200, 'common', 1 from ${seconds(6_000)}`)
    const first = await execute(listRequests, ctx, { address: 'rare' })
    expect([first.items, first.next]).toEqual([[], expect.stringContaining(at(5_000))])
    const rest = await execute(listRequests, ctx, { address: 'rare', before: first.next ?? '' })
    expect([rest.items.map(({ address }) => address), rest.next]).toEqual([['rare'], null])
    // Back past rows of which none matches: the page is empty, and nothing lies between it and the one it came from.
    const back = await execute(listRequests, ctx, { address: 'rare', after: rest.previous ?? '' })
    expect([back.items, back.previous]).toEqual([[], expect.stringContaining(at(1_001))])
    expect(back.next).toContain(at(6_000))
    const again = await execute(listRequests, ctx, { address: 'rare', before: back.next ?? '' })
    expect(again.items).toEqual(rest.items)
    const newest = await execute(listRequests, ctx, { address: 'rare', after: back.previous ?? '' })
    expect([newest.items, newest.previous, newest.next]).toEqual([[], null, expect.stringContaining(at(1_000))])
  })

  test('a bad cursor or moment is refused by name', async () => {
    const { ctx } = await logTenant()
    await expect(execute(listRequests, ctx, { before: 'x' })).rejects.toMatchObject({
      code: 'bad_request',
      fields: [{ field: 'before' }],
    })
    await expect(execute(listRequests, ctx, { from: '2026-11-20' })).rejects.toThrow('offset')
    await expect(execute(getRequest, ctx, { id: "req_' or true" })).rejects.toThrow('request id')
  })
})

test('what is looked through is walked by its index, and never all that is in the period', async () => {
  const { contractor, made } = await logTenant()
  await db.orm.execute(sql`insert into request_log (id, at, contractor_id, key_id, method, path, endpoint, status, address, duration_ms)
    select ${eachSecond}, ${contractor.id}, ${made.id}, 'GET', '/api/v1/invoices', 'list_invoices',
      case when g % 2 = 0 then 400 else 200 end, '203.0.113.9', 2.5 from ${seconds(20_000)}`)
  await db.orm.execute(sql`analyze request_log`)
  for (const filters of [{}, { statusClass: 4 }, { keyId: made.id }, { endpoint: 'list_invoices' }]) {
    const { indexed } = conditions({ contractorId: contractor.id, limit: 50, from: at(86_400), to: at(0), ...filters })
    for (const [read, direction] of [[newest, 'Backward'] as const, [oldest, 'Forward'] as const]) {
      const [plan] = await rows<{ 'QUERY PLAN': object }>(
        db.orm,
        sql`explain (format json) ${read(sql`at, status, duration_ms`, indexed, 5_000)}`,
      )
      const text = JSON.stringify(plan)
      expect(text).toContain(`"Scan Direction":"${direction}"`)
      expect(text).not.toContain('"Node Type":"Sort"')
    }
  }
})

test('a page reads the days that it can show, the one before for requests that began in it, and no others', async () => {
  const { contractor, ctx, write } = await logTenant()
  await db.orm.execute(sql`select add_request_days('2027-03-01', 8)`)
  const noon = (day: number) => `2027-03-0${day}T12:00:00.000Z`
  await write(...[1, 2, 3, 4, 5, 6, 7, 8].map((day) => ({ at: noon(day) })))
  const daysOf = async (filters: RequestFilters, start: Parameters<typeof beside>[0] = {}) => {
    const { indexed } = conditions({ contractorId: contractor.id, limit: 50, ...filters })
    const plan = await rows<object>(
      db.orm,
      sql`explain (format json) ${newest(sql`id`, [...indexed, ...beside(start)], 50)}`,
    )
    const parts = [...JSON.stringify(plan).matchAll(/"Relation Name":"request_log_(\w+)"/g)].map(([, part]) => part)
    return parts.filter((part) => part?.startsWith('202703')).sort()
  }
  const all = ['01', '02', '03', '04', '05', '06', '07', '08'].map((day) => `202703${day}`)
  expect(await daysOf({})).toEqual(all)
  const day = { from: '2027-03-05T00:00:00.000Z', to: '2027-03-06T00:00:00.000Z' }
  expect(await daysOf(day)).toEqual(['20270304', '20270305', '20270306'])
  const place = { at: noon(3), id: requestIdAt(Date.parse(noon(3))).slice(4) }
  expect(await daysOf({}, { before: place })).toEqual(all.slice(0, 3))
  expect(await daysOf({ to: noon(8) }, { after: place })).toEqual(all.slice(1))
  // A request that took hours belongs to the day on which it ended.
  const long = requestIdAt(Date.parse(noon(4))).slice(4)
  await write({ id: long, at: '2027-03-05T09:00:00.000Z' })
  const shown = await execute(listRequests, ctx, day)
  expect(shown.items.map(({ at }) => at)).toEqual([noon(5), '2027-03-05T09:00:00.000Z'])
})

describe('get_request_stats', () => {
  test('an hour is counted from its rows, by any filter: bars, errors with those MCP tells, median and 95th percentile', async () => {
    const { ctx, write } = await logTenant()
    const durations = Array.from({ length: 100 }, (_, i) => i + 1)
    await write(
      ...durations.map((ms) => ({ at: at(ms * 10), duration_ms: ms, path: ms > 50 ? '/mcp' : '/api/v1/invoices' })),
    )
    await write({ at: at(30), status: 500 }, { at: at(30), error_code: 'not_found' }, { at: at(5_000) })
    const from = at(3_600)
    const all = await execute(getRequestStats, ctx, { from })
    expect(all).toMatchObject({ requests: 102, errors: 2, sample: 102, countedSince: null, step: 60 })
    expect(all.bars.reduce((sum, bar) => sum + bar.requests, 0)).toBe(102)
    expect(all.bars.every((bar) => bar.at.endsWith(':00.000Z'))).toBe(true)
    const mcp = await execute(getRequestStats, ctx, { from, path: '/mcp' })
    expect(mcp).toMatchObject({ requests: 50, errors: 0, p50Ms: 75.5, p95Ms: 97.6 })
    expect(await execute(getRequestStats, ctx, { from, status: 418 })).toMatchObject({
      requests: 0,
      p50Ms: null,
      bars: [],
    })
    await expect(execute(getRequestStats, ctx, { from: NOW.toISOString(), to: from })).rejects.toThrow('from:')
  })

  test('a day is counted from the hourly sums, with what has no row; a week by the day', async () => {
    const { ctx, write } = await logTenant()
    await write(
      { at: at(60) },
      { at: at(2 * 3_600), status: 404, counted: 5_000 },
      { at: at(3 * 86_400), endpoint: 'mcp' },
    )
    expect(await execute(getRequestStats, ctx, {})).toMatchObject({
      requests: 5_001,
      errors: 5_000,
      sample: 1,
      step: 3_600,
      bars: [
        { at: '2026-11-20T06:00:00.000Z', requests: 5_000, errors: 5_000 },
        { at: '2026-11-20T08:00:00.000Z', requests: 1, errors: 0 },
      ],
    })
    expect(await execute(getRequestStats, ctx, { statusClass: 2 })).toMatchObject({ requests: 1 })
    expect(await execute(getRequestStats, ctx, { failed: true })).toMatchObject({ requests: 5_000, errors: 5_000 })
    expect(await execute(getRequestStats, ctx, { limited: true })).toMatchObject({ requests: 0, bars: [] })
    const week = await execute(getRequestStats, ctx, { from: at(7 * 86_400), endpoint: 'mcp' })
    expect(week).toMatchObject({ step: 86_400, bars: [{ at: '2026-11-17T00:00:00.000Z', requests: 1 }] })
  })

  test('of more rows than are looked through the newest are counted, and since when is said', async () => {
    const { ctx, write } = await logTenant()
    const lines = Array.from({ length: 5_100 }, (_, i) => ({ at: at(i / 8) }))
    for (let i = 0; i < lines.length; i += 500) await write(...lines.slice(i, i + 500))
    const { requests, countedSince, step, bars } = await execute(getRequestStats, ctx, { from: at(3_600) })
    expect([requests, countedSince, step]).toEqual([5_000, at(5_000 / 8), 30])
    expect(bars.length).toBe(21)
  })
})

test('filters are saved by name for one person and one contractor', async () => {
  const { contractor } = await logTenant()
  const people = ['psn_saves', 'psn_other'].map((id) => ({ id, email: `${id}-${contractor.id}@example.com` }))
  for (const { id, email } of people)
    await db.orm.execute(sql`insert into people (id, name, email) values (${`${id}${contractor.id}`}, ${id}, ${email})`)
  const [ana, bob] = people.map(({ id, email }) => ({
    actor: personActor({ id: `${id}${contractor.id}`, email }, contractor.id),
    now: NOW,
  }))
  if (!ana || !bob) throw new Error('two were made')
  await execute(saveFilter, ana, { name: ' Slow ', query: 'path=/mcp' })
  const { id } = await execute(saveFilter, ana, { name: 'Errors', query: 'status=4xx' })
  await execute(saveFilter, ana, { name: 'Errors', query: 'status=5xx' })
  const saved = async (who: typeof ana) =>
    (await execute(listSavedFilters, who, {})).items.map(({ name, query }) => `${name}: ${query}`)
  expect(await saved(ana)).toEqual(['Errors: status=5xx', 'Slow: path=/mcp'])
  expect(await saved(bob)).toEqual([])
  await expect(execute(deleteFilter, bob, { id })).rejects.toMatchObject({ code: 'not_found' })
  const elsewhere = { actor: { ...ana.actor, contractorId: (await logTenant()).contractor.id }, now: NOW }
  expect(await saved(elsewhere)).toEqual([])
  await execute(deleteFilter, ana, { id })
  expect(await saved(ana)).toEqual(['Slow: path=/mcp'])
  await expect(execute(saveFilter, ana, { name: ' ', query: 'status=5xx' })).rejects.toMatchObject({
    code: 'bad_request',
  })
})

test('get_request: its key, who made that, and the delivery it was', async () => {
  const { ctx, write, contractor, made } = await logTenant()
  const [plain, lead] = [newRequestId(), newRequestId()]
  await write({ id: plain.slice(4) }, { id: lead.slice(4), endpoint: 'create_lead', key_id: undefined })
  const delivery = {
    id: newId('delivery'),
    contractorId: contractor.id,
    keyId: null,
    requestId: lead,
    source: 'inbound',
  }
  const kept = { receivedAt: NOW, bytes: 2, body: '{}', outcome: 'refused', status: 400, leadName: 'Ana Lopez' }
  await insertDelivery(db.orm, { ...delivery, ...kept })
  await insertDelivery(db.orm, { ...delivery, ...kept, id: newId('delivery'), replayOf: delivery.id })
  const { key, delivery: none } = await execute(getRequest, ctx, { id: plain })
  expect([key, none]).toEqual([{ name: expect.any(String), last4: made.text.slice(-4), madeBy: 'command line' }, null])
  expect(await execute(getRequest, ctx, { id: lead })).toMatchObject({
    key: null,
    delivery: { id: delivery.id, outcome: 'refused', name: 'Ana Lopez' },
  })
})

test('a contractor sees its own requests only, and no key sees any', async () => {
  const a = await logTenant()
  const b = await logTenant()
  const id = newRequestId()
  await a.write({ id: id.slice(4) }, { contractor_id: undefined, key_id: undefined })
  expect((await execute(getRequest, a.ctx, { id })).id).toBe(id)
  await expect(execute(getRequest, b.ctx, { id })).rejects.toMatchObject({ code: 'not_found' })
  expect((await execute(listRequests, a.ctx, {})).items).toHaveLength(1)
  expect((await execute(listRequests, b.ctx, { keyId: a.made.id })).items).toEqual([])
  expect((await execute(tailRequests, b.ctx, { after: `${at(60)}_${id.slice(4)}` })).items).toEqual([])
  expect((await execute(getUsage, b.ctx, { keyId: a.made.id })).total.requests).toBe(0)
  expect((await execute(listKeyAddresses, b.ctx, { keyId: a.made.id })).items).toEqual([])
  expect((await execute(listKeyUsage, b.ctx, {})).items.map(({ keyId }) => keyId)).toEqual([b.made.id])
  const key = { actor: actorOf(a.contractor), now: NOW }
  const forbidden = { code: 'forbidden' }
  await expect(execute(listRequests, key, {})).rejects.toMatchObject(forbidden)
  await expect(execute(tailRequests, key, {})).rejects.toMatchObject(forbidden)
  await expect(execute(getRequest, key, { id })).rejects.toMatchObject(forbidden)
  await expect(execute(getUsage, key, {})).rejects.toMatchObject(forbidden)
  await expect(execute(listKeyUsage, key, {})).rejects.toMatchObject(forbidden)
  await expect(execute(listKeyAddresses, key, { keyId: a.made.id })).rejects.toMatchObject(forbidden)
})

test('tail_requests: what comes later is there, also what was written down late; nothing is missed', async () => {
  const { ctx, write } = await logTenant()
  await write({ at: at(60), path: '/before' })
  const start = await execute(tailRequests, ctx, {})
  expect(start.items).toEqual([])
  await write({ at: at(-2), path: '/a' })
  const first = await execute(tailRequests, { ...ctx, now: new Date(at(-3)) }, { after: start.cursor })
  // Ended before /a, by another process, and written down after it.
  await write({ at: at(-1), path: '/late' })
  const second = await execute(tailRequests, { ...ctx, now: new Date(at(-4)) }, { after: first.cursor })
  expect(first.items.map(({ path }) => path)).toEqual(['/a'])
  expect(second.items.map(({ path }) => path)).toEqual(['/late', '/a'])
  const third = await execute(tailRequests, { ...ctx, now: new Date(at(-60)) }, { after: second.cursor })
  const fourth = await execute(tailRequests, { ...ctx, now: new Date(at(-61)) }, { after: third.cursor })
  expect(fourth.items).toEqual([])
})

test('requests that are alike have rows of their own, and count in their own hours', async () => {
  const { contractor, made, writeAlike } = await logTenant()
  const times = ['2026-11-20T07:59:59.000Z', '2026-11-20T07:59:59.999Z', '2026-11-20T08:00:00.000Z']
  await writeAlike({ status: 404 }, ...times)
  await writeAlike({ status: 404, counted: 40 }, '2026-11-20T08:00:01.000Z')
  const logged = await rows<{ at: string }>(
    db.orm,
    sql`select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at from request_log where contractor_id = ${contractor.id} order by request_log.at`,
  )
  expect(logged.map(({ at }) => at)).toEqual(times)
  const sums = await rows(
    db.orm,
    sql`select extract(hour from hour at time zone 'UTC')::int as hour, requests, errors, duration_ms from request_sums
      where contractor_id = ${contractor.id} order by hour`,
  )
  expect(sums).toEqual([
    { hour: 7, requests: 2, errors: 2, duration_ms: 5 },
    { hour: 8, requests: 41, errors: 41, duration_ms: 102.5 },
  ])
  const used = await rows(
    db.orm,
    sql`select requests::int, extract(epoch from used_at)::float8 * 1000 as at from key_addresses where key_id = ${made.id}`,
  )
  expect(used).toEqual([{ requests: 43, at: Date.parse('2026-11-20T08:00:01.000Z') }])
})

test('get_usage: hours without gaps, endpoints by busyness, limit hits and MCP’s errors, of one key too', async () => {
  const { ctx, write, made } = await logTenant()
  await write(
    { at: at(3_600) },
    { at: at(60), duration_ms: 4.4 },
    { at: at(50), status: 400, error_code: 'bad_request', duration_ms: 1.6 },
    { at: at(40), path: '/mcp', mcp_method: 'tools/call', error_code: 'rate_limited', key_id: 'key_b' },
    { at: at(30), status: 429, error_code: 'rate_limited', counted: 500, endpoint: 'get_invoice' },
  )
  // One more batch adds to the same hour.
  await write({ at: at(20), duration_ms: 3 })
  const usage = await execute(getUsage, ctx, { from: '2026-11-20T06:00:00Z' })
  expect(usage.total).toEqual({ requests: 505, errors: 502, limited: 501 })
  expect(usage.periods).toEqual([
    { at: '2026-11-20T06:00:00.000Z', requests: 0, errors: 0, limited: 0 },
    { at: '2026-11-20T07:00:00.000Z', requests: 1, errors: 0, limited: 0 },
    { at: '2026-11-20T08:00:00.000Z', requests: 504, errors: 502, limited: 501 },
  ])
  expect(usage.endpoints.map(({ endpoint, face, requests }) => [endpoint, face, requests])).toEqual([
    ['get_invoice', 'api', 500],
    ['list_invoices', 'api', 4],
    ['list_invoices', 'mcp', 1],
  ])
  // (2.5 + 4.4 + 1.6 + 3) / 4 = 2.875
  expect(usage.endpoints[1]?.meanMs).toBe(2.9)
  const ofKey = await execute(getUsage, ctx, { from: '2026-11-20T06:00:00Z', keyId: 'key_b' })
  expect(ofKey.total).toEqual({ requests: 1, errors: 1, limited: 1 })
  const days = await execute(getUsage, ctx, { from: '2026-11-18T00:00:00Z', by: 'day', keyId: made.id })
  expect(days.periods.map(({ requests }) => requests)).toEqual([0, 0, 504])
  expect((await execute(listRequests, ctx, {})).items).toHaveLength(5)
  await expect(execute(getUsage, ctx, { from: '2020-01-01T00:00:00Z' })).rejects.toMatchObject({
    code: 'bad_request',
  })
})

test('after a rotation: who still sends the old secret, when each was last used, and how much in 24 hours', async () => {
  const { ctx, write, made, operator } = await logTenant()
  const successor = await rotateKey(db.orm, made.id, '24h', operator)
  await write(
    { at: at(90_000), address: '203.0.113.1' },
    { at: at(7_200), address: '203.0.113.2' },
    { at: at(600), address: '203.0.113.2' },
    { at: at(60), address: '203.0.113.3', status: 401, error_code: 'unauthorized' },
    { at: at(30), address: '203.0.113.4', key_id: successor.id },
  )
  const { items: addresses } = await execute(listKeyAddresses, ctx, { keyId: made.id })
  expect(addresses).toEqual([
    { address: '203.0.113.3', requests: 1, lastUsedAt: null, lastRefusedAt: at(60) },
    { address: '203.0.113.2', requests: 2, lastUsedAt: at(600), lastRefusedAt: null },
  ])
  const { items: keys } = await execute(listKeyUsage, ctx, {})
  expect(keys).toEqual([
    {
      keyId: successor.id,
      lastUsedAt: at(30),
      lastAddress: '203.0.113.4',
      lastRefusedAt: null,
      requests: 1,
      errors: 0,
      limited: 0,
    },
    {
      keyId: made.id,
      lastUsedAt: at(600),
      lastAddress: '203.0.113.2',
      lastRefusedAt: at(60),
      requests: 3,
      errors: 1,
      limited: 0,
    },
  ])
})

test('plumbline requests: list with filters, show, keyless, tail', async () => {
  const { write, contractor } = await logTenant()
  const id = newRequestId()
  await write(
    { id: id.slice(4), status: 404, error_code: 'not_found' },
    {},
    { contractor_id: undefined, key_id: undefined, path: '/nobody' },
  )
  const run = async (...argv: string[]) => {
    const out: string[] = []
    const err: string[] = []
    const io = { out: (text: string) => void out.push(text), err: (text: string) => void err.push(text), cwd: '/' }
    return { code: await runCommand(['requests', ...argv], io), out: () => out.join(''), err: () => err.join('') }
  }
  const listed = await run('list', '--contractor', contractor.slug, '--class', '4')
  expect([listed.code, listed.out()]).toEqual([
    0,
    expect.stringMatching(/404 not_found .*GET \/api\/v1\/invoices .*req_/),
  ])
  const page = await run('list', '--contractor', contractor.slug, '--limit', '1', '--json')
  expect(JSON.parse(page.out()).items).toHaveLength(1)
  expect(JSON.parse((await run('show', id, '--contractor', contractor.slug)).out())).toMatchObject({ id, status: 404 })
  expect((await run('keyless')).out()).toContain('/nobody')
  expect((await run('tail', '--contractor', contractor.slug, '--for', '1')).code).toBe(0)
  expect((await run('list', '--contractor', contractor.slug, '--class', '9')).code).toBe(2)
  expect((await run('list', '--contractor', 'nobody')).err()).toContain('contractors list')
})
