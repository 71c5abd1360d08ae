import * as z from 'zod'

type Variables = {
  DATABASE_URL?: string | undefined
  DATABASE_DRIVER?: DatabaseDriver | undefined
  POSTGRES_URL?: string | undefined
  POSTGRES_URL_NON_POOLING?: string | undefined
}

/** The embedded database, any Postgres through `pg`, or one behind a WebSocket through `@vercel/postgres`. */
export const DatabaseDriver = z.enum(['pglite', 'pg', 'vercel'])
export type DatabaseDriver = z.output<typeof DatabaseDriver>

/** The database that the service uses; `migrationsUrl` is a separate connection for migrations that bypasses the platform's pooler. */
export type DatabaseSettings = {
  databaseDriver: DatabaseDriver
  databaseUrl: string | undefined
  /** The setting that has the URL. */
  databaseSetting: 'DATABASE_URL' | 'POSTGRES_URL'
  migrationsUrl: string | undefined
}

const parse = (url: string): URL | undefined => (URL.canParse(url) ? new URL(url) : undefined)
const hostOf = (url: string): string => parse(url)?.hostname ?? ''
const isPooled = (url: string): boolean => hostOf(url).includes('-pooler.')
const sameDatabase = (one: string, other: string): boolean => parse(one)?.pathname === parse(other)?.pathname

/** Contradictions in the database settings, one line each for an EnvError; empty when there are none. */
export function databaseFaults(given: Variables): string[] {
  const { DATABASE_URL, POSTGRES_URL, POSTGRES_URL_NON_POOLING: direct } = given
  const faults: string[] = []
  if (DATABASE_URL && POSTGRES_URL && DATABASE_URL !== POSTGRES_URL)
    faults.push('DATABASE_URL, POSTGRES_URL: name two databases; set one of them, or both to the same')
  const { databaseUrl: url, databaseDriver: driver } = databaseSettings(given)
  if (driver !== 'pglite' && !url)
    faults.push(`DATABASE_DRIVER: is ${driver}, which needs a Postgres; set DATABASE_URL or POSTGRES_URL`)
  if (driver === 'pglite' && url)
    faults.push('DATABASE_DRIVER: is pglite, the embedded database, but a URL of a Postgres is set; unset one of them')
  if (driver === 'vercel' && url && !isPooled(url) && hostOf(url) !== 'localhost')
    faults.push(
      `DATABASE_DRIVER: is vercel, whose host has \`-pooler.\` in its name (or is localhost); ${hostOf(url) || 'this URL'} has not. Take the pooled URL, or set DATABASE_DRIVER=pg`,
    )
  if (POSTGRES_URL && direct && !sameDatabase(POSTGRES_URL, direct))
    faults.push('POSTGRES_URL_NON_POOLING: names another database than POSTGRES_URL; they must be two ways to one')
  if (POSTGRES_URL && direct && parse(POSTGRES_URL)?.username !== parse(direct)?.username)
    faults.push('POSTGRES_URL_NON_POOLING: signs in as another user than POSTGRES_URL; who migrates owns the tables')
  return faults
}

/**
 * Says `verify-full` where an address says `prefer`, `require` or `verify-ca`: `pg` 8 verifies certificates and host names for all of them, warns of it at
 * each start, and will not in its next major version. With `uselibpqcompat=true` they mean what they mean to Postgres's own programs.
 */
const verified = (url: string): string =>
  /[?&]uselibpqcompat=true(&|$)/.test(url)
    ? url
    : url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full')

/**
 * The only place that chooses the driver: `DATABASE_DRIVER` if set; otherwise a host with `-pooler.` in it means vercel, any other
 * URL pg, and no URL the embedded database.
 */
export function databaseSettings(given: Variables): DatabaseSettings {
  const databaseUrl = given.DATABASE_URL ?? given.POSTGRES_URL
  const guessed = databaseUrl ? (isPooled(databaseUrl) ? 'vercel' : 'pg') : 'pglite'
  const databaseDriver = given.DATABASE_DRIVER ?? guessed
  const exact = (url: string | undefined) => (url !== undefined && databaseDriver === 'pg' ? verified(url) : url)
  return {
    databaseDriver,
    databaseUrl: exact(databaseUrl),
    databaseSetting: given.DATABASE_URL === undefined && given.POSTGRES_URL ? 'POSTGRES_URL' : 'DATABASE_URL',
    // It belongs to POSTGRES_URL. Next to a DATABASE_URL it is a leftover that could name someone else's database.
    migrationsUrl: given.POSTGRES_URL ? exact(given.POSTGRES_URL_NON_POOLING) : undefined,
  }
}
