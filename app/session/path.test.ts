import { expect, test } from 'vitest'
import { pathHere } from './path'

test.each([
  ['/keys', '/keys'],
  ['/logs?status=5xx&key=key_1', '/logs?status=5xx&key=key_1'],
  [undefined, '/'],
  ['', '/'],
  ['keys', '/'],
  ['https://example.com/', '/'],
  ['//example.com/', '/'],
  ['/\\example.com', '/'],
  ['/\t/example.com', '/'],
  ['/.//example.com', '/'],
  ['javascript:alert(1)', '/'],
])('%j redirects to %j', (next, expected) => {
  expect(pathHere(next)).toBe(expected)
})
