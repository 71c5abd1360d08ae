import { faultCode } from './fault-code'

/** What a client is told when the service is not wrong but cannot do its work now, and the seconds after which it may try again. */
type Overload = { message: string; seconds: number }

const FULL: Overload = {
  message:
    'The disk of the server or of its database is full, so nothing can be stored. Tell its operator, and send this again later; reading goes on.',
  seconds: 600,
}
const BUSY: Overload = {
  message: 'The database has more to do than it can answer in time. Try again in a moment.',
  seconds: 2,
}
const AWAY: Overload = { message: 'The database cannot be reached right now. Try again in a moment.', seconds: 5 }

/**
 * Every code of such a fault: an SQLSTATE of Postgres, which the embedded one shares (appendix A), the start of a class of them, a name of
 * the operating system, or one of ours. The longest one that a code begins with decides.
 */
const BY_CODE: Record<string, Overload> = {
  // disk_full
  53100: FULL,
  ENOSPC: FULL,
  EDQUOT: FULL,
  EFBIG: FULL,
  // insufficient_resources: out_of_memory, too_many_connections, configuration_limit_exceeded
  53: BUSY,
  // query_canceled: `statement_timeout`, or somebody cancelled it
  57014: BUSY,
  // lock_not_available: `lock_timeout`
  '55P03': BUSY,
  // serialization_failure, deadlock_detected: others changed the same rows at once
  40001: BUSY,
  '40P01': BUSY,
  // idle_in_transaction_session_timeout, transaction_timeout
  '25P03': BUSY,
  '25P04': BUSY,
  EMFILE: BUSY,
  ENFILE: BUSY,
  DEADLINE_PASSED: BUSY,
  // connection_exception; poolers have 08P01 for their own limits too
  '08': AWAY,
  // read_only_sql_transaction: the primary has become a standby
  25006: AWAY,
  // admin_shutdown, crash_shutdown, cannot_connect_now, idle_session_timeout
  '57P01': AWAY,
  '57P02': AWAY,
  '57P03': AWAY,
  '57P05': AWAY,
  // io_error, system_error
  58030: AWAY,
  58000: AWAY,
  ECONNREFUSED: AWAY,
  ECONNRESET: AWAY,
  ECONNABORTED: AWAY,
  EPIPE: AWAY,
  ETIMEDOUT: AWAY,
  ENOTFOUND: AWAY,
  EAI_AGAIN: AWAY,
  EHOSTUNREACH: AWAY,
  EHOSTDOWN: AWAY,
  ENETUNREACH: AWAY,
  ENETDOWN: AWAY,
}

/** What drivers say of a connection without a code. */
const SAID =
  /^(timeout e(xpired|xceeded when trying to connect)|Query read timeout|Connection terminated|Client (has encountered a connection error|was closed) and is not queryable|Cannot use a pool after calling end|the WebSocket to the database failed)/i

function isSaid(fault: unknown): boolean {
  for (let at = fault; at instanceof Error; at = at.cause) if (SAID.test(at.message)) return true
  return false
}

/** Returns what an error says of an overload, a full disk or a database that is away; undefined for every other error. */
export function overloadOf(fault: unknown): Overload | undefined {
  const code = faultCode(fault)
  if (code !== undefined) return BY_CODE[code] ?? (/^\w{5}$/.test(code) ? BY_CODE[code.slice(0, 2)] : undefined)
  return isSaid(fault) ? AWAY : undefined
}

/** The digest of such an error: all that the error boundary of a page is told of what was thrown on the server. */
export const OVERLOADED = 'overloaded'

/** Reports whether an error says that a disk is full, the service's or the database's. */
export const isDiskFull = (fault: unknown): boolean => overloadOf(fault) === FULL
