import { database, patiently } from '@/db/client'
import { deleteSession, noteProof } from '@/db/queries/person-sessions'
import type { Proof } from '@/db/schema/people'
import { ServiceError } from '@/lib/core/errors'
import { currentParts } from '@/lib/core/parts'
import { type Author, audit } from '../audit'
import { countPassword, countStep } from './attempts'
import { peopleAuth } from './auth'
import { bareCode, begunSession, consumeCode } from './codes'
import { rememberDevice } from './device'
import { hashingFor } from './hashing'
import { callSignIn, cookiesOf, headersOf, type LeavesCookies, type Visitor } from './visitor'

/**
 * A signed-in person, with the start and end of their session. `onlyContractor` is the one contractor that a session of single sign-on
 * reaches; null for any other session.
 */
export type SignedIn = {
  id: string
  name: string
  email: string
  twoFactor: boolean
  session: { id: string; createdAt: Date; expiresAt: Date; onlyContractor: string | null; provenAt: Date | null }
}

const nobody = (name: string, { address }: Visitor): Author => ({ kind: 'nobody', name, address })

/** The same message for an unknown account and a wrong password, so that accounts cannot be discovered. */
const REFUSED = 'Incorrect email or password. Check both and try again.'

async function writeDown(visitor: Visitor, email: string, event: 'sign_in' | 'sign_in_refused', factor: string) {
  const { orm } = await database()
  await audit(orm, nobody(email, visitor), { event, subject: email, detail: { factor } })
}

/** Logs a sign-in that makes no browser known, because the account's own ways in were not used. */
export const writeSignIn = (visitor: Visitor, email: string, factor: string): Promise<void> =>
  writeDown(visitor, email, 'sign_in', factor)

/** Notes in the session that a response of the library began, if it began one, how the person has just proven that it is them. */
export async function recordProof(headers: Headers, by: Proof): Promise<void> {
  const token = await begunSession(headers)
  if (token !== undefined) await noteProof((await database()).orm, { token }, { at: new Date(), by })
}

/** Logs a sign-in and returns its cookies, including the one that makes the browser known. */
export async function letIn(visitor: Visitor, email: string, factor: Proof, headers: Headers): Promise<LeavesCookies> {
  await recordProof(headers, factor)
  await writeDown(visitor, email, 'sign_in', factor)
  return { setCookies: [...headers.getSetCookie(), ...rememberDevice(visitor, email)] }
}

/** Logs a refused sign-in. Attempts that were never checked are not logged, because a flood would fill the log. */
export async function writeRefusal(error: unknown, visitor: Visitor, email: string, factor: string): Promise<void> {
  if (error instanceof ServiceError && error.code !== 'rate_limited')
    await writeDown(visitor, email, 'sign_in_refused', factor)
}

/**
 * Signs in with a password. `next` is `code` when the account has a second factor; {@link signInWithCode} then continues.
 * @throws ServiceError `bad_request` when they do not match, `rate_limited` after too many attempts
 */
export async function signIn(
  visitor: Visitor,
  { email, password }: { email: string; password: string },
): Promise<LeavesCookies & { next: 'code' | 'done' }> {
  const waiter = await countPassword(visitor, email)
  const auth = await peopleAuth()
  const call = () =>
    auth.api.signInEmail({ body: { email, password }, headers: headersOf(visitor), returnHeaders: true })
  try {
    const { headers, response } = await callSignIn(() => hashingFor(waiter, call), {}, REFUSED)
    const next = 'twoFactorRedirect' in response && response.twoFactorRedirect ? 'code' : 'done'
    return { ...(next === 'done' ? await letIn(visitor, email, 'password', headers) : cookiesOf(headers)), next }
  } catch (error) {
    await writeRefusal(error, visitor, email, 'password')
    throw error
  }
}

const CODE_REFUSED =
  'This code is not right. Codes change every 30 seconds; check the clock of the device that shows them.'
const CODE_REASONS = {
  INVALID_TWO_FACTOR_COOKIE: 'This sign-in took too long. Start again with your password.',
  INVALID_BACKUP_CODE: 'There is no such backup code left. Each works once.',
}

/**
 * A used code is useless to someone who saw it over a shoulder or on a fake page: the session it started ends before the client
 * receives it.
 */
async function requireFirstUse(personId: string, code: string, headers: Headers): Promise<void> {
  if (await consumeCode(personId, code)) return
  const token = await begunSession(headers)
  if (token !== undefined) await deleteSession((await database()).orm, token)
  throw new ServiceError('bad_request', 'This code was used already. Wait for the next one, and sign in again.')
}

/**
 * The second step: the authenticator app's code, or a backup code.
 * @throws ServiceError `bad_request` when it is wrong, `rate_limited` after too many attempts
 */
export async function signInWithCode(
  visitor: Visitor,
  { code, kind }: { code: string; kind: 'app' | 'backup' },
): Promise<LeavesCookies> {
  await countStep(visitor, 'code')
  const auth = await peopleAuth()
  const asked = { body: { code: bareCode(code) }, headers: headersOf(visitor), returnHeaders: true } as const
  try {
    const { headers, response } = await callSignIn(
      () => (kind === 'app' ? auth.api.verifyTOTP(asked) : auth.api.verifyBackupCode(asked)),
      CODE_REASONS,
      CODE_REFUSED,
    )
    const { user } = response
    if (!user) throw new Error('the library tells who has entered')
    if (kind === 'app') await requireFirstUse(user.id, code, headers)
    return await letIn(visitor, user.email, kind === 'app' ? 'authenticator' : 'backup code', headers)
  } catch (error) {
    await writeRefusal(error, visitor, 'second step', kind)
    throw error
  }
}

/** Returns the signed-in person, if there is one. */
export async function signedIn(visitor: Visitor): Promise<SignedIn | undefined> {
  if (visitor.cookie === '') return undefined
  const auth = await peopleAuth()
  const asked = { headers: headersOf(visitor), query: { disableCookieCache: true } }
  const found = await patiently(() => auth.api.getSession(asked)).catch((error) => {
    // The library says only that it failed, and not why.
    throw currentParts()?.overload ?? error
  })
  if (!found) return undefined
  const { user, session } = found
  return {
    id: user.id,
    name: user.name,
    email: user.email,
    twoFactor: user.twoFactorEnabled === true,
    session: {
      id: session.id,
      createdAt: session.createdAt,
      expiresAt: session.expiresAt,
      onlyContractor: session.onlyContractor ?? null,
      provenAt: session.provenAt ?? null,
    },
  }
}

/** Ends the session in the visitor's cookie. */
export async function signOut(visitor: Visitor): Promise<LeavesCookies> {
  const who = await signedIn(visitor)
  const auth = await peopleAuth()
  const { headers } = await auth.api.signOut({ headers: headersOf(visitor), returnHeaders: true })
  const { orm } = await database()
  if (who) await audit(orm, nobody(who.email, visitor), { event: 'sign_out', subject: who.email })
  return cookiesOf(headers)
}
