import { createServer } from 'node:net'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listenOnFreePort } from '@/lib/core/listen'
import { createTestPostgres } from '@/lib/testing/database'
import { loadEnv } from '../../lib/core/env'
import { OperatorError } from '../../lib/core/errors'
import { openDatabase } from '../client'

// The same Postgres answers over each driver.
describe.runIf(process.env.TEST_DRIVER === 'pg')('a Postgres that cannot be used', () => {
  let made: Awaited<ReturnType<typeof createTestPostgres>>
  const role = `plumbline_test_${process.pid}`
  const administer = async (text: string) => {
    const client = new Client({ connectionString: made.url })
    await client.connect()
    await client.query(text).finally(() => client.end())
  }
  beforeAll(async () => {
    made = await createTestPostgres()
    await administer(`create role ${role} login`)
  })
  afterAll(async () => {
    await administer(`drop owned by ${role}; drop role ${role}`)
    await made.drop()
  })

  /** The address with other parts. */
  const at = (
    change: Partial<Pick<URL, 'hostname' | 'port' | 'username' | 'password' | 'pathname' | 'search'>>,
  ): string => Object.assign(new URL(made.url), change).href
  const refusal = async (given: Record<string, string>): Promise<string> => {
    const error = await openDatabase({ ...loadEnv(given), poolSize: 1 }).then(
      () => undefined,
      (thrown) => thrown,
    )
    expect(error).toBeInstanceOf(OperatorError)
    return String(Object(error).message)
  }

  test.each<[string, Parameters<typeof at>[0], RegExp]>([
    [
      'no listener',
      { port: '1' },
      /^Nothing listens at \S+:1, where DATABASE_URL says the database is. Start Postgres/,
    ],
    [
      'an unknown host',
      { hostname: 'nowhere.invalid' },
      /^There is no host nowhere.invalid. Correct the host in DATABASE_URL|^The name server does not answer .*nowhere.invalid.*DATABASE_URL/,
    ],
    [
      'an unknown database',
      { pathname: '/nowhere' },
      /has no database nowhere. Create it \(createdb nowhere\), or correct the name in DATABASE_URL/,
    ],
    ['an unknown role', { username: 'nobody_here' }, /nobody_here.*DATABASE_URL/],
    [
      'no TLS, by a mode that the driver takes for verify-full',
      { search: '?sslmode=require' },
      /speaks no TLS, which DATABASE_URL demands|certificate .* cannot be verified: .*DATABASE_URL/,
    ],
    [
      'no TLS',
      { search: '?sslmode=verify-full' },
      /speaks no TLS, which DATABASE_URL demands|certificate .* cannot be verified: .*DATABASE_URL/,
    ],
  ])('%s: a sentence that names the setting', async (_, change, words) => {
    expect(await refusal({ DATABASE_URL: at(change) })).toMatch(words)
  })

  test('no address makes the driver warn', async () => {
    const warned: unknown[] = []
    const heard = (warning: unknown) => warned.push(warning)
    process.on('warning', heard)
    await refusal({ DATABASE_URL: at({ search: '?sslmode=require' }) })
    // Warnings are told in a turn of their own.
    await new Promise((done) => setImmediate(done))
    process.off('warning', heard)
    expect(warned).toEqual([])
  })

  test('a certificate that is not there', async () => {
    const url = at({ password: 'hidden', search: '?sslmode=verify-full&sslrootcert=/nowhere.crt' })
    const words = await refusal({ DATABASE_URL: url })
    expect(words).toMatch(/^A file that DATABASE_URL names .*cannot be read: .*\/nowhere.crt/)
    expect(words).not.toContain('hidden')
  })

  test('a program that is no Postgres', async () => {
    const server = createServer((client) => client.once('data', () => client.end('HTTP/1.1 400 Bad Request\r\n\r\n')))
    const url = at({ hostname: '127.0.0.1', port: String(await listenOnFreePort(server)) })
    expect(await refusal({ DATABASE_URL: url })).toMatch(
      /ends the connection. Check that it is a Postgres .*DATABASE_URL/,
    )
    server.close()
  })

  test('the setting is the one that has the address, also that for migrations', async () => {
    expect(await refusal({ POSTGRES_URL: at({ port: '1' }) })).toContain('POSTGRES_URL says')
    const direct = { POSTGRES_URL: made.url, POSTGRES_URL_NON_POOLING: at({ port: '1' }) }
    expect(await refusal(direct)).toContain('POSTGRES_URL_NON_POOLING says')
  })

  test('a role that may not migrate is told what it needs, and no password is shown', async () => {
    await administer('revoke create on schema public from public')
    const url = Object.assign(new URL(made.url), { username: role, password: 'hidden' }).href
    const words = await refusal({ DATABASE_URL: url })
    expect(words).toMatch(
      new RegExp(`^User ${role} of DATABASE_URL may not do what the migrations need: permission denied.*OWNER TO`),
    )
    expect(words).not.toContain('hidden')
  })
})
