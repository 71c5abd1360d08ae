import { expect, test } from 'vitest'
import { identifierOf, inWords, RESOURCES_IN_WORDS } from './resource-names'

test.each([
  ['invoices', 'invoices', 'invoices'],
  ['change-orders', 'change_orders', 'change orders'],
  ['change order', 'change_order', 'change order'],
])('%s: as an identifier and in words', (name, identifier, words) => {
  expect(identifierOf(name)).toBe(identifier)
  expect(inWords(name)).toBe(words)
})

test('RESOURCES_IN_WORDS: the last one after "and"', () => {
  expect(RESOURCES_IN_WORDS).toMatch(/^[a-z ]+(?:, [a-z ]+)* and [a-z ]+$/)
})
