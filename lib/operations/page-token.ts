import { createHmac, timingSafeEqual } from 'node:crypto'
import { ServiceError } from '@/lib/core/errors'

/** A position in a list, and the token's expiry (epoch seconds). */
type Payload = { at: string; id: string; exp: number }

/** The values that a token is bound to. A token used anywhere else is rejected. */
export type TokenBinding = { resource: string; contractorId: string; keyId: string; filters: Record<string, string> }

const LIFETIME_SECONDS = 24 * 60 * 60

/** The binding is part of the signature only; the token itself contains no ids of contractors or keys. */
function sign(secret: string, payload: string, { resource, contractorId, keyId, filters }: TokenBinding): string {
  const bound = JSON.stringify([payload, resource, contractorId, keyId, Object.entries(filters).sort()])
  return createHmac('sha256', secret).update(bound).digest('base64url')
}

/** Compares text, because several base64url spellings encode the same bytes and only ours is accepted. */
function equal(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Returns an opaque token for the position after an item: HMAC-SHA256 over the position and its binding; valid for 24 hours. */
export function issuePageToken(
  secret: string,
  place: { at: string; id: string },
  binding: TokenBinding,
  now: Date,
): string {
  const payload: Payload = {
    at: place.at,
    id: place.id,
    exp: Math.floor(now.getTime() / 1000) + LIFETIME_SECONDS,
  }
  const encoded = Buffer.from(JSON.stringify(payload)).toString('base64url')
  return `${encoded}.${sign(secret, encoded, binding)}`
}

function refuse(message: string): never {
  throw new ServiceError('bad_request', message, { fields: [{ field: 'pageToken', message }] })
}

/**
 * Returns the position a token stands for.
 * @param secrets the current secret first, then the previous one while secrets rotate
 * @throws ServiceError `bad_request` when the token was changed, is bound elsewhere, or has expired
 */
export function readPageToken(
  secrets: readonly (string | undefined)[],
  token: string,
  binding: TokenBinding,
  now: Date,
) {
  const [encoded = '', signature = '', ...rest] = token.split('.')
  const genuine = secrets.some((secret) => secret !== undefined && equal(signature, sign(secret, encoded, binding)))
  if (!genuine || rest.length > 0) {
    refuse(
      'The page token does not belong to this request. Use nextPageToken unchanged, with the same key, endpoint and filters.',
    )
  }
  const payload: Payload = JSON.parse(Buffer.from(encoded, 'base64url').toString())
  if (payload.exp * 1000 <= now.getTime())
    refuse('The page token has expired. Begin the walk again; tokens are valid for 24 hours.')
  return { at: payload.at, id: payload.id }
}
