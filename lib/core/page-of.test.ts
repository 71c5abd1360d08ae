import { expect, test } from 'vitest'
import { pageOf } from './page-of'

const rowsOf = (...ids: string[]) => ids.map((id) => ({ id }))

test.each([
  ['the only page', ['c', 'b'], {}, ['c', 'b'], null, null],
  ['the first of several', ['e', 'd', 'c'], {}, ['e', 'd'], null, 'd'],
  ['one in the middle', ['c', 'b', 'a'], { before: 'd' }, ['c', 'b'], 'c', 'b'],
  ['the last', ['a'], { before: 'b' }, ['a'], 'a', null],
  ['one on the way back', ['e', 'd', 'c'], { after: 'b' }, ['d', 'c'], 'd', 'c'],
  ['the first again', ['e', 'd'], { after: 'c' }, ['e', 'd'], null, 'd'],
  ['nothing', [], { before: 'a' }, [], null, null],
])('pageOf: %s', (_, found, from, items, previous, next) => {
  expect(pageOf(rowsOf(...found), 2, from)).toEqual({ items: rowsOf(...items), previous, next })
})
