import { OperatorError } from '../../lib/core/errors'
import { faultCode } from '../../lib/core/fault-code'

/** An address of a Postgres, and the setting that has it. */
export type Address = { url: string; setting: string }

/** The parts of an address that a sentence may name: everything but the password. */
type Named = { place: string; host: string; user: string; database: string; setting: string; said: string }

function namesOf({ url, setting }: Address, said: string): Named {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  const host = parsed?.hostname || 'localhost'
  // Whom the driver signs in as where the address names nobody.
  const user = decodeURIComponent(parsed?.username ?? '') || process.env.PGUSER || process.env.USER || '(none)'
  const database = decodeURIComponent(parsed?.pathname.slice(1) ?? '') || user
  return { place: `${host}:${parsed?.port || 5432}`, host, user, database, setting, said }
}

type Words = (named: Named) => string

const silent: Words = ({ place, setting }) =>
  `The database at ${place} (${setting}) does not answer. Check that it runs, that a firewall lets this machine through, and the host and port in ${setting}.`
const untrusted: Words = ({ host, setting, said }) =>
  `The certificate of the database's host ${host} cannot be verified: ${said}. Give its authority with sslrootcert=<file> in ${setting}, or set sslmode=no-verify there to accept any certificate.`

const unread: Words = ({ setting, said }) =>
  `A file that ${setting} names (sslrootcert, sslcert or sslkey) cannot be read: ${said}. Correct its path, or let the service's user read it.`

/** Sentences by SQLSTATE or the system's name of an error. */
const BY_CODE: Record<string, Words> = {
  ECONNREFUSED: ({ place, setting }) =>
    `Nothing listens at ${place}, where ${setting} says the database is. Start Postgres there, or correct the host and port in ${setting}.`,
  ENOENT: unread,
  EACCES: unread,
  ENOTFOUND: ({ host, setting }) => `There is no host ${host}. Correct the host in ${setting}.`,
  EAI_AGAIN: ({ host, setting }) =>
    `The name server does not answer for the database's host ${host}. Check this machine's network, or the host in ${setting}.`,
  ETIMEDOUT: silent,
  EHOSTUNREACH: silent,
  ENETUNREACH: silent,
  '28P01': ({ user, setting }) =>
    `The database refuses the password of user ${user}. Correct the password in ${setting}; write special characters percent-encoded.`,
  '28000': ({ user, setting, said }) =>
    `The database does not let user ${user} in: ${said}. Correct the user in ${setting}, or create it.`,
  '3D000': ({ database, place, setting }) =>
    `The Postgres at ${place} has no database ${database}. Create it (createdb ${database}), or correct the name in ${setting}.`,
  '42501': ({ user, database, setting, said }) =>
    `User ${user} of ${setting} may not do what the migrations need: ${said}. Make it the database's owner: ALTER DATABASE "${database}" OWNER TO "${user}".`,
  '25006': ({ place, setting }) =>
    `The database at ${place} only reads, as a standby does. Set ${setting} to the primary.`,
  '53300': ({ place }) =>
    `The database at ${place} has no connection left. Lower DATABASE_POOL_SIZE, stop what else is connected, or raise max_connections in Postgres.`,
  '57P03': ({ place, said }) => `The database at ${place} is not ready: ${said}. Start again in a moment.`,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  CERT_HAS_EXPIRED: untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: untrusted,
}

/** Sentences by what an error says, where it has no code of its own: the driver's errors, and those of a pooler. */
const BY_TEXT: [RegExp, Words][] = [
  [/timeout expired|connection timeout/i, silent],
  [
    /client password must be|no password supplied/,
    ({ user, setting }) =>
      `The database wants a password of user ${user}, and ${setting} has none. Add it: postgres://${user}:<password>@…`,
  ],
  [
    /does not support SSL/,
    ({ place, setting }) =>
      `The database at ${place} speaks no TLS, which ${setting} demands. Turn TLS on there, or remove sslmode from ${setting}.`,
  ],
  [
    /unsupported startup parameter(?: in options)?: (.+)/,
    ({ place, setting, said }) =>
      `The pooler at ${place} refuses the parameter ${said.split(': ').at(-1)}. Remove it from ${setting}, or name it in PgBouncer's ignore_startup_parameters.`,
  ],
  [
    /connection terminated|connection ended/i,
    ({ place, setting }) =>
      `The server at ${place} ends the connection. Check that it is a Postgres and not another program, and the host and port in ${setting}; its log may say more.`,
  ],
  [
    /statement pooling mode/,
    ({ place, setting }) =>
      `The pooler at ${place} allows no transactions (pool_mode = statement). Set it to transaction or session, or set ${setting} to the address without the pooler.`,
  ],
]

/** The codes of errors that a pooler or a driver over a WebSocket tells by their text alone. */
const CODES_BY_TEXT: [RegExp, string][] = [
  [/\bECONNREFUSED\b/, 'ECONNREFUSED'],
  [/\bENOTFOUND\b/, 'ENOTFOUND'],
  [/no such database/, '3D000'],
  [/no such user/, '28000'],
  [/password authentication failed/, '28P01'],
]

const codeOf = (error: unknown, said: string): string =>
  CODES_BY_TEXT.find(([pattern]) => pattern.test(said))?.[1] ?? faultCode(error) ?? ''

const textOf = (error: unknown): string => {
  let innermost = error
  while (innermost instanceof Error && innermost.cause instanceof Error) innermost = innermost.cause
  return innermost instanceof Error ? innermost.message : String(error)
}

/** Returns an error of opening a database as a sentence that names the setting; the error itself where the operator cannot change it. */
export function explained(error: unknown, address: Address): unknown {
  if (error instanceof OperatorError) return error
  const said = textOf(error)
  const words = BY_CODE[codeOf(error, said)] ?? BY_TEXT.find(([pattern]) => pattern.test(said))?.[1]
  return words ? new OperatorError(words(namesOf(address, said)), { cause: error }) : error
}
