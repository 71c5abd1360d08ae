import { expect, test } from 'vitest'
import { newKeyText } from '@/lib/auth/keys'
import { firstRequestUuidAt, newRequestId } from '@/lib/core/ids'
import { isServed } from '@/lib/operations/define'
import { operations } from '@/lib/operations/registry'
import { KEPT_PARAMETERS, linesOf, NAMED_PARAMETERS, type RequestRecord } from './record'

const record = (given: Partial<RequestRecord>): RequestRecord => ({
  requestId: 'req_019aa1b0-7f1e-7b59-9d3e-0a8d5b1f7c2a',
  endedAt: Date.parse('2026-11-20T08:30:00.000Z'),
  contractorId: 'con_1',
  keyId: 'key_1',
  secretHash: undefined,
  method: 'GET',
  url: 'http://localhost/api/v1/invoices',
  endpoint: 'list_invoices',
  mcpMethod: undefined,
  status: 200,
  errorCode: undefined,
  errorMessage: undefined,
  errorFields: undefined,
  address: '203.0.113.9',
  durationMs: 1.26,
  userAgent: null,
  timing: undefined,
  ...given,
})
const batchOf = (...given: Partial<RequestRecord>[]) =>
  linesOf(given.map((each) => ({ record: record(each), counted: undefined })))
/** Lines as the database makes rows of them: with what their kind has. */
const lines = (...given: Partial<RequestRecord>[]) => {
  const batch = batchOf(...given)
  return batch.lines.map((line) => {
    const kind = batch.kinds[line.kind]
    if (!kind) throw new Error('a line has a kind')
    return { ...kind, ...line }
  })
}
const line = (given: Partial<RequestRecord>) => {
  const [only] = lines(given)
  if (!only) throw new Error('a record is a row')
  return only
}

test('a row has the path and the time, whatever the host', () => {
  expect(line({})).toMatchObject({
    id: '019aa1b0-7f1e-7b59-9d3e-0a8d5b1f7c2a',
    at: Date.parse('2026-11-20T08:30:00.000Z'),
    path: '/api/v1/invoices',
    query: undefined,
    duration_ms: 1.3,
  })
  expect(line({ url: 'http://api.localhost:3000/invoices/inv_1?limit=5' })).toMatchObject({
    path: '/api/v1/invoices/inv_1',
    query: 'limit=5',
  })
  expect(line({ url: 'http://mcp.localhost/mcp' }).path).toBe('/mcp')
  expect(line({ url: 'http://localhost' }).path).toBe('/api/v1/')
})

test('an error keeps its message and field names, without quoted values, keys and addresses', () => {
  const key = newKeyText('live')
  const errorMessage = `limit: has no field "hush", and ${key} of ana@example.com, sent twice`
  const { error_message, error_fields } = line({ errorMessage, errorFields: ['limit', key, 'x'.repeat(200)] })
  expect(error_message).toBe('limit: has no field "…", and [removed] of [removed], sent twice')
  expect(error_fields).toEqual(['limit', '[removed]', 'x'.repeat(60)])
  expect(line({ errorMessage: `"${'x'.repeat(5_000)}` }).error_message).toBe('"…"')
  expect(line({})).toMatchObject({ error_message: undefined, error_fields: undefined })
  expect(line({ errorCode: 'conflict', errorFields: ['a word of a file'] }).error_fields).toBeUndefined()
})

test('a query keeps only known parameters, the presence of a page token, and no key', () => {
  const key = newKeyText('live')
  const query = (text: string) => line({ url: `http://localhost/api/v1/invoices?${text}` }).query
  expect(query('status=overdue&limit=50&apikey=hush&token=hush&x')).toBe('status=overdue&limit=50')
  expect(query('pageToken=abc.def&limit=1')).toBe('pageToken=…&limit=1')
  expect(query(`status=${key}`)).toBe('status=[removed]')
  expect(query(`status=${key.replaceAll('_', '%5F')}`)).toBe('status=[removed]')
  expect(query('secret=1')).toBeUndefined()
  const elsewhere = line({ url: `http://localhost/api/v1/${key}/x`, userAgent: `bot ${key}` })
  expect(elsewhere).toMatchObject({ path: '/api/v1/[removed]/x', user_agent: 'bot [removed]' })
})

test('each row of a batch has its own address and client, alike or not', () => {
  const [one, two] = [{ url: 'http://localhost/api/v1/invoices?limit=1', userAgent: 'a' }, { userAgent: 'b' }]
  const shown = lines(one, two, one, { userAgent: '' }).map(({ path, query, user_agent }) => [path, query, user_agent])
  const list = '/api/v1/invoices'
  expect(shown).toEqual([
    [list, 'limit=1', 'a'],
    [list, undefined, 'b'],
    [list, 'limit=1', 'a'],
    [list, undefined, ''],
  ])
})

test('what requests have in common is sent once, and each difference is another kind', () => {
  const likeTheFirst = {
    requestId: 'req_019aa1b0-7f1e-7b59-9d3e-0a8d5b1f7c2b',
    endedAt: 1_764_000_000_000,
    durationMs: 7,
  }
  const others: Partial<RequestRecord>[] = [
    { contractorId: 'con_2' },
    { keyId: 'key_2' },
    { keyId: undefined, secretHash: 'a' },
    { keyId: undefined, secretHash: 'b' },
    { method: 'HEAD' },
    { url: 'http://localhost/api/v1/invoices?limit=1' },
    { endpoint: 'get_invoice' },
    { mcpMethod: 'tools/call' },
    { status: 304 },
    { address: '203.0.113.10' },
    { userAgent: 'a' },
    { errorCode: 'internal' },
    { errorCode: 'internal', errorMessage: 'once more' },
  ]
  const { kinds, lines } = batchOf({}, ...others, likeTheFirst, ...others.slice(0, -2))
  expect(kinds).toHaveLength(1 + others.length)
  expect(lines.map(({ kind }) => kind)).toEqual([...kinds.keys(), 0, ...[...kinds.keys()].slice(1, -2)])
  expect(lines[kinds.length]).toEqual({
    id: likeTheFirst.requestId.slice(4),
    at: likeTheFirst.endedAt,
    duration_ms: likeTheFirst.durationMs,
    kind: 0,
  })
  const counted = linesOf([undefined, 2, 3].map((counted) => ({ record: record({}), counted })))
  expect(counted.kinds.map(({ counted }) => counted)).toEqual([undefined, 2, 3])
})

test('long values from a client are cut', () => {
  const long = 'x'.repeat(5_000)
  const cut = line({
    url: `http://localhost/api/v1/${long}?status=${long}&from=${long}`,
    userAgent: long,
    address: long,
  })
  expect([cut.path.length, cut.query?.length, cut.user_agent?.length, cut.address.length]).toEqual([300, 241, 200, 64])
})

test('every parameter of an endpoint is either kept or noted by name', () => {
  const taken = Object.values(operations)
    .filter(isServed)
    .filter(({ http }) => http.method === 'GET')
    .flatMap(({ input, http }) => Object.keys(input.shape).filter((name) => !http.path.includes(`{${name}}`)))
  expect(taken.length).toBeGreaterThan(8)
  expect(taken.filter((name) => !KEPT_PARAMETERS.has(name) && !NAMED_PARAMETERS.has(name))).toEqual([])
})

test('request ids are UUIDs of version 7, in order of time', () => {
  const id = newRequestId()
  expect(id).toMatch(/^req_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  // RFC 9562, A.6: 0x017F22E279B0 milliseconds are 2022-02-22T19:22:22Z.
  expect(firstRequestUuidAt(new Date('2022-02-22T19:22:22.000Z'))).toBe('017f22e2-79b0-7000-8000-000000000000')
  const now = Date.now()
  expect(firstRequestUuidAt(new Date(now)) > firstRequestUuidAt(new Date(now - 1))).toBe(true)
})
