import { database } from '@/db/client'
import { queueAccountMail } from '@/db/queries/outbox'
import { deleteSessions } from '@/db/queries/person-sessions'
import { mailsPeople } from '@/lib/auth/people/mailed-links'
import { newId } from '@/lib/core/ids'
import type { PersonActor } from '../actor'
import { audit } from '../audit'
import { countOwn } from './attempts'
import { peopleAuth } from './auth'
import { bareCode, begunSession, consumeCode } from './codes'
import { checkPassword } from './create-person'
import { recordProof } from './sign-in'
import { PASSWORD_LENGTH } from './sign-in-settings'
import { callSignIn, cookiesOf, headersOf, type LeavesCookies, type Visitor } from './visitor'

const WRONG_PASSWORD = 'The password is not right.'

/**
 * Changes a person's own password, ends their other sessions, and tells them by email where it is sent.
 * @throws ServiceError `bad_request` when the current password is wrong or the new one is not acceptable, `rate_limited`
 */
export async function changePassword(
  visitor: Visitor,
  by: PersonActor,
  { current, next }: { current: string; next: string },
): Promise<LeavesCookies> {
  await countOwn(by)
  checkPassword(next)
  const auth = await peopleAuth()
  const body = { currentPassword: current, newPassword: next, revokeOtherSessions: true }
  const { headers } = await callSignIn(
    () => auth.api.changePassword({ body, headers: headersOf(visitor), returnHeaders: true }),
    { INVALID_PASSWORD: WRONG_PASSWORD },
    `The password could not be changed. It has ${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters.`,
  )
  await recordProof(headers, 'password')
  const { orm } = await database()
  await audit(orm, by, { event: 'password_changed', contractorId: null })
  const about = { kind: 'password_changed', by: 'person' } as const
  if (mailsPeople()) await queueAccountMail(orm, { id: newId('message'), to: by.email, about })
  return cookiesOf(headers)
}

/**
 * Starts setting up two-factor sign-in. Returns the `otpauth:` URI for an authenticator app and the backup codes, both shown once.
 * It is on after {@link confirmTwoFactor} has received a code.
 * @throws ServiceError `bad_request` for a wrong password, `rate_limited`
 */
export async function beginTwoFactor(visitor: Visitor, by: PersonActor, password: string) {
  await countOwn(by)
  const auth = await peopleAuth()
  const begun = await callSignIn(
    () => auth.api.enableTwoFactor({ body: { password, method: 'totp' }, headers: headersOf(visitor) }),
    {},
    WRONG_PASSWORD,
  )
  if (!('totpURI' in begun)) throw new Error('the library answers an authenticator app with its URI')
  return { uri: begun.totpURI, backupCodes: begun.backupCodes }
}

/**
 * Turns two-factor sign-in on with the app's first code, and ends the sessions that began without it. @throws ServiceError
 * `bad_request`, `rate_limited`
 */
export async function confirmTwoFactor(visitor: Visitor, by: PersonActor, code: string): Promise<LeavesCookies> {
  await countOwn(by)
  const auth = await peopleAuth()
  const { headers } = await callSignIn(
    () =>
      auth.api.verifyTOTP({
        body: { code: bareCode(code) },
        headers: headersOf(visitor),
        returnHeaders: true,
      }),
    {},
    'This code is not right. Codes change every 30 seconds; check the clock of the device that shows them.',
  )
  await consumeCode(by.personId, code)
  const { orm } = await database()
  const kept = await begunSession(headers)
  const sessions = kept === undefined ? 0 : await deleteSessions(orm, by.personId, kept)
  await audit(orm, by, { event: 'two_factor_on', contractorId: null, detail: { sessions }, told: 'for your account' })
  return cookiesOf(headers)
}

/** Turns two-factor sign-in off. @throws ServiceError `bad_request` for a wrong password, `rate_limited` */
export async function endTwoFactor(visitor: Visitor, by: PersonActor, password: string): Promise<LeavesCookies> {
  await countOwn(by)
  const auth = await peopleAuth()
  const { headers } = await callSignIn(
    () => auth.api.disableTwoFactor({ body: { password }, headers: headersOf(visitor), returnHeaders: true }),
    {},
    WRONG_PASSWORD,
  )
  await recordProof(headers, 'password')
  const { orm } = await database()
  await audit(orm, by, { event: 'two_factor_off', contractorId: null, told: 'of your account' })
  return cookiesOf(headers)
}
