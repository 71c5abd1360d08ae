import { expect, test } from 'vitest'
import { ADDRESS_HEADER, clientAddress } from './address'

test('X-Forwarded-For is believed only as far as proxies are trusted', () => {
  const headers = new Headers({ [ADDRESS_HEADER]: '10.0.0.1', 'x-forwarded-for': '6.6.6.6, 203.0.113.7, 10.0.0.2' })
  expect(clientAddress(headers, 0)).toBe('10.0.0.1')
  expect(clientAddress(headers, 1)).toBe('10.0.0.2')
  expect(clientAddress(headers, 2)).toBe('203.0.113.7')
  expect(clientAddress(new Headers({ [ADDRESS_HEADER]: '10.0.0.1' }), 1)).toBe('10.0.0.1')
})
