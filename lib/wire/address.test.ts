import { expect, test } from 'vitest'
import { ADDRESS_HEADER, addressSubject, clientAddress } from './address'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::ffff', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['not an address', 'unknown'],
  ['203.0.113.7:8080', 'unknown'],
])('%s is counted as %s', (address, subject) => expect(addressSubject(address)).toBe(subject))

test('X-Forwarded-For is believed only as far as proxies are trusted', () => {
  const headers = new Headers({ [ADDRESS_HEADER]: '10.0.0.1', 'x-forwarded-for': '6.6.6.6, 203.0.113.7, 10.0.0.2' })
  expect(clientAddress(headers, 0)).toBe('10.0.0.1')
  expect(clientAddress(headers, 1)).toBe('10.0.0.2')
  expect(clientAddress(headers, 2)).toBe('203.0.113.7')
  expect(clientAddress(new Headers({ [ADDRESS_HEADER]: '10.0.0.1' }), 1)).toBe('10.0.0.1')
})
