import { expect, test } from 'vitest'
import { type LogRow, MOST_SHOWN, readTail, withNew } from './log-rows'

const row = (n: number, given: Partial<LogRow> = {}): LogRow => ({
  id: `req_${String(n).padStart(4, '0')}`,
  at: new Date(Date.UTC(2026, 10, 20) + n).toISOString(),
  method: 'GET',
  path: '/api/v1/invoices',
  endpoint: 'list_invoices',
  mcpMethod: null,
  status: 200,
  errorCode: null,
  keyName: 'Sync',
  address: '203.0.113.9',
  durationMs: 2.5,
  ...given,
})
const ids = (rows: LogRow[]) => rows.map(({ id }) => id)

test('new rows go on top, newest first; a row that is already shown is not added again', () => {
  const { rows, added } = withNew([row(3), row(1)], [row(3), row(2), row(4)])
  expect(ids(rows)).toEqual(['req_0004', 'req_0003', 'req_0002', 'req_0001'])
  expect(added).toBe(2)
})

test('within a millisecond the greater id is newer, as on the server', () => {
  const at = '2026-11-20T00:00:00.000Z'
  expect(ids(withNew([row(2, { at })], [row(1, { at }), row(3, { at })]).rows)).toEqual([
    'req_0003',
    'req_0002',
    'req_0001',
  ])
})

test('the page keeps a maximum of rows and drops the oldest', () => {
  const all = Array.from({ length: MOST_SHOWN + 50 }, (_, n) => row(n))
  const { rows } = withNew([], all)
  expect([rows.length, rows[0]?.id, rows.at(-1)?.id]).toEqual([MOST_SHOWN, 'req_0249', 'req_0050'])
})

test('a response is read field by field; an invalid row is left out', () => {
  const tail = { rows: [row(1)], cursor: 'c', more: false }
  expect(readTail(JSON.parse(JSON.stringify(tail)))).toEqual(tail)
  expect(
    readTail({
      ...tail,
      rows: [
        { ...row(1), status: '200' },
        { ...row(2), secret: 'x' },
      ],
    })?.rows,
  ).toEqual([row(2)])
  for (const body of [null, 'x', [], {}, { ...tail, cursor: 1 }, { ...tail, rows: {} }, { ...tail, more: 'no' }])
    expect(readTail(body)).toBeUndefined()
})
