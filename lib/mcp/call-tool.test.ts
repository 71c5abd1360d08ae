import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MOST_CHARACTERS, shorten, UNTRUSTED_META, untrustedMeta, untrustedNote } from './call-tool'

test('a result is marked with the fields that strangers wrote, for programs and for models', () => {
  expect(untrustedMeta(['name', 'email'])).toEqual({ [UNTRUSTED_META]: ['name', 'email'] })
  expect(untrustedNote(['name', 'email'])).toContain('name, email')
  expect([untrustedMeta([]), untrustedNote([])]).toEqual([undefined, undefined])
  // MCP 2025-11-25, `_meta`: a prefix of labels, a slash, a name; never one that belongs to MCP.
  expect(UNTRUSTED_META).toMatch(/^[a-z][a-z0-9-]*(\.[a-z][a-z0-9-]*)*\/[a-z0-9][\w.-]*$/)
})

/** Items of exactly `length` characters of JSON text each. */
const itemsOf = (count: number, length: number) => Array.from({ length: count }, () => 'x'.repeat(length - 2))

describe('shorten', () => {
  test('an answer within the bound is the answer, to the last character', () => {
    // {"items":[…]} is 12 characters around the items and the commas between them.
    const answer = { items: itemsOf(4, 6) }
    expect(JSON.stringify(answer)).toHaveLength(12 + 4 * 6 + 3)
    expect(shorten(answer, 39)).toEqual({ answer, text: JSON.stringify(answer) })
    expect(shorten(answer, 38)).toMatchObject({ answer: { items: itemsOf(3, 6) } })
    expect(shorten(answer, 32)).toMatchObject({ answer: { items: itemsOf(3, 6) } })
    expect(shorten(answer, 31)).toMatchObject({ answer: { items: itemsOf(2, 6) } })
  })

  test('a page that is cut has no token for the next, which would skip what was left out, and says how to go on', () => {
    const answer = { apiVersion: 'v1', items: itemsOf(25, 1_200), nextPageToken: 'tok' }
    const { answer: cut, text, hint } = shorten(answer)
    // 20 items are 24,019 with their commas, 21 would be 25,220.
    expect(cut).toEqual({ apiVersion: 'v1', items: itemsOf(20, 1_200), nextPageToken: null })
    expect(text).toBe(JSON.stringify(cut))
    expect(hint).toContain('first 20 of 25 in items')
    expect(hint).toContain('over 25,000 characters')
    expect(hint).toContain('limit 20')
    expect(hint).toContain('nextPageToken')
    expect(answer).toEqual({ apiVersion: 'v1', items: itemsOf(25, 1_200), nextPageToken: 'tok' })
  })

  test('what a report counts as not told counts those left out too', () => {
    const { answer, hint } = shorten({ total: 1, customers: itemsOf(25, 2_000), more: 7 })
    expect(answer).toMatchObject({ customers: itemsOf(12, 2_000), more: 7 + 13 })
    expect(hint).toContain('first 12 of 25 in customers')
    expect(hint).not.toContain('nextPageToken')
  })

  test('the longest array is the one with most text, not with most items', () => {
    const { answer } = shorten({ many: itemsOf(100, 5), long: itemsOf(3, 10_000) })
    expect(answer).toMatchObject({ many: itemsOf(100, 5), long: itemsOf(2, 10_000) })
  })

  test('the next longest is cut when the longest empty is not enough', () => {
    const { answer, text, hint } = shorten({ a: itemsOf(2, 30_000), b: itemsOf(3, 10_000) })
    expect(answer).toEqual({ a: [], b: itemsOf(2, 10_000) })
    expect(text.length).toBeLessThanOrEqual(MOST_CHARACTERS)
    expect(hint).toContain('first 0 of 2 in a')
    expect(hint).toContain('first 2 of 3 in b')
  })

  test('without an array there is nothing to cut', () => {
    const answer = { text: 'x'.repeat(30_000), nested: { items: itemsOf(2, 10) } }
    expect(shorten(answer)).toEqual({ answer, text: JSON.stringify(answer) })
  })

  const anAnswer = fc.record(
    {
      items: fc.array(fc.jsonValue({ maxDepth: 1 })),
      others: fc.array(fc.string()),
      more: fc.nat(),
      nextPageToken: fc.option(fc.string()),
      name: fc.string({ maxLength: 20 }),
    },
    { requiredKeys: ['items'] },
  )

  test('any answer: the first items, as many as fit, in their order; the text is the answer’s and within the bound', () => {
    fc.assert(
      fc.property(anAnswer, fc.integer({ min: 150, max: 400 }), (answer, most) => {
        const before = structuredClone(answer)
        const { answer: cut, text, hint } = shorten(answer, most)
        expect(answer).toEqual(before)
        expect(text).toBe(JSON.stringify(cut))
        expect(text.length).toBeLessThanOrEqual(most)
        expect(Object.keys(cut)).toEqual(Object.keys(answer))
        expect(hint === undefined).toBe(JSON.stringify(answer).length <= most)
        for (const field of ['items', 'others'] as const) {
          const [whole, kept] = [answer[field] ?? [], Object(cut)[field] ?? []]
          expect(kept).toEqual(whole.slice(0, kept.length))
        }
        expect(cut.name).toBe(answer.name)
      }),
    )
  })

  test('any list: one item more would not fit', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), fc.integer({ min: 12, max: 200 }), (items, most) => {
        const { answer } = shorten({ items }, most)
        const { length } = Object(answer).items
        if (length < items.length)
          expect(JSON.stringify({ items: items.slice(0, length + 1) }).length).toBeGreaterThan(most)
      }),
    )
  })
})
