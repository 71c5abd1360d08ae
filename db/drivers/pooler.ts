import { OperatorError } from '../../lib/core/errors'
import { faultCode } from '../../lib/core/fault-code'
import { log } from '../../lib/core/log'
import type { Address } from './unusable'

/** The codes by which Postgres says that a connection has no statement of a name, or has one already. */
const MIXED_UP = ['26000', '42P05']

const isMixedUp = (error: unknown): boolean => MIXED_UP.includes(faultCode(error) ?? '')

/** What an operator reads where a pooler gives a client's named statements to another. */
const mixedUpWords = (setting: string): string =>
  `The pooler in ${setting} does not keep each client's named statements, so most requests fail. Use PgBouncer 1.21 or later with ` +
  'max_prepared_statements above 0 or pool_mode = session, take the address without the pooler, or set DATABASE_STATEMENTS=unnamed.'

/** The time for which statements count as failing after one did. */
const FAILING_MS = 60_000

/** Watches for statements that a pooler mixed up: the first is logged as a sentence, and `trouble` tells it while they fail. */
export function watchMixedUp(setting: string) {
  let failedAt = Number.NEGATIVE_INFINITY
  let isLogged = false
  return {
    note(error: unknown): void {
      if (!isMixedUp(error)) return
      failedAt = performance.now()
      if (!isLogged) log('error', { operation: 'database' }, mixedUpWords(setting))
      isLogged = true
    },
    trouble: (): string | undefined => (performance.now() - failedAt < FAILING_MS ? mixedUpWords(setting) : undefined),
  }
}

type Asked = { query(statement: { name?: string; text: string }): Promise<{ rows: { pid: number; zone?: string }[] }> }
type Second = Asked & { connect(): Promise<unknown>; end(): Promise<void> }

const PID = 'select pg_backend_pid() as pid'
const NAMED = { name: 'plumbline_pooler', text: PID }
/** The most times that two connections are compared; a pooler that gives each a server of its own mixes nothing up. */
const ROUNDS = 4

const UTC = /^(?:etc\/)?(?:utc|uct|gmt|universal|zulu)$/i

/** Asks the same named statement over two connections until a server had both of them, or one had two servers. */
async function compare(one: Asked, other: Asked): Promise<void> {
  const ask = async (of: Asked) => (await of.query(NAMED)).rows[0]?.pid
  let before: number | undefined
  for (let round = 0; round < ROUNDS; round++) {
    const [mine, others] = [await ask(one), await ask(other)]
    if (mine === others || (before !== undefined && mine !== before)) return
    before = mine
  }
}

/**
 * Checks what stands between this process and Postgres: that a session's time zone is ours, and that a pooler keeps transactions and named statements. Who is
 * connected to Postgres itself knows its process by number, and is asked nothing more.
 * @param processId the number that the connection was given as it was made
 * @param second makes another connection
 * @throws OperatorError with what the pooler needs
 */
export async function requireKept(
  { setting }: Address,
  first: Asked,
  processId: unknown,
  second: (() => Second) | undefined,
): Promise<void> {
  const { rows } = await first.query({ text: `${PID}, current_setting('TimeZone') as zone` })
  const { pid, zone = '' } = rows[0] ?? {}
  if (!UTC.test(zone))
    throw new OperatorError(
      `The pooler in ${setting} drops the time zone that this service asks for, and sessions have ${zone}. Set it for the user: ALTER ROLE … SET timezone = 'UTC'.`,
    )
  if (pid === processId) return
  // A pooler that hands out single statements refuses it.
  await first.query({ text: 'begin' })
  await first.query({ text: 'commit' })
  if (!second) return
  const other = second()
  await other.connect()
  try {
    await compare(first, other)
  } catch (error) {
    throw isMixedUp(error) ? new OperatorError(mixedUpWords(setting), { cause: error }) : error
  } finally {
    other.end().catch(() => {})
  }
}
