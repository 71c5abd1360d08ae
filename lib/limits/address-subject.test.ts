import { expect, test } from 'vitest'
import { addressSubject } from './address-subject'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::ffff', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['not an address', 'unknown'],
  ['203.0.113.7:8080', 'unknown'],
])('%s is counted as %s', (address, subject) => expect(addressSubject(address)).toBe(subject))
