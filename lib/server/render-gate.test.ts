import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { RENDERING, RenderGate } from './render-gate'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A gate, and pages that render until the test ends them. */
function scene() {
  const gate = new RenderGate()
  const making: { name: string; made: () => void }[] = []
  const refused: string[] = []
  const ask = (subject: string, name = subject, isForm = false) =>
    gate.enter(
      subject,
      (made) => making.push({ name, made }),
      () => refused.push(name),
      isForm,
    )
  const names = () => making.map(({ name }) => name)
  return { gate, making, refused, ask, names }
}

test('a limited number of pages is rendered at once; the next starts when one is finished', () => {
  const { ask, making, names } = scene()
  for (let i = 0; i <= RENDERING.atOnce; i++) ask('a', String(i))
  expect(names()).toHaveLength(RENDERING.atOnce)
  making[0]?.made()
  expect(names()).toHaveLength(RENDERING.atOnce + 1)
})

test('while API requests arrive, pages are rendered one by one with pauses between them', () => {
  const { gate, ask, making, names } = scene()
  gate.noteApiRequest()
  ask('a', 'first')
  ask('a', 'second')
  expect(names()).toEqual(['first'])
  vi.advanceTimersByTime(20)
  making[0]?.made()
  expect(names()).toEqual(['first'])
  vi.advanceTimersByTime(20 * RENDERING.rest - 1)
  expect(names()).toEqual(['first'])
  vi.advanceTimersByTime(1)
  expect(names()).toEqual(['first', 'second'])
})

test('addresses take turns, so a flood from one address only delays itself', () => {
  const { gate, ask, making, names } = scene()
  gate.noteApiRequest()
  for (let i = 0; i < 5; i++) ask('flood')
  ask('reader')
  making[0]?.made()
  vi.advanceTimersByTime(RENDERING.apiMs)
  expect(names().slice(0, 2)).toEqual(['flood', 'reader'])
})

test('forms do not delay pages, however many addresses send one', () => {
  const { ask, making, names } = scene()
  for (let i = 0; i < 40; i++) ask(`flood ${i}`, `form ${i}`, true)
  expect(names()).toEqual(['form 0', 'form 1'])
  ask('reader', 'page')
  expect(names()).toEqual(['form 0', 'form 1', 'page'])
  making[0]?.made()
  expect(names().at(-1)).toBe('form 2')
})

test('a page that waits too long, or exceeds its address’s limit, is refused; a visitor who leaves frees the spot', () => {
  const { ask, refused, names } = scene()
  for (let i = 0; i < RENDERING.atOnce; i++) ask('a')
  const leave = ask('b', 'gone')
  leave()
  for (let i = 0; i <= RENDERING.maxWaitingPerAddress; i++) ask('c')
  expect(refused).toEqual(['c'])
  ask('d', 'late')
  vi.advanceTimersByTime(RENDERING.maxHoldMs - 1)
  expect(names()).toHaveLength(RENDERING.atOnce)
  // A page that hangs gives up its slot, so the rest continue.
  vi.advanceTimersByTime(1)
  expect(names().length).toBeGreaterThan(RENDERING.atOnce)
  expect(names()).not.toContain('gone')
})

test('no page waits longer than the maximum', () => {
  const { gate, ask, making, refused } = scene()
  gate.noteApiRequest()
  ask('a')
  ask('b')
  const busy = setInterval(() => gate.noteApiRequest(), 100)
  making.splice(0)
  // Each slot is held by a page that hangs, followed by a pause, so the last of many never gets one in time.
  for (let i = 0; i < 10; i++) ask('c')
  vi.advanceTimersByTime(RENDERING.maxWaitMs)
  clearInterval(busy)
  expect(refused.length).toBeGreaterThan(0)
})
