import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ResolvedTerm } from '@/db/queries/search'
import { deservesFeedback, weighLists } from './weigh'

const CHUNKS = 100_000
const asked = (...sizes: number[]): ResolvedTerm[] =>
  sizes.map((chunks, term) => ({
    lexeme: `w${term}`,
    words: [`w${term}`],
    repeats: 1,
    lists: [{ term, shelf: 1, chunks }],
  }))
const readOf = (...sizes: number[]) => {
  const read = new Map(weighLists(asked(...sizes), CHUNKS).map(({ term, postings }) => [term, postings]))
  return sizes.map((_, term) => read.get(term) ?? 0)
}

test('lists of up to 1,000 postings are read completely, and the longer ones share what is left of 8,000', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: CHUNKS }), { minLength: 1, maxLength: 60 }), (sizes) => {
      const read = readOf(...sizes)
      const sum = (of: number[]) => of.reduce((a, b) => a + b, 0)
      for (const [i, size] of sizes.entries()) {
        expect(read[i]).toBeLessThanOrEqual(size)
        expect(read[i]).toBeGreaterThanOrEqual(Math.min(size, size <= 1_000 ? size : 200))
      }
      const long = sizes.filter((size) => size > 1_000)
      const complete = sum(sizes.filter((size) => size <= 1_000))
      expect(sum(read)).toBeLessThanOrEqual(Math.max(8_000, complete) + 200 * long.length)
    }),
  )
})

test('a rarer word has more of its postings read than a common one, and what it needs less goes to the others', () => {
  expect(readOf(90_000)).toEqual([4_000])
  expect(readOf(90_000, 20_000, 1_000)).toEqual([2_999, 4_000, 1_000])
  const [common = 0, medium = 0, rare = 0] = readOf(90_000, 20_000, 5_000)
  expect([rare, medium]).toEqual([4_000, expect.any(Number)])
  expect(medium).toBeGreaterThan(common)
  expect(readOf(90_000, 20_000, 5_000, 1_001)[3]).toBe(1_001)
})

test('words that only ask weigh half, and are not counted as a topic', () => {
  const [plain, asking] = asked(500, 500)
  if (!plain || !asking) throw new Error('two terms')
  asking.words = ['describing', 'described']
  const [first, second] = weighLists([plain, asking], CHUNKS)
  expect(second?.weight).toBeCloseTo((first?.weight ?? 0) / 2, 12)
  const topic = asked(5, 5, 5)
  expect(deservesFeedback(topic, false)).toBe(true)
  expect(deservesFeedback([...topic.slice(1), asking], false)).toBe(false)
  expect(deservesFeedback(topic, true)).toBe(false)
})
