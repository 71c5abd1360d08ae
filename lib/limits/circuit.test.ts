import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Circuit } from './circuit'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const never = () => new Promise<string>(() => {})

test('a successful call returns its value and leaves no timer behind', async () => {
  const circuit = new Circuit(never, () => {}, 250)
  expect(await circuit.run(async () => 'counted')).toBe('counted')
  expect(circuit.isOpen).toBe(false)
  expect(vi.getTimerCount()).toBe(0)
})

test('the first timeout releases all waiting calls, including later ones', async () => {
  const causes: unknown[] = []
  const circuit = new Circuit(never, (cause) => causes.push(cause), 250)
  const first = circuit.run(never)
  await vi.advanceTimersByTimeAsync(249)
  const last = circuit.run(never)
  expect(circuit.isOpen).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(await Promise.all([first, last])).toEqual([undefined, undefined])
  expect(circuit.isOpen).toBe(true)
  expect(causes).toHaveLength(1)
})

test('a response that arrived while this process was busy still counts', async () => {
  vi.useRealTimers()
  const circuit = new Circuit(never, () => {}, 250)
  let answer = (_: string) => {}
  const asked = circuit.run(() => new Promise<string>((done) => (answer = done)))
  const end = performance.now() + 400
  while (performance.now() < end);
  setTimeout(() => answer('counted'), 1) // due after the first part of the wait, which is over too
  expect(await asked).toBe('counted')
})

test('a failure releases all waiting calls at once', async () => {
  const circuit = new Circuit(never, () => {}, 250)
  const hanging = circuit.run(never)
  expect(await circuit.run(() => Promise.reject(new Error('refused')))).toBeUndefined()
  expect(await hanging).toBeUndefined()
})

test('an open circuit retries every five seconds until it succeeds', async () => {
  let works = false
  const probe = vi.fn(async () => {
    if (!works) throw new Error('still down')
  })
  const circuit = new Circuit(probe, () => {}, 250)
  await circuit.run(() => Promise.reject(new Error('down')))
  await vi.advanceTimersByTimeAsync(4_999)
  expect(probe).toHaveBeenCalledTimes(0)
  await vi.advanceTimersByTimeAsync(1)
  expect(probe).toHaveBeenCalledTimes(1)
  expect(circuit.isOpen).toBe(true)
  works = true
  await vi.advanceTimersByTimeAsync(5_000)
  expect(probe).toHaveBeenCalledTimes(2)
  expect(circuit.isOpen).toBe(false)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(probe).toHaveBeenCalledTimes(2)
})

test('a probe that hangs counts as failed', async () => {
  const probe = vi.fn(never)
  const circuit = new Circuit(probe, () => {}, 250)
  await circuit.run(() => Promise.reject(new Error('down')))
  await vi.advanceTimersByTimeAsync(5_000 + 250 + 5_000)
  expect(probe).toHaveBeenCalledTimes(2)
  expect(circuit.isOpen).toBe(true)
})

test('a call that fails after its timeout does not reopen a recovered circuit', async () => {
  const circuit = new Circuit(
    async () => {},
    () => {},
    250,
  )
  let fail = (_: Error) => {}
  const late = circuit.run(
    () =>
      new Promise((_, reject) => {
        fail = reject
      }),
  )
  await vi.advanceTimersByTimeAsync(250)
  expect(await late).toBeUndefined()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(circuit.isOpen).toBe(false)
  fail(new Error('at last'))
  await vi.advanceTimersByTimeAsync(1)
  expect(circuit.isOpen).toBe(false)
})
