import { expect, test } from 'vitest'
import { centsOf } from '@/lib/core/money'
import { invoices } from '@/lib/resources/invoices'
import { asAmount } from '../join/fills'
import { fileKind } from '../kinds'
import { OddRows } from './odd'

const NOW = Date.parse('2026-11-20T00:00:00Z')

/** Looks at ordinary rows and these. */
function oddOf(rows: Record<string, string | null>[]) {
  const odd = new OddRows(fileKind(invoices), NOW)
  const look = (values: Record<string, string | null>, line: number) =>
    odd.look({
      line,
      values: { project: `P${line}`, date: '2026-11-01T00:00:00.000Z', ...values },
      faults: [],
      malformed: false,
    })
  for (let line = 2; line < 42; line++) look({ reference: `I${line}`, amount: `${90 + line}.00` }, line)
  for (const [i, row] of rows.entries()) look(row, 100 + i)
  return odd.worst().map(({ line, field, reason }) => [line, field, reason])
}

test('ordinary rows are not odd', () => {
  expect(oddOf([{ reference: 'I1', amount: '400.00' }])).toEqual([])
})

test('odd rows are found and the oddest come first, at most ten', () => {
  const found = oddOf([
    { reference: 'A', amount: '0.00' },
    { reference: 'B', amount: '-50.00' },
    { reference: 'C', amount: '100.00', dueDate: '2026-10-01T00:00:00.000Z' },
    { reference: 'D', amount: '100.00', date: '2062-11-01T00:00:00.000Z' },
    { reference: 'E', amount: '100.00', date: '1926-11-01T00:00:00.000Z' },
    { reference: 'F', amount: '111.00', project: 'P2' },
    { reference: 'G', amount: '111.00', project: 'P2' },
    { reference: 'H', amount: '1100000.00' },
  ])
  expect(found).toEqual([
    [107, 'Amount', expect.stringMatching(/times the middle amount of the file \(11\d\)$/)],
    [103, 'Date', 'is more than 35 years ahead'],
    [104, 'Date', 'is more than 100 years ago'],
    [106, 'Amount', expect.stringContaining('the same as on line 105')],
    [102, 'Due Date', 'is before the date'],
    [101, 'Amount', 'is negative, so it is taken as a credit'],
    [100, 'Amount', 'is zero'],
  ])
  expect(oddOf(Array.from({ length: 30 }, (_, i) => ({ reference: `Z${i}`, amount: '0.00' })))).toHaveLength(10)
})

test.each(['0.00', '-0.05', '12.30', '-1234567890123.99'])('cents and back: %s', (text) => {
  expect(asAmount(centsOf(text))).toBe(text)
})
