import { createHash, createHmac } from 'node:crypto'
import { env } from './env'

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

/** Whether emails to people who are signing in or joining are delivered: by SMTP, or into the demonstration's folder. */
export const mailsPeople = (): boolean =>
  env().authSecret !== undefined && (env().mail !== undefined || env().mailOutbox)

/** The folder in the data directory that email is written into while no SMTP server is set. */
export const OUTBOX_FOLDER = 'outbox'
