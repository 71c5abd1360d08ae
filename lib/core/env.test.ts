import { expect, test } from 'vitest'
import { EnvError, loadEnv } from './env'

test('every bad variable is named at once', () => {
  const bad = {
    PORT: '99999',
    DATABASE_URL: 'mysql://x',
    EXTERNAL_API_TOKEN_SECRET: 'short',
    DATA_API_HOST: 'https://api.example.com/',
  }
  expect(() => loadEnv(bad)).toThrow(EnvError)
  try {
    loadEnv(bad)
  } catch (error) {
    for (const name of Object.keys(bad)) expect(String(error)).toContain(name)
  }
})

test('an empty variable counts as unset', () => {
  expect(loadEnv({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 3000, databaseUrl: undefined })
})

test('the shared limit store is read under either pair of names, Upstash’s first', () => {
  const kv = { KV_REST_API_URL: 'https://kv.example.com/', KV_REST_API_TOKEN: 'k' }
  const upstash = { UPSTASH_REDIS_REST_URL: 'https://u.example.com', UPSTASH_REDIS_REST_TOKEN: 'u' }
  expect(loadEnv({}).limitStore).toBeUndefined()
  expect(loadEnv(kv).limitStore).toEqual({ url: 'https://kv.example.com', token: 'k' })
  expect(loadEnv({ ...kv, ...upstash }).limitStore).toEqual({ url: 'https://u.example.com', token: 'u' })
})

test('half of a pair is refused with the name of the other half, beside every other bad variable', () => {
  const half = { UPSTASH_REDIS_REST_URL: 'https://u.example.com', KV_REST_API_TOKEN: 'k', UPSTASH_REDIS_REST_TOKEN: '' }
  for (const given of [half, { ...half, PORT: '99999' }]) {
    expect(() => loadEnv(given)).toThrow(/UPSTASH_REDIS_REST_TOKEN: is needed beside UPSTASH_REDIS_REST_URL/)
    expect(() => loadEnv(given)).toThrow(/KV_REST_API_URL: is needed beside KV_REST_API_TOKEN/)
  }
  expect(() => loadEnv({ ...half, PORT: '99999' })).toThrow(/PORT/)
})
