import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { aside, asPart, currentParts, Part, Parts, withParts } from './parts'

test('what runs at the same time is counted once; the rest is our own', async () => {
  const parts = new Parts()
  const began = performance.now()
  await withParts(parts, async () => {
    await Promise.all([asPart('one', () => sleep(200)), asPart('two', () => sleep(200))])
    await asPart('one', () => sleep(50))
    await sleep(100)
  })
  const { waitedMs, oursMs, parts: named } = parts.sharesOf(performance.now() - began)
  expect(waitedMs).toBe(0)
  expect(oursMs).toBeGreaterThanOrEqual(95)
  expect(oursMs).toBeLessThan(200)
  expect(named.map(({ name, times }) => [name, times])).toEqual([
    ['one', 2],
    ['two', 1],
  ])
  expect(currentParts()).toBeUndefined()
})

test('the wait for a connection stands apart from the statement, and what runs says both', async () => {
  const parts = new Parts()
  const part = new Part({ name: 'list_invoices' })
  parts.begin(part)
  expect(parts.describe()).toMatch(/^list_invoices ran for \d+ ms$/)
  part.waits()
  await sleep(60)
  expect(parts.describe()).toMatch(/^list_invoices waited [5-9]\d ms for a connection$/)
  part.goesOn()
  expect(parts.describe()).toMatch(/^list_invoices ran for \d+ ms, after \d+ ms of waiting for a connection$/)
  parts.end(part)
  expect(parts.describe()).toBeUndefined()
  const { waitedMs, parts: named } = parts.sharesOf(60)
  expect(waitedMs).toBeGreaterThanOrEqual(55)
  expect(named[0]?.ms).toBeLessThan(50)
})

test('a wait on purpose is no part of being slow', async () => {
  const parts = new Parts()
  await withParts(parts, () => aside('wait for changes', () => sleep(50)))
  expect(parts.asideMs).toBeGreaterThanOrEqual(45)
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
  const found = await Promise.all([
    withParts(one, () => request('one')),
    withParts(other, () => request('other')),
    request('none'),
  ])
  expect(found).toEqual([one, other, undefined])
  expect(found.map((parts) => parts?.sharesOf(1).parts.map(({ name, times }) => [name, times]))).toEqual([
    [['one', 3]],
    [['other', 3]],
    undefined,
  ])
})
