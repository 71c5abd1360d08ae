import { expect, test } from 'vitest'
import { InvalidParams } from './invalid-params'
import { pageOf } from './pages'

const all = Array.from({ length: 7 }, (_, i) => i)

test('a list comes whole where it fits, and page by page where it does not', () => {
  expect(pageOf('tools', all, undefined)).toEqual({ entries: all })
  const seen: number[] = []
  let cursor: string | undefined
  for (const size of [3, 3, 1]) {
    const { entries, nextCursor } = pageOf('tools', all, cursor, 3)
    expect(entries).toHaveLength(size)
    seen.push(...entries)
    cursor = nextCursor
  }
  expect([seen, cursor]).toEqual([all, undefined])
})

test('a cursor is of its list, of a place in it, and unchanged', () => {
  const { nextCursor = '' } = pageOf('tools', all, undefined, 3)
  for (const [list, entries, cursor] of [
    ['prompts', all, nextCursor],
    ['tools', all.slice(0, 2), nextCursor],
    ['tools', all, `${nextCursor}=`],
    ['tools', all, ''],
  ] as const)
    expect(() => pageOf(list, entries, cursor, 3)).toThrow(InvalidParams)
})
