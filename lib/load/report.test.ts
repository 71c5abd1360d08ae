import { expect, test } from 'vitest'
import type { Fault } from './fault'
import { addFault, type LoadReport } from './report'
import { formatReport } from './report-text'

const counts = { rows: 3, added: 1, updated: 0, unchanged: 1, refused: 1 }
const fault = (n: number): Fault => ({
  file: 'customers.csv',
  line: n,
  field: 'Email',
  value: `x${n}`,
  reason: 'is none',
})
const reportOf = (): LoadReport => ({
  files: [
    { file: 'customers.csv', ...counts, ignored: ['Fax', 'Pager\u001b'], problem: null },
    { file: 'projects.csv', ...counts, rows: 12_345, ignored: [], problem: 'The column Name is missing.' },
  ],
  faults: [],
  faultCount: 0,
  customersWithoutProject: 2_000,
  stopped: false,
  milliseconds: 1_234,
})

test('a thousand errors are kept, all are counted and passed on, values are cut to 60 characters without splitting one', () => {
  const report = reportOf()
  const heard: Fault[] = []
  const long = { ...fault(0), value: `${'x'.repeat(59)}😀y` }
  for (const each of [long, ...Array.from({ length: 1_499 }, (_, i) => fault(i + 1))])
    addFault(report, each, (noted) => heard.push(noted))
  expect([report.faults.length, report.faultCount, heard.length]).toEqual([1_000, 1_500, 1_500])
  expect(heard[0]?.value).toBe('x'.repeat(59))
})

test('the text has a table, problems, unused columns, twenty faults, the note on customers, and the time', () => {
  const report = reportOf()
  addFault(
    report,
    { file: 'projects.csv', line: null, field: null, value: null, reason: 'The column Name is missing.' },
    undefined,
  )
  for (let i = 2; i < 32; i++) addFault(report, fault(i), undefined)
  const text = formatReport(report)
  expect(text).toMatch(
    /^file +rows +added +updated +unchanged +refused\ncustomers\.csv +3 +1 +0 +1 +1\nprojects\.csv +12,345/,
  )
  expect(text.split('projects.csv: The column Name is missing.')).toHaveLength(2)
  expect(text).toContain('customers.csv: unused columns: Fax, Pager \n')
  expect(text).toContain('  customers.csv:2 Email "x2": is none\n')
  expect(text).toContain('"x21"')
  expect(text).not.toContain('"x22"')
  expect(text).toContain('and 10 more')
  expect(text).toContain('Customers without a project: 2,000.')
  expect(text).toContain('Not everything was loaded; see above. It took 1.2 s.')
  expect(text).not.toContain('Done')
})

test('control characters of a file do not reach the terminal', () => {
  const report = reportOf()
  addFault(report, { ...fault(2), value: 'a\u001b[2J\u009b2J\nb', field: 'E\u001b' }, undefined)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must be gone.
  expect(formatReport(report)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
})
