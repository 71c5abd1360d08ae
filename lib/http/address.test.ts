import { expect, test } from 'vitest'
import { loadEnv } from '@/lib/core/env'
import { ADDRESS_HEADER, clientAddress, isOwnOrigin } from './address'

const NAMED = { PORTAL_HOST: 'app.example.com', DATA_API_HOST: 'api.example.com' }

test.each<[origin: string | null, host: string | null, variables: Record<string, string>, isOwn: boolean]>([
  ['http://localhost:3000', 'localhost:3000', {}, true],
  ['http://LOCALHOST:3000', 'Localhost:3000', {}, true],
  ['https://books.example.com', 'books.example.com', {}, true],
  ['https://app.example.com', 'app.example.com', NAMED, true],
  ['http://app.example.com', 'app.example.com', NAMED, false],
  ['http://books.example.com', 'books.example.com', { PUBLIC_URL: 'https://books.example.com' }, false],
  ['ftp://localhost:3000', 'localhost:3000', {}, false],
  ['https://api.example.com', 'api.example.com', NAMED, false],
  ['https://evil.example', 'app.example.com', NAMED, false],
  ['http://localhost:3001', 'localhost:3000', {}, false],
  ['null', 'localhost:3000', {}, false],
  ['http://', 'localhost:3000', {}, false],
  [null, 'localhost:3000', {}, false],
  ['http://localhost:3000', null, {}, false],
])('a form from %s to %s with %j: %s', (origin, host, variables, isOwn) => {
  expect(isOwnOrigin(origin, host, loadEnv(variables))).toBe(isOwn)
})

test('X-Forwarded-For is believed only as far as proxies are trusted', () => {
  const headers = new Headers({ [ADDRESS_HEADER]: '10.0.0.1', 'x-forwarded-for': '6.6.6.6, 203.0.113.7, 10.0.0.2' })
  expect(clientAddress(headers, 0)).toBe('10.0.0.1')
  expect(clientAddress(headers, 1)).toBe('10.0.0.2')
  expect(clientAddress(headers, 2)).toBe('203.0.113.7')
  expect(clientAddress(new Headers({ [ADDRESS_HEADER]: '10.0.0.1' }), 1)).toBe('10.0.0.1')
})
