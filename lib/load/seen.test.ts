import { expect, test } from 'vitest'
import { SeenReferences } from './seen'

test('remembers the first line of each of 200,000 references while its tables grow', () => {
  const seen = new SeenReferences()
  const again: (number | undefined)[] = []
  let fresh = 0
  for (let i = 1; i <= 200_000; i++) if (seen.firstLine(`R-${i}`, i) === undefined) fresh++
  for (let i = 1; i <= 200_000; i += 97) again.push(seen.firstLine(`R-${i}`, 999_999))
  expect(fresh).toBe(200_000)
  expect(again).toEqual(again.map((_, k) => 1 + k * 97))
})

test('references are compared exactly', () => {
  const seen = new SeenReferences()
  const references = ['a', 'A', 'a ', 'á', '1', '01', '']
  expect(references.map((reference, i) => seen.firstLine(reference, i + 2))).toEqual(references.map(() => undefined))
  expect(seen.firstLine('A', 50)).toBe(3)
})
