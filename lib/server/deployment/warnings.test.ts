import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { loadEnv } from '@/lib/core/env'
import { startWarnings } from './warnings'

const SECRETS = {
  EXTERNAL_API_TOKEN_SECRET: 'a-secret-of-enough-characters',
  BETTER_AUTH_SECRET: 'a-secret-of-as-many-characters-as-this',
}
const VERCEL = { ...SECRETS, VERCEL: '1', DATABASE_URL: 'postgres://ep-x-pooler.neon.tech/books' }
const REDIS = { KV_REST_API_URL: 'https://redis.example', KV_REST_API_TOKEN: 'token' }

test.each<[Record<string, string>, RegExp[]]>([
  [SECRETS, []],
  [{ NODE_ENV: 'development' }, []],
  [
    {},
    [
      /^EXTERNAL_API_TOKEN_SECRET is not set: each list ends after its first page/,
      /^BETTER_AUTH_SECRET is not set: nobody/,
    ],
  ],
  [VERCEL, [/^Each instance counts rate limits separately/, /^CRON_SECRET is not set/]],
  [{ ...VERCEL, ...REDIS }, [/^CRON_SECRET is not set/]],
  [{ ...VERCEL, ...REDIS, CRON_SECRET: 'a-secret-of-enough-characters' }, []],
  [{ ...SECRETS, SOURCES_FOLDER: tmpdir() }, []],
  [
    { ...SECRETS, SOURCES_FOLDER: '/nowhere/at/all' },
    [/^SOURCES_FOLDER: \/nowhere\/at\/all is not there, so no scheduled source loads from a folder\. Create it/],
  ],
  [{ ...SECRETS, SOURCES_FOLDER: process.execPath }, [/^SOURCES_FOLDER: \S+ is no folder/]],
  [
    { ...VERCEL, ...REDIS, CRON_SECRET: 'a-secret-of-enough-characters', SOURCES_FOLDER: tmpdir() },
    [/^SOURCES_FOLDER: \S+ is not watched on Vercel/],
  ],
])('a start with %j warns: %s', (variables, expected) => {
  const warnings = startWarnings(loadEnv(variables), 'next')
  expect(warnings).toHaveLength(expected.length)
  for (const [i, pattern] of expected.entries()) expect(warnings[i]).toMatch(pattern)
})
