import { beforeEach, expect, test, vi } from 'vitest'
import { aside, asPart, currentParts, Part, Parts, withParts } from './parts'

// Time passes as the test says: on a busy machine a wait would take longer.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] })
})
const sleep = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds))
async function after<T>(work: Promise<T>): Promise<T> {
  await vi.runAllTimersAsync()
  return await work
}

test('what runs at the same time is counted once; the rest is our own', async () => {
  const parts = new Parts()
  const began = performance.now()
  const work = withParts(parts, async () => {
    await Promise.all([asPart('one', () => sleep(200)), asPart('two', () => sleep(200))])
    await asPart('one', () => sleep(50))
    await sleep(100)
  })
  await after(work)
  const { waitedMs, oursMs, parts: named } = parts.sharesOf(performance.now() - began)
  expect(waitedMs).toBe(0)
  expect(oursMs).toBe(100)
  expect(named.map(({ name, times }) => [name, times])).toEqual([
    ['one', 2],
    ['two', 1],
  ])
  expect(currentParts()).toBeUndefined()
})

test('the wait for a connection stands apart from the statement, and what runs says both', () => {
  const parts = new Parts()
  const part = new Part({ name: 'list_invoices' })
  parts.begin(part)
  vi.advanceTimersByTime(10)
  expect(parts.describe()).toBe('list_invoices ran for 10 ms')
  part.waits()
  vi.advanceTimersByTime(60)
  expect(parts.describe()).toBe('list_invoices waited 60 ms for a connection')
  part.goesOn()
  vi.advanceTimersByTime(20)
  expect(parts.describe()).toBe('list_invoices ran for 30 ms, after 60 ms of waiting for a connection')
  parts.end(part)
  expect(parts.describe()).toBeUndefined()
  const { waitedMs, parts: named } = parts.sharesOf(90)
  expect(waitedMs).toBe(60)
  expect(named[0]?.ms).toBe(30)
})

test('a wait on purpose is no part of being slow', async () => {
  const parts = new Parts()
  await after(withParts(parts, () => aside('wait for changes', () => sleep(50))))
  expect(parts.asideMs).toBe(50)
})

test('names are bounded, whatever a request runs', async () => {
  const parts = new Parts()
  await withParts(parts, async () => {
    for (let i = 0; i < 1_000; i++) await asPart(`statement ${i}`, async () => {})
  })
  const all = parts.sharesOf(1).parts
  expect(all).toHaveLength(10)
  expect(Math.max(...all.map(({ times }) => times))).toBeLessThanOrEqual(950)
})

test('requests beside each other keep their parts apart, also where they wait for the same promise', async () => {
  const opened = sleep(20)
  const request = async (name: string) => {
    await opened
    await asPart(name, () => sleep(5))
    await Promise.all([asPart(name, () => sleep(10)), asPart(name, async () => sleep(1))])
    return currentParts()
  }
  const one = new Parts()
  const other = new Parts()
  const all = [withParts(one, () => request('one')), withParts(other, () => request('other')), request('none')]
  const found = await after(Promise.all(all))
  expect(found).toEqual([one, other, undefined])
  expect(found.map((parts) => parts?.sharesOf(1).parts.map(({ name, times }) => [name, times]))).toEqual([
    [['one', 3]],
    [['other', 3]],
    undefined,
  ])
})
