import { expect, test } from 'vitest'
import { answerCell, listOf } from './answer-list'

test('the list of an answer has the column that names a record first, and every field of any row', () => {
  const items = [
    { id: 'a', name: 'Ana' },
    { id: 'b', name: 'Ben', phone: '+1615' },
  ]
  expect(listOf({ total: [{ currency: 'USD' }], items })).toEqual({ columns: ['name', 'id', 'phone'], rows: items })
  expect(listOf(items)?.rows).toBe(items)
})

test('an answer that is no list has none', () => {
  for (const answer of [{ name: 'Ana' }, { items: [] }, { words: ['a', 'b'] }, 'text', null, [1, 2]])
    expect(listOf(answer)).toBeUndefined()
})

test('a cell shows parts as JSON, and disguised text as what it is', () => {
  expect(answerCell({ a: 1 })).toBe('{"a":1}')
  expect(answerCell('x\u202ey')).toBe('x\\u202ey')
  expect([answerCell(0), answerCell(null), answerCell(false)]).toEqual([0, undefined, 'false'])
})
