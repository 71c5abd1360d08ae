import { expect, test } from 'vitest'
import { loadEnv } from '@/lib/core/env'
import { isOwnOrigin } from './origin'

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
