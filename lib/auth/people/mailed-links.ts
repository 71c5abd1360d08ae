import { createHash, createHmac } from 'node:crypto'
import { env } from '@/lib/core/env'

/** Returns the hash of a link's token, which is what is stored. */
export const hashOfToken = (token: string): string => createHash('sha256').update(token).digest('hex')

/**
 * The token of a link in an email: 256 bits, made from the email's id and the secret of sign-in, so that it lies in no database and an
 * email that is sent twice has the same link.
 * @throws Error where sign-in is not configured
 */
export function mailedToken(messageId: string): string {
  const { authSecret } = env()
  if (authSecret === undefined) throw new Error('an email with a link needs BETTER_AUTH_SECRET')
  return createHmac('sha256', `mailed link ${authSecret}`).update(messageId).digest('base64url')
}

/** Reports whether emails to people who are signing in or joining are delivered: by SMTP, or into the demonstration's folder. */
export const mailsPeople = (): boolean =>
  env().authSecret !== undefined && (env().mail !== undefined || env().mailOutbox)

/** The number of minutes that a link to reset a password works. */
export const RESET_MINUTES = 30

/** The number of such links that an address gets within an hour; further ones bring nothing, so that nobody can fill a mailbox. */
export const RESETS_PER_HOUR = 3
