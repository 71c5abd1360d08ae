import { expect, test } from 'vitest'
import { periodsAt } from './periods'

test.each([
  ['2026-03-01', '2026-02-28', ['2026-03-01', '2026-03-31'], ['2026-02-01', '2026-02-28']],
  ['2026-01-15', '2026-01-14', ['2026-01-01', '2026-01-31'], ['2025-12-01', '2025-12-31']],
  ['2028-02-29', '2028-02-28', ['2028-02-01', '2028-02-29'], ['2028-01-01', '2028-01-31']],
])('on %s yesterday is %s', (today, yesterday, [first, last], [before, end]) => {
  expect(periodsAt(today)).toEqual([
    { name: 'Today', from: today, to: today },
    { name: 'Yesterday', from: yesterday, to: yesterday },
    { name: 'This month', from: first, to: last },
    { name: 'Last month', from: before, to: end },
  ])
})
