import { database } from '@/db/client'
import { findContractor } from '@/db/queries/contractors'
import { passkeysOf } from '@/db/queries/passkeys'
import { deleteSession, noteProof } from '@/db/queries/person-sessions'
import { findProvider } from '@/db/queries/sso'
import type { Proof } from '@/db/schema/people'
import { ServiceError } from '@/lib/core/errors'
import { accountOf } from '../actor'
import { audit } from '../audit'
import { countOwn } from './attempts'
import { peopleAuth } from './auth'
import { begunSession } from './codes'
import { PASSKEY_REASONS, parsed, requireOwnSite, UsedAnswer } from './passkeys'
import type { SignedIn } from './sign-in'
import { callSignIn, cookiesOf, headersOf, type LeavesCookies, type Visitor } from './visitor'

/** The ways a person can confirm that it is them: at the provider that began their session, or with what their account has. */
export type Ways = { sso: { slug: string; host: string } } | { email: string; passkey: boolean }

/** Returns how a person can confirm that it is them. */
export async function waysToConfirm({ id, email, session }: SignedIn): Promise<Ways> {
  const { orm } = await database()
  const { onlyContractor } = session
  if (onlyContractor === null) return { email, passkey: (await passkeysOf(orm, id)).length > 0 }
  const [contractor, provider] = [await findContractor(orm, onlyContractor), await findProvider(orm, onlyContractor)]
  if (!contractor || !provider) throw new ServiceError('not_found', 'Single sign-on was removed. Sign in again.')
  return { sso: { slug: contractor.slug, host: new URL(provider.issuer).host } }
}

/** Requires a session that began with the account's own means, before confirming with them. @throws ServiceError `forbidden` */
function requireOwnSession({ session }: SignedIn): void {
  if (session.onlyContractor !== null)
    throw new ServiceError('forbidden', 'You signed in with single sign-on. Confirm it’s you there.')
}

async function proving(
  visitor: Visitor,
  person: SignedIn,
  by: Proof,
  prove: () => Promise<LeavesCookies>,
): Promise<LeavesCookies> {
  requireOwnSession(person)
  const who = accountOf(person, visitor.address)
  await countOwn(who)
  const { orm } = await database()
  const write = (event: 'identity_confirmed' | 'confirmation_refused') =>
    audit(orm, who, { event, contractorId: null, detail: { factor: by } })
  try {
    const left = await prove()
    await noteProof(orm, { id: person.session.id }, { at: new Date(), by })
    await write('identity_confirmed')
    return left
  } catch (error) {
    if (error instanceof ServiceError && error.code !== 'rate_limited') await write('confirmation_refused')
    throw error
  }
}

/** Confirms that it is them by their password. @throws ServiceError `bad_request` when it is wrong, `rate_limited` */
export const confirmWithPassword = (visitor: Visitor, person: SignedIn, password: string): Promise<LeavesCookies> =>
  proving(visitor, person, 'password', async () => {
    const auth = await peopleAuth()
    const asked = { body: { password }, headers: headersOf(visitor) }
    await callSignIn(() => auth.api.verifyPassword(asked), {}, 'The password is not right.')
    return { setCookies: [] }
  })

/** Starts confirming with one of the person's own passkeys: returns the options for the browser. @throws ServiceError `rate_limited` */
export async function beginPasskeyConfirmation(visitor: Visitor, person: SignedIn) {
  requireOwnSession(person)
  await countOwn(accountOf(person, visitor.address))
  const auth = await peopleAuth()
  const asked = { headers: headersOf(visitor), returnHeaders: true } as const
  const { headers, response } = await auth.api.generatePasskeyAuthenticationOptions(asked)
  return { ...cookiesOf(headers), options: { ...response, userVerification: 'required' as const } }
}

/**
 * Confirms that it is them by a passkey.
 * @param answer the browser's response, as JSON text
 * @throws ServiceError `bad_request` when it is not one of this person's, `rate_limited`
 */
export const confirmWithPasskey = (visitor: Visitor, person: SignedIn, answer: string): Promise<LeavesCookies> =>
  proving(visitor, person, 'passkey', async () => {
    const response = parsed(UsedAnswer, answer)
    requireOwnSite(response.response.clientDataJSON)
    const auth = await peopleAuth()
    const asked = { body: { response }, headers: headersOf(visitor), returnHeaders: true } as const
    const not = 'This is not a passkey of your account. Use another one, or your password.'
    const { headers, response: entered } = await callSignIn(
      () => auth.api.verifyPasskeyAuthentication(asked),
      PASSKEY_REASONS,
      not,
    )
    // The library takes it for a sign-in. The session stays the one there is.
    const begun = await begunSession(headers)
    if (begun !== undefined) await deleteSession((await database()).orm, begun)
    if (entered.user.id !== person.id) throw new ServiceError('bad_request', not)
    return { setCookies: [] }
  })
