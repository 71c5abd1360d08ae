import { database, patiently } from '@/db/client'
import { type Author, audit } from '@/lib/auth/audit'
import { ServiceError } from '@/lib/core/errors'
import { peopleAuth } from './auth'
import { asking, cookiesOf, countAttempt, headersOf, type LeavesCookies, type Visitor } from './visitor'

/** Someone who is signed in, and since when and until when. */
export type SignedIn = {
  id: string
  name: string
  email: string
  twoFactor: boolean
  session: { id: string; createdAt: Date; expiresAt: Date }
}

const nobody = (name: string, { address }: Visitor): Author => ({ kind: 'nobody', name, address })

/** One answer for an unknown account and a wrong password, so that accounts cannot be listed. */
const REFUSED = 'E-mail address and password do not go together. Check both and try again.'

/** Writes a sign-in, or its refusal, into the audit log. */
export async function writeDown(visitor: Visitor, email: string, event: 'sign_in' | 'sign_in_refused', factor: string) {
  const { orm } = await database()
  await audit(orm, nobody(email, visitor), { event, subject: email, detail: { factor } })
}

/**
 * Signs in with a password. `next` is `code` when the account has a second factor: {@link signInWithCode} goes on.
 * @throws ServiceError `bad_request` when they do not go together, `rate_limited` after too many attempts
 */
export async function signIn(
  visitor: Visitor,
  { email, password }: { email: string; password: string },
): Promise<LeavesCookies & { next: 'code' | 'done' }> {
  await countAttempt(visitor, email)
  const auth = await peopleAuth()
  const call = () =>
    auth.api.signInEmail({ body: { email, password }, headers: headersOf(visitor), returnHeaders: true })
  try {
    const { headers, response } = await asking(call, {}, REFUSED)
    const next = 'twoFactorRedirect' in response && response.twoFactorRedirect ? 'code' : 'done'
    if (next === 'done') await writeDown(visitor, email, 'sign_in', 'password')
    return { ...cookiesOf(headers), next }
  } catch (error) {
    if (error instanceof ServiceError) await writeDown(visitor, email, 'sign_in_refused', 'password')
    throw error
  }
}

const CODE_REFUSED =
  'This code is not right. Codes change every 30 seconds; check the clock of the device that shows them.'
const CODE_REASONS = {
  INVALID_TWO_FACTOR_COOKIE: 'This sign-in took too long. Begin again with your password.',
  INVALID_BACKUP_CODE: 'There is no such backup code left. Each works once.',
}

/**
 * The second step: the code of the authenticator app, or one of the backup codes.
 * @throws ServiceError `bad_request` when it is not right, `rate_limited` after too many attempts
 */
export async function signInWithCode(
  visitor: Visitor,
  { code, kind }: { code: string; kind: 'app' | 'backup' },
): Promise<LeavesCookies> {
  await countAttempt(visitor, `code from ${visitor.address}`)
  const auth = await peopleAuth()
  const asked = { body: { code: code.replace(/\s/g, '') }, headers: headersOf(visitor), returnHeaders: true } as const
  try {
    const { headers, response } = await asking(
      () => (kind === 'app' ? auth.api.verifyTOTP(asked) : auth.api.verifyBackupCode(asked)),
      CODE_REASONS,
      CODE_REFUSED,
    )
    await writeDown(visitor, response.user?.email ?? '', 'sign_in', kind === 'app' ? 'authenticator' : 'backup code')
    return cookiesOf(headers)
  } catch (error) {
    if (error instanceof ServiceError) await writeDown(visitor, 'second step', 'sign_in_refused', kind)
    throw error
  }
}

/** Who is signed in, if anyone. */
export async function signedIn(visitor: Visitor): Promise<SignedIn | undefined> {
  if (visitor.cookie === '') return undefined
  const auth = await peopleAuth()
  const asked = { headers: headersOf(visitor), query: { disableCookieCache: true } }
  const found = await patiently(() => auth.api.getSession(asked))
  if (!found) return undefined
  const { user, session } = found
  return {
    id: user.id,
    name: user.name,
    email: user.email,
    twoFactor: user.twoFactorEnabled === true,
    session: { id: session.id, createdAt: session.createdAt, expiresAt: session.expiresAt },
  }
}

/** Ends the session the visitor's cookie names. */
export async function signOut(visitor: Visitor): Promise<LeavesCookies> {
  const who = await signedIn(visitor)
  const auth = await peopleAuth()
  const { headers } = await auth.api.signOut({ headers: headersOf(visitor), returnHeaders: true })
  const { orm } = await database()
  if (who) await audit(orm, nobody(who.email, visitor), { event: 'sign_out', subject: who.email })
  return cookiesOf(headers)
}
