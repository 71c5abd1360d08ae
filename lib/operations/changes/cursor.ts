import { createHmac, timingSafeEqual } from 'node:crypto'
import * as z from 'zod'
import type { FeedPlace } from '@/db/queries/changes'
import { env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import { RESOURCE_NAMES, type ResourceName } from '@/lib/core/resource-names'

/** A place in the feed, and the resources for which everything before it was sent. */
export type Cursor = FeedPlace & { resources: ResourceName[] }

const Payload = z.object({ p: z.int().nonnegative(), t: z.string(), r: z.array(z.enum(RESOURCE_NAMES)) })

function refuse(message: string): never {
  throw new ServiceError('bad_request', message, { fields: [{ field: 'cursor', message }] })
}

/** The contractor is part of the signature only. No key is: a cursor outlives the rotation of the key it was given to. */
const sign = (secret: string, contractorId: string, payload: string): string =>
  createHmac('sha256', secret)
    .update(JSON.stringify(['changes', contractorId, payload]))
    .digest('base64url')

/** Compares text, because several base64url spellings encode the same bytes and only ours is accepted. */
function equal(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Returns the secret that signs cursors. @throws ServiceError `bad_request` when this server has none */
function secretOf(): string {
  const [secret] = env().tokenSecrets
  return (
    secret ??
    refuse('Cursors are not enabled on this server: it has no EXTERNAL_API_TOKEN_SECRET. Ask its operator to set one.')
  )
}

/** Returns an opaque cursor for a place: HMAC-SHA256 over the place, the resources and the contractor. */
export function issueCursor(contractorId: string, { position, stamp, resources }: Cursor): string {
  const payload: z.infer<typeof Payload> = { p: position, t: stamp, r: resources }
  const encoded = Buffer.from(JSON.stringify(payload)).toString('base64url')
  return `${encoded}.${sign(secretOf(), contractorId, encoded)}`
}

/**
 * Returns what a cursor stands for. Whether the feed still has that place is for the database to say.
 * @throws ServiceError `bad_request` when it was changed, or is another contractor's
 */
export function readCursor(contractorId: string, cursor: string): Cursor {
  secretOf()
  const [encoded = '', signature = '', ...rest] = cursor.split('.')
  const isOurs = env().tokenSecrets.some(
    (secret) => secret !== undefined && equal(signature, sign(secret, contractorId, encoded)),
  )
  if (!isOurs || rest.length > 0)
    refuse('The cursor is not one that this API gave for this contractor. Use the cursor of an answer unchanged.')
  const {
    p: position,
    t: stamp,
    r: resources,
  } = Payload.parse(JSON.parse(Buffer.from(encoded, 'base64url').toString()))
  return { position, stamp, resources }
}

/** The answer to a cursor whose place the feed no longer has. */
export const cursorGone = (): ServiceError =>
  new ServiceError(
    'gone',
    'The feed no longer has what follows this cursor: it is older than 90 days, or the data was restored from a backup of before it. ' +
      'Begin again: request /changes without a cursor, read the lists once, then go on from the new cursor.',
  )
