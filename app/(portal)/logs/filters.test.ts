import { expect, test } from 'vitest'
import { logDays } from './days'
import { dayShown, hasEmptyParts, inPeriod, logHref, onDay, periodWords, readFilters } from './filters'

const ID = '019aa1b0-7f1e-7b59-9d3e-0a8d5b1f7c2a'

test('every field sets its filter', () => {
  const { filters, faults, place } = readFilters({
    status: '404',
    path: ' /api/v1/invoices ',
    key: 'key_1',
    method: 'get',
    endpoint: 'list_invoices',
    address: '2001:DB8::1',
    from: '2026-11-20',
    to: '2026-11-20T08:30',
    before: 'x',
  })
  expect(faults).toEqual({})
  expect(place).toEqual({ before: 'x' })
  expect(filters).toEqual({
    status: 404,
    path: '/api/v1/invoices',
    keyId: 'key_1',
    method: 'GET',
    endpoint: 'list_invoices',
    address: '2001:db8::1',
    from: '2026-11-20T00:00:00.000Z',
    to: '2026-11-20T08:30:00.000Z',
  })
})

test.each([
  ['4xx', { statusClass: 4 }],
  ['5XX', { statusClass: 5 }],
  ['200', { status: 200 }],
  ['failed', { failed: true }],
  ['limited', { limited: true }],
])('status %s', (status, filters) => expect(readFilters({ status })).toMatchObject({ filters, faults: {} }))

test.each([
  [{ status: '6xx' }, 'status'],
  [{ status: '40' }, 'status'],
  [{ from: 'yesterday' }, 'from'],
  [{ to: '2026-02-30' }, 'to'],
  [{ id: 'req_1' }, 'id'],
  [{ from: '2026-11-21', to: '2026-11-20' }, 'to'],
])('%j: the field gets an error and keeps its value, and does not filter', (search, field) => {
  const { faults, values, filters } = readFilters(search)
  expect(Object.keys(faults)).toEqual([field])
  expect(values).toEqual(search)
  expect(Object.keys(filters)).toEqual(field === 'to' && 'from' in search ? ['from'] : [])
})

test('a period ends now; an explicit time takes precedence', () => {
  const now = new Date('2026-11-20T08:30:00.000Z')
  expect(readFilters({ period: '1h' }, now).filters).toEqual({ from: '2026-11-20T07:30:00.000Z' })
  expect(readFilters({ period: '7d', to: '2026-11-19' }, now).filters).toEqual({ to: '2026-11-19T00:00:00.000Z' })
  expect(readFilters({ period: 'constructor' }, now)).toMatchObject({
    filters: {},
    faults: { period: expect.any(String) },
  })
  expect(inPeriod({ status: '4xx', period: '1h', from: '2026-11-20' }, '24h')).toBe('/logs?status=4xx&period=24h')
  expect(inPeriod({ period: '1h' }, undefined)).toBe('/logs')
})

test('a time with an offset is converted correctly', () => {
  expect(readFilters({ from: '2026-11-20T08:30:00-06:00' }).filters.from).toBe('2026-11-20T14:30:00.000Z')
})

test.each([ID, `req_${ID}`, `REQ_${ID}`.toUpperCase()])('%s finds one request', (id) => {
  expect(readFilters({ id })).toMatchObject({ requestId: `req_${ID}`, filters: {}, faults: {} })
})

test('a link contains only the active filters; the first of two values counts', () => {
  const search = { status: ['4xx', '5xx'], path: '', key: undefined, unknown: 'x' }
  expect(hasEmptyParts(search)).toBe(true)
  expect(logHref(readFilters(search).values)).toBe('/logs?status=4xx')
  expect(logHref({})).toBe('/logs')
  expect(logHref({ path: '/a b&c', from: '2026-11-20' }, { before: 'c_1' })).toBe(
    '/logs?path=%2Fa+b%26c&from=2026-11-20&before=c_1',
  )
  expect(logHref({}, { after: 'c_1' })).toBe('/logs?after=c_1')
  expect(hasEmptyParts({ status: '4xx' })).toBe(false)
})

test('yesterday is the contractor’s, over a change of clocks too, and is shown as such', () => {
  const [today, yesterday] = logDays({ today: '2026-11-02', zone: 'America/Chicago' })
  expect(today).toEqual({ name: 'Today', from: '2026-11-02T06:00:00.000Z' })
  expect(yesterday).toEqual({ name: 'Yesterday', from: '2026-11-01T05:00:00.000Z', to: '2026-11-02T06:00:00.000Z' })
  if (!today || !yesterday) throw new Error('there are two days')
  const href = onDay({ status: 'failed', period: '7d' }, yesterday)
  const { values, filters, faults } = readFilters(Object.fromEntries(new URL(href, 'http://portal').searchParams))
  expect(faults).toEqual({})
  expect(filters).toEqual({ failed: true, from: yesterday.from, to: yesterday.to })
  expect(dayShown(values, [today, yesterday])).toBe(yesterday)
  expect([periodWords(values, [today, yesterday]), periodWords({ period: '7d' }, [today])]).toEqual([
    'Yesterday',
    'Last 7 days',
  ])
})
