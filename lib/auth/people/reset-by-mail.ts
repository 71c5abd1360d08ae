import { database } from '@/db/client'
import { queueAccountMail } from '@/db/queries/outbox'
import { deletePassword, findReset, useReset } from '@/db/queries/password-resets'
import { insertPassword } from '@/db/queries/people'
import { deleteSessions } from '@/db/queries/person-sessions'
import { hashOfToken, mailsPeople } from '@/lib/auth/people/mailed-links'
import { parseEmail } from '@/lib/core/contact'
import { ServiceError } from '@/lib/core/errors'
import { newId } from '@/lib/core/ids'
import { addressSubject } from '@/lib/limits/address-subject'
import { accountOf } from '../actor'
import { audit } from '../audit'
import { forgetKeys } from '../key-cache'
import { countStep } from './attempts'
import { checkPassword, hashPassword } from './create-person'
import { hashingFor } from './hashing'
import { handOver } from './reset'
import type { Visitor } from './visitor'

/** The error where the operator has set no mail server. */
const noMail = () =>
  new ServiceError(
    'bad_request',
    'This server sends no email. Ask the operator of this service to reset your password.',
  )

/**
 * Asks for a link that resets the password of an address. What is done and answered is the same whether it has an account or not; the link
 * is made when the email is sent.
 * @throws ServiceError `bad_request` when it is not an email address or no email is sent here, `rate_limited`
 */
export async function requestPasswordReset(visitor: Visitor, text: string): Promise<void> {
  if (!mailsPeople()) throw noMail()
  const email = parseEmail(text)
  if (email === undefined)
    throw new ServiceError('bad_request', 'Some fields need to be fixed.', {
      fields: [{ field: 'email', message: 'is not an email address' }],
    })
  await countStep(visitor, 'reset asked')
  await queueAccountMail((await database()).orm, { id: newId('message'), to: email, about: { kind: 'reset' } })
}

/** Returns the address whose password a link resets; undefined when it was used, is too old or never existed. */
export async function resetFor(token: string): Promise<string | undefined> {
  return (await findReset((await database()).orm, hashOfToken(token)))?.email
}

const spent = () =>
  new ServiceError('not_found', 'This link was used, or is too old. Ask for a new one under “Forgot your password?”.')

/**
 * Sets a new password with a link from an email, and ends every session of the account. A second factor and passkeys stay, and so do
 * connected programs. Of an account whose address nobody had confirmed, everything that was set up before ends: whoever set it up may
 * have been somebody else.
 * @throws ServiceError `not_found` for a link that no longer works, `bad_request` when the password is not acceptable, `rate_limited`
 */
export async function finishReset(
  visitor: Visitor,
  { token, password }: { token: string; password: string },
): Promise<{ email: string }> {
  await countStep(visitor, 'reset')
  checkPassword(password)
  const tokenHash = hashOfToken(token)
  const { orm } = await database()
  const person = await findReset(orm, tokenHash)
  if (!person) throw spent()
  const lane = { lane: 'stranger', subject: addressSubject(visitor.address) } as const
  const hash = await hashingFor(lane, () => hashPassword(password))
  const by = accountOf(person, visitor.address)
  await orm.transaction(async (tx) => {
    if (!(await useReset(tx, tokenHash, person.id))) throw spent()
    if (person.emailVerified) {
      await deletePassword(tx, person.id)
      await insertPassword(tx, person.id, crypto.randomUUID(), hash)
      const sessions = await deleteSessions(tx, person.id)
      await audit(tx, by, { event: 'password_reset', contractorId: null, detail: { sessions } })
    } else {
      const ended = await handOver(tx, person.id, { hash }, by)
      await audit(tx, by, { event: 'password_reset', contractorId: null, detail: ended })
    }
    const about = { kind: 'password_changed', by: 'reset' } as const
    await queueAccountMail(tx, { id: newId('message'), to: person.email, about })
  })
  forgetKeys()
  return { email: person.email }
}
