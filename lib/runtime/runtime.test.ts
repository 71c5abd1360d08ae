import { expect, test, vi } from 'vitest'
import { entryName, makeRuntime, part } from './runtime'

test('two copies of this module in one process, as in the server and Next, share their parts', async () => {
  const mine = part('loading', () => new Set(['mine']))()
  vi.resetModules()
  const copy = await import('./runtime')
  expect(copy.part).not.toBe(part)
  expect(copy.part('loading', () => new Set(['another']))()).toBe(mine)
})

test('the first entry creates the runtime; a second one gets false', () => {
  expect([makeRuntime('tests'), makeRuntime('next'), entryName()]).toEqual([true, false, 'tests'])
})

test('a part is created once, on first use', () => {
  const make = vi.fn(() => new WeakSet<never>())
  const fronted = part('fronted', make)
  expect(make).not.toHaveBeenCalled()
  expect(fronted()).toBe(fronted())
  expect(make).toHaveBeenCalledOnce()
})
