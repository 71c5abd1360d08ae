import { expect, test } from 'vitest'
import { loadEnv } from '@/lib/core/env'
import { DeploymentRefused, databaseAddress, publicReason, requireLoopback } from './check'

test.each<[Record<string, string>, RegExp | undefined]>([
  [{}, undefined],
  [{ PUBLIC_URL: 'http://localhost:4000' }, undefined],
  [{ PUBLIC_URL: 'http://127.0.0.1:4000' }, undefined],
  [{ PUBLIC_URL: 'http://[::1]:4000' }, undefined],
  [{ DATA_API_HOST: 'api.localhost' }, undefined],
  [{ PUBLIC_URL: 'https://books.example.com' }, /PUBLIC_URL/],
  [{ PUBLIC_URL: 'http://localhost.example.com' }, /PUBLIC_URL/],
  [{ PORTAL_HOST: 'app.example.com' }, /app\.example\.com/],
  [{ HOST: '0.0.0.0' }, /it listens on 0\.0\.0\.0/],
  [{ HOST: '::' }, /it listens on ::/],
  [{ VERCEL: '1', VERCEL_ENV: 'production' }, /Vercel/],
  [{ VERCEL: '1' }, /Vercel/],
  [{ VERCEL: '1', VERCEL_ENV: 'preview', PUBLIC_URL: 'https://books.example.com' }, undefined],
  [{ NODE_ENV: 'development', PUBLIC_URL: 'https://books.example.com' }, undefined],
  [{ NODE_ENV: 'development', HOST: '0.0.0.0' }, /it listens on/],
])('with %j a server is public: %s', (variables, expected) => {
  const reason = publicReason(loadEnv(variables))
  if (expected === undefined) expect(reason).toBeUndefined()
  else expect(reason).toMatch(expected)
})

test('the demonstration is served on loopback only', () => {
  for (const host of ['127.0.0.1', 'localhost', '::1']) expect(() => requireLoopback({ host })).not.toThrow()
  for (const host of ['0.0.0.0', '::', '192.168.1.4', 'books.example.com'])
    expect(() => requireLoopback({ host })).toThrow(DeploymentRefused)
})

test('pooled and direct hosts give one database address, whatever the user; a branch and another database give others', () => {
  const direct = databaseAddress('postgres://a:b@ep-cool-darkness-1.us-east-2.aws.neon.tech/books?sslmode=require')
  expect(databaseAddress('postgres://c:d@EP-cool-darkness-1-pooler.us-east-2.aws.neon.tech/books')).toBe(direct)
  expect(databaseAddress('postgres://a:b@ep-other-branch-2.us-east-2.aws.neon.tech/books')).not.toBe(direct)
  expect(databaseAddress('postgres://a:b@ep-cool-darkness-1.us-east-2.aws.neon.tech/preview')).not.toBe(direct)
})
