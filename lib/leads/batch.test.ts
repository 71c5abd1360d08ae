import { expect, test } from 'vitest'
import { batched } from './batch'
import { groupOf } from './intake'

const never = () => false

const atMost = (most: number) => (items: unknown[]) => Math.min(most, items.length)

test('items that arrive during a write go into the next batch, in order, each with its own result', async () => {
  const groups: number[][] = []
  let writing = 0
  let mostAtOnce = 0
  const take = batched<number, number>(
    async (_, items) => {
      groups.push(items)
      mostAtOnce = Math.max(mostAtOnce, ++writing)
      await new Promise((done) => setTimeout(done, 5))
      writing--
      return items.map((item) => item * 10)
    },
    never,
    atMost(3),
  )
  const numbers = Array.from({ length: 11 }, (_, i) => i)
  expect(await Promise.all(numbers.map((item) => take('a', item)))).toEqual(numbers.map((item) => item * 10))
  expect(groups.map((group) => group.length)).toEqual([3, 3, 3, 2])
  expect(groups.flat()).toEqual(numbers)
  expect(mostAtOnce).toBe(2)
  expect(await take('a', 60)).toBe(600)
})

test('different keys do not wait for each other', async () => {
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  const take = batched<number, string>(
    async (key) => (key === 'slow' ? held.then(() => ['slow']) : ['quick']),
    never,
    atMost(10),
  )
  const slow = take('slow', 1)
  expect(await take('quick', 1)).toBe('quick')
  release()
  expect(await slow).toBe('slow')
})

test('an invalid item fails alone; when the database is down, all fail at once', async () => {
  let calls = 0
  const take = batched<string, string>(
    async (_, items) => {
      calls++
      await new Promise((done) => setTimeout(done, 2))
      if (items.includes('bad')) throw new Error('own')
      if (items.includes('down')) throw new Error('down')
      return items
    },
    (error) => error instanceof Error && error.message === 'own',
    atMost(10),
  )
  const first = await Promise.allSettled(['a', 'b', 'bad', 'c'].map((item) => take('k', item)))
  expect(first.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  calls = 0
  const second = await Promise.allSettled(['a', 'down', 'c'].map((item) => take('another', item)))
  expect(second.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(calls).toBe(1)
})

test('while the database is down, items fail without waiting for each other', async () => {
  let calls = 0
  const take = batched<number, number>(
    async () => {
      calls++
      await new Promise((done) => setTimeout(done, 5))
      throw new Error('down')
    },
    never,
    atMost(2),
  )
  const results = await Promise.allSettled(Array.from({ length: 50 }, (_, i) => take('a', i)))
  expect(results.every(({ status }) => status === 'rejected')).toBe(true)
  expect(calls).toBe(2)
})

test('what waits is divided among two groups, and each next one gathers until it is as large', async () => {
  const groups: number[][] = []
  const ends: (() => void)[] = []
  const take = batched<number, number>(
    async (_, items) => {
      groups.push(items)
      await new Promise<void>((done) => ends.push(done))
      return items
    },
    never,
    atMost(100),
  )
  const turn = () => new Promise((done) => setTimeout(done, 5))
  const sizes = () => groups.map((group) => group.length)
  const taken: Promise<number>[] = []
  const send = (many: number) => {
    for (let i = 0; i < many; i++) taken.push(take('a', taken.length))
    return turn()
  }
  await send(20)
  expect(sizes()).toEqual([10, 10])
  await send(9)
  ends[0]?.()
  await turn()
  expect(sizes()).toEqual([10, 10])
  await send(1)
  expect(sizes()).toEqual([10, 10, 10])
  await send(3)
  ends[1]?.()
  ends[2]?.()
  await turn()
  expect(sizes()).toEqual([10, 10, 10, 3])
  ends[3]?.()
  expect(await Promise.all(taken)).toEqual(taken.map((_, i) => i))
  expect(groups.flat()).toEqual(taken.map((_, i) => i))
})

test('few items stay together', async () => {
  const sizes: number[] = []
  const take = batched<number, number>(
    async (_, items) => {
      sizes.push(items.length)
      return items
    },
    never,
    atMost(100),
  )
  await Promise.all([1, 2, 3, 4].map((item) => take('a', item)))
  expect(sizes).toEqual([4])
})

test('a group has so many leads, and of long bodies fewer: four of the longest, and never none', () => {
  const leads = (count: number, bytes: number) => Array(count).fill({ bytes })
  expect(groupOf(leads(100, 300), 25)).toBe(25)
  expect(groupOf(leads(100, 64 * 1024), 100)).toBe(4)
  expect(groupOf([...leads(3, 300), ...leads(5, 64 * 1024)], 100)).toBe(6)
  expect(groupOf(leads(2, 1024 * 1024), 100)).toBe(1)
})
