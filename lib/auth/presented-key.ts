import { ServiceError } from '@/lib/core/errors'
import { isKeyShaped } from './keys'

const BEARER = /^Bearer +([^\s]+) *$/i
const BASIC = /^Basic +([A-Za-z0-9+/_-]+=*) *$/i

/** Returns the password of HTTP Basic credentials (RFC 7617); the user name is ignored. */
function basicPassword(authorization: string): string | undefined {
  const credentials = Buffer.from(BASIC.exec(authorization)?.[1] ?? '', 'base64').toString()
  return credentials.includes(':') ? credentials.slice(credentials.indexOf(':') + 1) : undefined
}

/**
 * Returns the key in a request's `x-api-key` or `Authorization: Bearer`; undefined when there is none, it is malformed, or the two
 * differ. Basic credentials of a proxy in front may accompany `x-api-key`.
 * @param takesBasic for senders that cannot set headers: also reads the password of `Authorization: Basic`
 */
export function presentedKey(headers: Pick<Headers, 'get'>, takesBasic = false): string | undefined {
  const direct = headers.get('x-api-key')
  const authorization = headers.get('authorization')
  if (authorization === null) return direct ?? undefined
  const password = basicPassword(authorization)
  // A proxy in front may require its own credentials, so ones that are not our key do not invalidate the key next to them.
  if (direct !== null && password !== undefined && !isKeyShaped(password)) return direct
  const other = BEARER.exec(authorization)?.[1] ?? (takesBasic ? password : undefined)
  if (other === undefined) return undefined
  return direct === null || direct === other ? other : undefined
}

/** Whether a request has a header that can carry a key, whatever its value. */
export const hasKeyHeader = (headers: Pick<Headers, 'get'>): boolean =>
  headers.get('x-api-key') !== null || headers.get('authorization') !== null

/** The error for a missing, malformed, unknown, revoked or expired key, which is always the same. */
export const unauthorized = (): ServiceError =>
  new ServiceError('unauthorized', 'A valid API key is needed. Send it as `x-api-key` or `Authorization: Bearer`.', {
    headers: { 'www-authenticate': 'Bearer realm="plumbline"' },
  })
