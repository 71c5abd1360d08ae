import { expect, test } from 'vitest'
import { grouped, linesOf, oneLine, partsBetween, withoutEnd, withoutMark } from './text'

test('oneLine: runs of white space are one space, none at the ends', () => {
  expect(oneLine(' \ufeff Dana \n\t Hill\u00a0 ')).toBe('Dana Hill')
})

test('partsBetween and linesOf: without the white space around marks; only lines leave blank ones out', () => {
  expect(partsBetween(' a ;b;; c d ', ';')).toEqual(['a', 'b', '', 'c d'])
  expect(linesOf(' Dana \r\n\n Hill\n')).toEqual(['Dana', 'Hill'])
})

test('withoutEnd: every matching character at the end goes, none before', () => {
  expect(withoutEnd('a: b :\u00a0: ', /[:\s]/)).toBe('a: b')
  expect(withoutEnd('///', /\//)).toBe('')
  expect(withoutEnd('', /\//)).toBe('')
})

test('withoutMark: with the white space before it, and only at the end', () => {
  const mark = /\(deleted\)$/
  expect(withoutMark('Hill \t (deleted)', mark)).toBe('Hill')
  expect(withoutMark('Hill (deleted) ', mark)).toBe('Hill (deleted) ')
})

test.each([0, 7, 999, 1_000, 10_000, 123_456, 1_000_000, 9_007_199_254_740_991])('%d is written as Intl does', (n) =>
  expect(grouped(n)).toBe(n.toLocaleString('en-US')),
)
