import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { env } from '@/lib/core/env'
import { seal, unseal } from '@/lib/core/seal'

const PURPOSE = 'webhook signing secrets'

/** Reports whether this server can keep signing secrets: they are sealed with the secret that signs page tokens. */
export const canSign = (): boolean => env().tokenSecrets[0] !== undefined

/**
 * A new signing secret: its text, to be shown once, and how it is stored.
 * @throws Error without EXTERNAL_API_TOKEN_SECRET; check {@link canSign} first
 */
export function newSecret(): { text: string; sealed: string } {
  const [secret] = env().tokenSecrets
  if (secret === undefined) throw new Error('EXTERNAL_API_TOKEN_SECRET is not set')
  const text = `whsec_${randomBytes(32).toString('base64')}`
  return { text, sealed: seal(secret, PURPOSE, text) }
}

/** The secrets signing an endpoint's events. */
export type Signing = { secret: string; previousSecret: string | null; previousUntil: Date | null }

/**
 * Returns the headers of a message (standardwebhooks.com): its id, when it is sent, and a signature by each secret that is valid.
 * @returns undefined when no secret can be read, because EXTERNAL_API_TOKEN_SECRET is another one now
 */
export function signedHeaders(
  { secret, previousSecret, previousUntil }: Signing,
  { id, body, now }: { id: string; body: string; now: Date },
): Record<string, string> | undefined {
  const isOverlap = previousUntil !== null && previousUntil > now
  const sealed = [secret, ...(previousSecret !== null && isOverlap ? [previousSecret] : [])]
  const texts = sealed.flatMap((each) => unseal(env().tokenSecrets, PURPOSE, each) ?? [])
  if (texts.length === 0) return undefined
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': texts.map((text) => new Webhook(text).sign(id, now, body)).join(' '),
  }
}
