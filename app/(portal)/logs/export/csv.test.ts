import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { EXAMPLE } from '@/lib/operations/requests/fields'
import { CSV_HEAD, csvOf } from './csv'

test('lines match their header, and a spreadsheet runs no formula from a caller', () => {
  const rows = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', 'a,"b"\nc'].map((userAgent) => ({
    ...EXAMPLE,
    userAgent,
    keyName: '=key',
    errorFields: ['limit', 'status'],
  }))
  const read = parse(CSV_HEAD + csvOf(rows), { columns: true }) as Record<string, string>[]
  expect(read.map(({ client }) => client)).toEqual(["'=1+1", "'+1", "'-1", "'@SUM(A1)", "'\t=1", 'a,"b"\nc'])
  expect(read[0]).toMatchObject({
    id: EXAMPLE.id,
    time: EXAMPLE.at,
    key: "'=key",
    error_code: '',
    error_fields: 'limit status',
    duration_ms: '3.2',
  })
})
