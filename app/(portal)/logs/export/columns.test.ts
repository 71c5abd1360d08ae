import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { csvLine } from '@/lib/core/csv-line'
import { EXAMPLE } from '@/lib/operations/requests/fields'
import { cellsOf, HEAD } from './columns'

test('lines match their header, and a spreadsheet runs no formula from a caller', () => {
  const rows = ['=1+1', '+1+1', '-1', '@SUM(A1)', '\t=1', 'a,"b"\nc'].map((userAgent) => ({
    ...EXAMPLE,
    userAgent,
    keyName: '=key',
    errorFields: ['limit', 'status'],
  }))
  const read = parse([HEAD, ...rows.map(cellsOf)].map(csvLine).join(''), { columns: true }) as Record<string, string>[]
  expect(read.map(({ client }) => client)).toEqual(["'=1+1", "'+1+1", '-1', "'@SUM(A1)", "'\t=1", 'a,"b"\nc'])
  expect(read[0]).toMatchObject({
    id: EXAMPLE.id,
    time: EXAMPLE.at,
    key: "'=key",
    error_code: '',
    error_fields: 'limit status',
    duration_ms: '3.2',
  })
})
