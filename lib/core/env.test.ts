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
