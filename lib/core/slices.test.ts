import { expect, test } from 'vitest'
import { LONGEST_BLOCK_MS, longestBlock } from '@/lib/testing/blocks'
import { inSlices, Pace, slicer } from './slices'

let asked = 0
const embedded = { asked: () => asked }

/** Runs statements as a machine would that needs `perRow` milliseconds for a row. @returns how many rows the last ones have at most */
function settle(pace: Pace, perRow: number): number {
  const rows: number[] = []
  for (let i = 0; i < 30; i++) {
    rows.push(pace.rows)
    pace.took(pace.rows, pace.rows * perRow)
  }
  return Math.max(...rows.slice(-4))
}

test('a statement has as many rows as fit its time on any machine, and one where one is too long already', () => {
  expect(settle(new Pace(embedded), 0.25)).toBe(48)
  expect(settle(new Pace(embedded), 0.001)).toBe(500)
  expect(settle(new Pace(embedded), 5)).toBeLessThan(10)
  expect(settle(new Pace(embedded), 50)).toBe(1)
  expect(settle(new Pace({}), 0.25)).toBe(500)
})

test('rows that suddenly cost a hundred times as much are few within some statements', () => {
  const pace = new Pace(embedded)
  settle(pace, 0.05)
  expect(pace.rows).toBeGreaterThan(200)
  expect(settle(pace, 20)).toBeLessThan(3)
})

test('a statement that itself takes long is not made of single rows', () => {
  const pace = new Pace(embedded)
  for (let i = 0; i < 30; i++) pace.took(pace.rows, 60)
  expect(pace.rows).toBeGreaterThan(10)
})

test('one slow statement among fast ones changes little', () => {
  const pace = new Pace(embedded)
  settle(pace, 0.1)
  pace.took(pace.rows, pace.rows * 0.5)
  expect(pace.rows).toBeGreaterThan(50)
})

test('waiting requests run between statements; they are short while requests come, and longer when none do', async () => {
  const pace = new Pace(embedded)
  settle(pace, 0.25)
  for (let i = 0; i < 60; i++) await pace.between()
  const quiet = pace.rows
  expect(quiet).toBeGreaterThan(100)
  setImmediate(() => asked++)
  await pace.between()
  expect(pace.rows).toBe(48)
})

/** Holds the thread for milliseconds. */
function hold(milliseconds: number): void {
  for (const end = performance.now() + milliseconds; performance.now() < end; );
}

test.each([0.2, 2, 20])(
  'a loop holds the thread no longer than it may, where each of its steps takes %s ms',
  async (ms) => {
    const items = Array.from({ length: Math.ceil(200 / ms) }, (_, i) => i)
    const double = (item: number) => {
      hold(ms)
      return item * 2
    }
    expect(await longestBlock(() => inSlices(items, double))).toBeLessThan(LONGEST_BLOCK_MS)
    expect(await inSlices(items.slice(0, 3), double)).toEqual([0, 2, 4])
  },
)

test('a slice that is not over costs no turn', () => {
  expect(slicer(60_000)()).toBeUndefined()
})
