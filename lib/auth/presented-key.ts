import { ServiceError } from '@/lib/core/errors'
import type { ProtectedResource } from './actor'
import { isKeyShaped, isMeantAsKey, isTokenShaped } from './keys'
import { challenge, isOAuthOffered } from './oauth/places'

const BEARER = /^Bearer +([^\s]+) *$/i
const BASIC = /^Basic +([A-Za-z0-9+/_-]+=*) *$/i

/** Returns the password of HTTP Basic credentials (RFC 7617); the user name is ignored. */
function basicPassword(authorization: string): string | undefined {
  const credentials = Buffer.from(BASIC.exec(authorization)?.[1] ?? '', 'base64').toString()
  return credentials.includes(':') ? credentials.slice(credentials.indexOf(':') + 1).trim() : undefined
}

/** Returns the text of `x-api-key` without the spaces around it; null where there is none or it is blank. */
const apiKeyIn = (headers: Pick<Headers, 'get'>): string | null => headers.get('x-api-key')?.trim() || null

/**
 * Returns the key in a request's `x-api-key` or `Authorization: Bearer`; undefined when there is none, it is malformed, or the two
 * differ. Basic credentials of a proxy in front may accompany `x-api-key`.
 * @param takesBasic for senders that cannot set headers: also reads the password of `Authorization: Basic`
 */
export function presentedKey(headers: Pick<Headers, 'get'>, takesBasic = false): string | undefined {
  const direct = apiKeyIn(headers)
  const authorization = headers.get('authorization')?.trim() || null
  if (authorization === null) return direct ?? undefined
  const password = basicPassword(authorization)
  // A proxy in front may require its own credentials, so ones that are not our key do not invalidate the key next to them.
  if (direct !== null && password !== undefined && !isKeyShaped(password)) return direct
  const other = BEARER.exec(authorization)?.[1] ?? (takesBasic ? password : undefined)
  if (other === undefined) return undefined
  return direct === null || direct === other ? other : undefined
}

/** Reports whether a request has a header that can carry a key, whatever its value. */
export const hasKeyHeader = (headers: Pick<Headers, 'get'>): boolean =>
  apiKeyIn(headers) !== null || Boolean(headers.get('authorization')?.trim())

/**
 * The key in a lead sender's URL, behind the name of its source (`/api/webhooks/leads/typeform.plb_live_…`); undefined without one.
 * @param url a path or a whole URL
 */
export const keyInUrl = (url: string): string | undefined => /\/webhooks\/leads\/[\w-]*\.([^/?#]*)/.exec(url)?.[1]

const bearerOf = (headers: Pick<Headers, 'get'>): string | undefined =>
  BEARER.exec(headers.get('authorization') ?? '')?.[1]

const SIGN_IN = ' Or sign in by OAuth 2.1: the header WWW-Authenticate names where.'

/**
 * The refusal of a request's credentials. It is the same for every key that is missing, malformed, unknown, revoked or expired; a token is told
 * that it is not valid (RFC 6750, 3.1), and a key beside a token is a mistake of its own.
 */
export function unauthorized(
  headers: Pick<Headers, 'get'> = new Headers(),
  face: ProtectedResource = 'api',
): ServiceError {
  const bearer = bearerOf(headers)
  if (bearer !== undefined && isTokenShaped(bearer) && apiKeyIn(headers) !== null)
    return new ServiceError(
      'bad_request',
      'The request has an API key and an access token. Send one of them: the key in `x-api-key`, or the token as `Authorization: Bearer`.',
    )
  // Whatever comes as Bearer and is no key was meant as a token, so that its program signs in again.
  const fault =
    bearer !== undefined && !isMeantAsKey(bearer)
      ? ({
          error: 'invalid_token',
          description: 'The access token is not valid, has ended, or is for another address',
        } as const)
      : undefined
  return new ServiceError(
    'unauthorized',
    `A valid API key is needed. Send it as \`x-api-key\` or \`Authorization: Bearer\`.${face === 'mcp' && isOAuthOffered() ? SIGN_IN : ''}`,
    {
      headers: { 'www-authenticate': challenge(face, fault) },
    },
  )
}
