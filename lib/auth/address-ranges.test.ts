import { expect, test } from 'vitest'
import { isWithin, parseRange } from './address-ranges'

test.each([
  ['203.0.113.7', '203.0.113.7', true],
  ['203.0.113.8', '203.0.113.7', false],
  ['203.0.113.255', '203.0.113.0/24', true],
  ['203.0.114.0', '203.0.113.0/24', false],
  ['::ffff:203.0.113.7', '203.0.113.0/24', true],
  ['2001:db8:1::9', '2001:db8:1::/48', true],
  ['2001:db8:2::9', '2001:db8:1::/48', false],
  ['203.0.113.7', '::/0', false],
  ['unknown', '0.0.0.0/0', false],
])('%s in %s: %s', (address, range, expected) => {
  const parsed = parseRange(range)
  expect(parsed).toBeDefined()
  expect(isWithin(address, parsed ? [parsed] : [])).toBe(expected)
})

test.each(['', 'x', '10', '0x7f.1', '203.0.113.0/33', '203.0.113.256', '203.0.113.0/-1', 'localhost'])(
  '%j is not a range',
  (text) => {
    expect(parseRange(text)).toBeUndefined()
  },
)

test('an empty list of ranges allows nothing', () => {
  expect(isWithin('203.0.113.7', [])).toBe(false)
})
