import { expect, test } from 'vitest'
import { batchQueue } from './queue'

const SETTINGS = { most: 3, everyMs: 5, capacity: 5, pauseMs: 5 }

/** A writer that the test releases manually, and the batches it received. */
function handWriter() {
  const batches: number[][] = []
  const waiting: { done(): void; fail(): void }[] = []
  const write = (items: number[]) =>
    new Promise<void>((done, reject) => {
      batches.push(items)
      waiting.push({ done, fail: () => reject(new Error('away')) })
    })
  return { batches, write, next: () => waiting.shift() }
}

test('items are written in the background, once each, in order, in batches', async () => {
  const written: number[][] = []
  await new Promise<void>((done) => {
    const queue = batchQueue<number>(async (items) => {
      written.push(items)
      if (written.flat().length === 5) done()
    }, SETTINGS)
    for (let i = 0; i < 5; i++) expect(queue.add(i)).toBe(true)
  })
  expect(written).toEqual([
    [0, 1, 2],
    [3, 4],
  ])
})

test('while the database hangs, the queue fills, then drops items, and never grows', async () => {
  const { batches, write, next } = handWriter()
  const queue = batchQueue<number>(write, SETTINGS)
  const taken = Array.from({ length: 100 }, (_, i) => queue.add(i))
  // The writer has three and has not returned; five are waiting.
  expect(taken.filter(Boolean)).toHaveLength(8)
  expect(queue.takeLost()).toBe(92)
  expect(batches).toEqual([[0, 1, 2]])
  const settled = queue.settled()
  for (let i = 0; i < 3; i++) {
    next()?.done()
    await new Promise((done) => setImmediate(done))
  }
  await settled
  expect(batches.flat()).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  expect(queue.takeLost()).toBe(0)
})

test('a failed batch is lost and counted; later items are written', async () => {
  const { batches, write, next } = handWriter()
  const queue = batchQueue<number>(write, SETTINGS)
  for (let i = 0; i < 4; i++) queue.add(i)
  const settled = queue.settled()
  next()?.fail()
  await new Promise((done) => setImmediate(done))
  next()?.done()
  await settled
  expect(batches).toEqual([[0, 1, 2], [3]])
  expect(queue.takeLost()).toBe(3)
})

test('an empty queue settles at once', async () => {
  const { batches, write } = handWriter()
  await batchQueue<number>(write, SETTINGS).settled()
  expect(batches).toEqual([])
})
