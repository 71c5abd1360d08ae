import { expect, test } from 'vitest'
import { daysOf, splitNumbers } from './names'

test.each([
  ['Net 30', 30],
  ['net30', 30],
  ['NET 15 days', 15],
  ['n/10', 10],
  ['45 days', 45],
  ['within 7 days', 7],
  ['Due on receipt', 0],
  ['Due upon Receipt', 0],
  ['COD', 0],
  ['Immediate', 0],
  ['', undefined],
  ['2% 10 Net 30', 30],
  ['End of month', undefined],
  ['codfish', undefined],
  ['Net 3000', undefined],
])('terms %j end after %j days', (terms, days) => {
  expect(daysOf(terms)).toBe(days)
})

test.each([
  ['101', ['101']],
  ['101 & 102', ['101', '102']],
  ['101, 102;103', ['101', '102', '103']],
  ['101 and 102', ['101', '102']],
  ['101\n102', ['101', '102']],
  ['Grand-7', ['Grand-7']],
  ['', []],
  [' , ', []],
])('the cell %j names %j', (cell, numbers) => {
  expect(splitNumbers(cell)).toEqual(numbers)
})
