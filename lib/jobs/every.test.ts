import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { stopping } from '@/lib/core/stopping'
import { collectLog } from '@/lib/testing/log'
import { every } from './every'

let stop: () => Promise<void>
let log: ReturnType<typeof collectLog>
beforeEach(() => {
  vi.useFakeTimers()
  log = collectLog()
})
afterEach(async () => {
  log.end()
  vi.useRealTimers()
  vi.restoreAllMocks()
  await stop()
})

/** Returns work whose rounds end when the test says so. */
function held() {
  const ends: (() => void)[] = []
  return { ends, work: vi.fn(() => new Promise<void>((done) => ends.push(done))) }
}

test('the next round begins an interval after the end of the one before, and never beside it', async () => {
  const { ends, work } = held()
  stop = every('clock', 1_000, work, { firstMs: 10 })
  await vi.advanceTimersByTimeAsync(9)
  expect(work).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(5_001)
  expect(work).toHaveBeenCalledTimes(1)
  ends[0]?.()
  await vi.advanceTimersByTimeAsync(999)
  expect(work).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(work).toHaveBeenCalledTimes(2)
  ends[1]?.()
})

test('a round that waits keeps no other loop of the name from its next one', async () => {
  const [slow, quick] = [held(), vi.fn(async () => {})]
  const stops = [every('sources', 10, slow.work), every('sources', 10, quick)]
  await vi.advanceTimersByTimeAsync(100)
  expect([slow.work.mock.calls.length, quick.mock.calls.length]).toEqual([1, 10])
  slow.ends[0]?.()
  stop = async () => void (await Promise.all(stops.map((each) => each())))
})

test('a failure is logged under the name, and the next round begins all the same', async () => {
  const work = vi.fn().mockRejectedValueOnce(new Error('no database')).mockResolvedValue(undefined)
  stop = every('retention', 1_000, work)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(work).toHaveBeenCalledTimes(2)
  expect(log.lines()).toMatchObject([{ level: 'error', operation: 'retention', message: 'no database' }])
})

test('once it is ended no round begins, and what ends it waits for the present one', async () => {
  const { ends, work } = held()
  stop = every('clock', 1_000, work)
  await vi.advanceTimersByTimeAsync(1_000)
  let isOver = false
  const over = stop().then(() => {
    isOver = true
  })
  await vi.advanceTimersByTimeAsync(5_000)
  expect(isOver).toBe(false)
  ends[0]?.()
  await over
  await vi.advanceTimersByTimeAsync(5_000)
  expect(work).toHaveBeenCalledTimes(1)
})

test('while the process stops no round begins and no failure is logged; signs of life go on', async () => {
  const [work, alive] = [vi.fn(() => Promise.reject(new Error('closed'))), vi.fn(async () => {})]
  const stops = [every('changes', 1_000, work), every('load_file', 1_000, alive, { whileStopping: true })]
  stop = async () => void (await Promise.all(stops.map((each) => each())))
  work.mockImplementationOnce(async () => {
    vi.spyOn(stopping(), 'aborted', 'get').mockReturnValue(true)
    throw new Error('closed')
  })
  await vi.advanceTimersByTimeAsync(3_000)
  expect([work.mock.calls.length, alive.mock.calls.length]).toEqual([1, 3])
  expect(log.lines()).toEqual([])
})

test('a database that is away is logged once a minute, and again after it was there; other failures each time', async () => {
  const away = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
  const work = vi.fn().mockRejectedValue(away)
  const logged = () =>
    log
      .text()
      .split('\n')
      .filter((line) => line.includes('"operation":"webhooks"')).length
  stop = every('webhooks', 2_000, work)
  await vi.advanceTimersByTimeAsync(59_000)
  expect([work.mock.calls.length, logged()]).toEqual([29, 1])
  await vi.advanceTimersByTimeAsync(5_000)
  expect(logged()).toBe(2)
  work.mockResolvedValueOnce(undefined)
  await vi.advanceTimersByTimeAsync(4_000)
  expect(logged()).toBe(3)
  work.mockRejectedValue(new Error('wrong'))
  await vi.advanceTimersByTimeAsync(4_000)
  expect(logged()).toBe(5)
})
