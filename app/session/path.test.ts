import { expect, test } from 'vitest'
import { pathHere } from './path'

test.each([
  ['/keys', '/keys'],
  ['/logs?status=5xx&key=key_1', '/logs?status=5xx&key=key_1'],
  [undefined, '/data'],
  ['', '/data'],
  ['keys', '/data'],
  ['https://example.com/', '/data'],
  ['//example.com/', '/data'],
  ['/\\example.com', '/data'],
  ['/\t/example.com', '/data'],
  ['/.//example.com', '/data'],
  ['javascript:alert(1)', '/data'],
])('%j leads to %j', (next, expected) => {
  expect(pathHere(next)).toBe(expected)
})
