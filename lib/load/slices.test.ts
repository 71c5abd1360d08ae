import { expect, test } from 'vitest'
import { Slices } from './slices'

let asked = 0
const embedded = { asked: () => asked }

/** Runs slices as a machine would that needs `perRow` milliseconds for a row. */
function settle(slices: Slices, perRow: number): number {
  for (let i = 0; i < 30; i++) slices.took(slices.rows, slices.rows * perRow)
  return slices.rows
}

test('a slice has as many rows as fit its time on any machine', () => {
  expect(settle(new Slices(embedded), 0.25)).toBe(48)
  expect(settle(new Slices(embedded), 0.001)).toBe(500)
  expect(settle(new Slices(embedded), 50)).toBe(25)
  expect(settle(new Slices({}), 0.25)).toBe(500)
})

test('one slow slice among fast ones changes little', () => {
  const slices = new Slices(embedded)
  settle(slices, 0.1)
  slices.took(slices.rows, slices.rows * 0.5)
  expect(slices.rows).toBeGreaterThan(50)
})

test('waiting requests run between slices; slices are short while requests come, and longer when none do', async () => {
  const slices = new Slices(embedded)
  settle(slices, 0.25)
  for (let i = 0; i < 60; i++) await slices.between()
  const quiet = slices.rows
  expect(quiet).toBeGreaterThan(100)
  setImmediate(() => asked++)
  await slices.between()
  expect(slices.rows).toBe(48)
})
