import { expect, test } from 'vitest'
import { countsAlone, hostOfNext } from './entry'
import { loadEnv } from './env'

const POSTGRES = { DATABASE_URL: 'postgres://localhost/books' }
const REDIS = { UPSTASH_REDIS_REST_URL: 'https://redis.example', UPSTASH_REDIS_REST_TOKEN: 'token' }

test.each<[Record<string, string>, 'server' | 'next', boolean]>([
  [{}, 'next', false],
  [POSTGRES, 'server', false],
  [POSTGRES, 'next', true],
  [{ ...POSTGRES, ...REDIS }, 'next', false],
  [{ ...POSTGRES, VERCEL: '1' }, 'next', true],
  [{ ...POSTGRES, ...REDIS, VERCEL: '1' }, 'next', false],
  [{ ...POSTGRES, PLUMBLINE_WORKER: '2' }, 'server', true],
])('with %j under %s limits are counted alone: %s', (variables, name, alone) => {
  expect(countsAlone(loadEnv(variables), name)).toBe(alone)
})

test.each([
  ['next start', '::'],
  ['next start -p 3000', '::'],
  ['next start -H localhost', 'localhost'],
  ['next start --hostname 0.0.0.0 -p 3000', '0.0.0.0'],
  ['next start --hostname=127.0.0.1', '127.0.0.1'],
  ['next start -H localhost -H 0.0.0.0', '0.0.0.0'],
  ['next start -H', '::'],
])('hostOfNext: %s listens on %s', (command, host) => {
  expect(hostOfNext(command.split(' '))).toBe(host)
})
