import { expect, test } from 'vitest'
import { isReached } from './figures'
import { type Result, reportOf } from './report'

const result = (more: Partial<Result>): Result => ({
  ...{ name: 'data-api', command: 'npm run bench -- data-api', seconds: 12.4, outcome: 'passed', figures: [] },
  printed: 'as printed\n',
  ...more,
})
const machine = { processor: 'two | four, 2 cores', date: '2026-11-23' }

test('a goal is reached from either side, and never by a figure that was not measured', () => {
  expect(isReached({ atLeast: 0.9 }, 0.9)).toBe(true)
  expect(isReached({ atLeast: 0.9 }, 0.89)).toBe(false)
  expect(isReached({ atMost: 250 }, 250)).toBe(true)
  expect(isReached({ atMost: 250 }, 251)).toBe(false)
  expect(isReached({ atLeast: 0.9 }, Number.NaN)).toBe(false)
  expect(isReached({ atMost: 250 }, Number.NaN)).toBe(false)
})

test('ratios stand before other figures, the machine and what was printed; missed goals are named', () => {
  const figures = [
    { what: 'memory at rest', value: 1234.5, unit: 'MB', goal: { atMost: 250 } },
    { what: 'requests/s to the bare server', value: 0.934, goal: { atLeast: 0.9 } },
    { what: 'requests/s to Express', value: Number.NaN },
  ]
  const text = reportOf([result({ figures })], machine, false)
  const order = ['## Ratios', 'requests/s to the bare server', '## Other figures', 'memory at rest', '## Machine']
  const places = [...order, '## What each bench printed', 'as printed'].map((part) => text.indexOf(part))
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(places).not.toContain(-1)
  expect(text).toContain('| data-api | requests/s to the bare server | 0.934 | ≥ 0.90 | reached |')
  expect(text).toContain('| data-api | requests/s to Express | not measured |  |  |')
  expect(text).toContain('| data-api | memory at rest | 1,235 MB | ≤ 250 MB | **missed** |')
  expect(text).toContain('1 of 1 benches passed.\n1 of 2 goals are reached.')
  expect(text).toContain('| processor | two \\| four, 2 cores |')
  expect(text).not.toContain('short form')
})

test('the short form says nothing of goals', () => {
  const figures = [{ what: 'requests/s to the bare server', value: 0.5, goal: { atLeast: 0.9 } }]
  const text = reportOf([result({ figures })], machine, true)
  expect(text).toContain('| data-api | requests/s to the bare server | 0.50 |  |  |')
  expect(text).not.toContain('goals are reached')
})

test('a failed bench and one that did not run are told, and printed fences stay inside', () => {
  const failed = result({ name: 'mcp', outcome: 'failed', printed: '```\nError: no' })
  const text = reportOf([failed, result({ name: 'portal', outcome: 'not run', seconds: 0 })], machine, true)
  expect(text).toContain('0 of 1 benches passed; failed: mcp.')
  expect(text).toContain('````text\n```\nError: no\n````')
  expect(text).toContain('`npm run bench -- data-api`: not run.')
  expect(text).toContain('This is the short form')
})
