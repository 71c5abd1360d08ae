import { expect, test } from 'vitest'
import { emptyReport } from './file'
import { LoadProgress } from './progress'

const report = (file: string, rows: number) => ({ ...emptyReport(file), rows })

test('a file that is read once for each of its resources is at its end only when it was read for all', () => {
  const progress = new LoadProgress(new Map([['billed.csv', 1_000]]))
  const read = { file: 'billed.csv', parts: 3 }
  expect(progress.line(report('customers', 100), { ...read, part: 1, line: 1_001 }, true)).toMatch(
    /^customers \[#{8} {16}\] 33%, 1,000 of 3,000 rows, /,
  )
  expect(progress.line(report('projects', 50), { ...read, part: 2, line: 500 }, false)).toMatch(
    /^projects 50%, 1,500 of 3,000 rows, /,
  )
  expect(progress.line(report('invoices', 1_000), { ...read, part: 3, line: 1_001 }, false)).toMatch(
    / 100%, 3,000 of 3,000 rows, .* 0:00 left$/,
  )
})

test('rows of a file that was not begun count, and deleting reads none', () => {
  const progress = new LoadProgress(
    new Map([
      ['customers.csv', 100],
      ['invoices.csv', 300],
    ]),
  )
  const customers = { file: 'customers.csv', part: 1, parts: 1, line: 101 }
  expect(progress.line(report('customers.csv', 100), customers, false)).toMatch(/ 25%, 100 of 400 rows, /)
  expect(progress.line(report('customers.csv', 100), undefined, false)).toMatch(/ 25%, 100 of 400 rows, /)
})

test('a workbook does not say how many rows it has before it is read, and no share is made up', () => {
  const progress = new LoadProgress(new Map([['book.xlsx', undefined]]))
  const line = progress.line(report('book.xlsx', 64), { file: 'book.xlsx', part: 1, parts: 1, line: 65 }, true)
  expect(line).toMatch(/^book\.xlsx: 64 rows, [\d,]+ rows\/s$/)
})
