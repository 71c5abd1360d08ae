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

test('an empty variable, or one of spaces, counts as unset', () => {
  expect(loadEnv({ PORT: ' ', DATABASE_URL: '' })).toMatchObject({ port: 3000, databaseUrl: undefined })
})

const database = (given: Record<string, string>) => {
  const { databaseDriver, databaseUrl, migrationsUrl } = loadEnv(given)
  return { databaseDriver, databaseUrl, migrationsUrl }
}
const POOLED = 'postgres://me:secret@ep-one-pooler.eu.example.com/books?sslmode=require'
const DIRECT = 'postgres://me:secret@ep-one.eu.example.com/books?sslmode=require'

test('the URL determines the driver, whichever variable has it, unless a driver is set', () => {
  const of = (given: Record<string, string>) => database(given).databaseDriver
  expect(of({})).toBe('pglite')
  expect(of({ DATABASE_URL: 'postgresql://db.example.com/books' })).toBe('pg')
  expect(of({ POSTGRES_URL: 'postgres://db.example.com/books' })).toBe('pg')
  expect(of({ POSTGRES_URL: POOLED })).toBe('vercel')
  expect(of({ DATABASE_URL: POOLED, POSTGRES_URL: POOLED })).toBe('vercel')
  expect(of({ DATABASE_URL: POOLED, DATABASE_DRIVER: 'pg' })).toBe('pg')
  expect(of({ DATABASE_URL: 'postgres://localhost/books', DATABASE_DRIVER: 'vercel' })).toBe('vercel')
  // Only the host decides: a password or a database name can contain anything.
  expect(of({ DATABASE_URL: 'postgres://me:a-pooler.b@db.example.com/books' })).toBe('pg')
})

test('a TLS mode that the driver takes for another one is said as what it means', () => {
  const at = (query: string) => `postgres://me@db.example.com/books${query}`
  const of = (query: string) =>
    loadEnv({ POSTGRES_URL: at(query), POSTGRES_URL_NON_POOLING: at(query), DATABASE_DRIVER: 'pg' })
  for (const mode of ['prefer', 'require', 'verify-ca', 'verify-full'])
    expect(of(`?sslmode=${mode}&x=1`)).toMatchObject({
      databaseUrl: at('?sslmode=verify-full&x=1'),
      migrationsUrl: at('?sslmode=verify-full&x=1'),
    })
  for (const kept of ['', '?sslmode=no-verify', '?sslmode=disable', '?sslmode=require&uselibpqcompat=true'])
    expect(of(kept).databaseUrl).toBe(at(kept))
})

test('migrations bypass the pooler when the platform provides a direct URL', () => {
  expect(database({ POSTGRES_URL: POOLED, POSTGRES_URL_NON_POOLING: DIRECT })).toEqual({
    databaseDriver: 'vercel',
    databaseUrl: POOLED,
    migrationsUrl: DIRECT,
  })
  const own = { DATABASE_URL: 'postgres://db.example.com/books', POSTGRES_URL_NON_POOLING: DIRECT }
  expect(database(own).migrationsUrl).toBeUndefined()
})

test.each([
  ['a driver without a URL', { DATABASE_DRIVER: 'vercel' }, 'set DATABASE_URL or POSTGRES_URL'],
  ['pg without a URL', { DATABASE_DRIVER: 'pg' }, 'set DATABASE_URL or POSTGRES_URL'],
  ['the embedded database beside a URL', { DATABASE_DRIVER: 'pglite', DATABASE_URL: DIRECT }, 'unset one'],
  ['a host the package refuses', { DATABASE_DRIVER: 'vercel', DATABASE_URL: DIRECT }, 'Take the pooled URL'],
  ['two databases', { DATABASE_URL: DIRECT, POSTGRES_URL: POOLED }, 'name two databases'],
  [
    'migrations elsewhere',
    { POSTGRES_URL: POOLED, POSTGRES_URL_NON_POOLING: 'postgres://ep-one.eu.example.com/other' },
    'names another database',
  ],
  [
    'migrations by someone else',
    { POSTGRES_URL: POOLED, POSTGRES_URL_NON_POOLING: DIRECT.replace('me:', 'you:') },
    'signs in as another user',
  ],
  ['a driver nobody has', { DATABASE_DRIVER: 'mysql' }, 'DATABASE_DRIVER'],
])('%s is refused with what to do, and no password is shown', (_, given, words) => {
  expect(() => loadEnv(given)).toThrow(words)
  try {
    loadEnv(given)
  } catch (error) {
    expect(error).toBeInstanceOf(EnvError)
    expect(String(error)).not.toContain('secret')
  }
})

test('the shared limit store is read under either pair of names, Upstash’s first', () => {
  const kv = { KV_REST_API_URL: 'https://kv.example.com/', KV_REST_API_TOKEN: 'k' }
  const upstash = { UPSTASH_REDIS_REST_URL: 'https://u.example.com', UPSTASH_REDIS_REST_TOKEN: 'u' }
  expect(loadEnv({}).limitStore).toBeUndefined()
  expect(loadEnv(kv).limitStore).toEqual({ url: 'https://kv.example.com', token: 'k', patienceMs: 250 })
  expect(loadEnv({ ...kv, ...upstash, RATE_LIMIT_STORE_TIMEOUT_MS: '1000' }).limitStore).toEqual({
    url: 'https://u.example.com',
    token: 'u',
    patienceMs: 1_000,
  })
})

test('one variable of a pair is refused with the name of the missing one', () => {
  const half = { UPSTASH_REDIS_REST_URL: 'https://u.example.com', KV_REST_API_TOKEN: 'k', UPSTASH_REDIS_REST_TOKEN: '' }
  expect(() => loadEnv(half)).toThrow(/UPSTASH_REDIS_REST_TOKEN: is needed beside UPSTASH_REDIS_REST_URL/)
  expect(() => loadEnv(half)).toThrow(/KV_REST_API_URL: is needed beside KV_REST_API_TOKEN/)
})

test.each([
  [{ PORT: 'many' }, 'PORT: must be a number'],
  [{ DATABASE_POOL_SIZE: '1.5' }, 'DATABASE_POOL_SIZE: must be a whole number'],
  ...['postgres://my host/x', 'postgres://me@db:99999/x', 'postgresql://me:a#b@db/x', 'postgres://me:a/b@db/x'].map(
    (url): [Record<string, string>, string] => [
      { DATABASE_URL: url },
      'DATABASE_URL: must be an address such as postgres://user:password@host:5432/database; write special',
    ],
  ),
  [{ DATABASE_STATEMENTS: 'none' }, 'DATABASE_STATEMENTS: must be one of named, unnamed'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT: must be an http or https URL'],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'yes' }, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: must be an http or https URL'],
  [
    { DATA_API_HOST: 'a.example.com', MCP_HOST: 'A.example.com.', PORTAL_HOST: 'a.example.com' },
    'MCP_HOST: is the same host as DATA_API_HOST; give each its own, or set none of the three\n  PORTAL_HOST: is the same',
  ],
])('%j is refused: %s', (given, words) => expect(() => loadEnv(given)).toThrow(`  ${words}`))

test.each(['postgres://me@/books?host=/run/postgresql', 'postgres:///books', 'postgres://me:a%2Fb@[::1]:5432/books'])(
  '%s is an address',
  (url) => expect(loadEnv({ DATABASE_URL: url }).databaseUrl).toBe(url),
)

test.each<[string, string, boolean]>([
  ['PUBLIC_URL', 'https://books.example.com/', true],
  ['PUBLIC_URL', 'http://localhost:4000', true],
  ['PUBLIC_URL', 'https://books.example.com/app', false],
  ['PUBLIC_URL', 'https://books.example.com/?a=1', false],
  ['PUBLIC_URL', 'https://me:secret@books.example.com', false],
  ['MAIL_FROM', 'books@example.com', true],
  ['MAIL_FROM', 'Ana’s books <books@example.com>', true],
  ['MAIL_FROM', 'not an address', false],
  ['MAIL_FROM', 'Books <books>', false],
])('%s=%s can be used: %s', (name, value, isUsable) => {
  const load = () => loadEnv({ [name]: value })
  if (isUsable) expect(load).not.toThrow()
  else expect(load).toThrow(new RegExp(`${name}: must be`))
})
