import { createHash } from 'node:crypto'
import {
  AuthorizationResponseError,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import { database } from '@/db/client'
import { queueAccountMail } from '@/db/queries/outbox'
import { claimCode, noteProof } from '@/db/queries/person-sessions'
import { findProviderBySlug } from '@/db/queries/sso'
import { mailsPeople } from '@/lib/auth/people/mailed-links'
import { parseEmail } from '@/lib/core/contact'
import { baseUrls, env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import { newId } from '@/lib/core/ids'
import { log } from '@/lib/core/log'
import { accountOf } from '../actor'
import { audit } from '../audit'
import { countStep } from '../people/attempts'
import { peopleAuth } from '../people/auth'
import { signedIn, writeRefusal, writeSignIn } from '../people/sign-in'
import { headersOf, type LeavesCookies, type Visitor } from '../people/visitor'
import { admit, type Claims } from './admit'
import { BEGUN_SECONDS, type Begun, forgetBegun, readBegunSignIn, storeBegunSignIn } from './begun'
import { CLOCK_SECONDS, clientOf } from './client'
import { SsoRefusal } from './refusal'

const pageOf = (slug: string) => `${baseUrls(env()).portal}/sign-in/sso/${encodeURIComponent(slug)}`

/** Returns the URL where people of a contractor sign in, which its administrator tells them. */
export const ssoSignInUrl = pageOf
/**
 * Returns the URL that a contractor's provider sends people back to. It is the contractor's own, so that no provider can answer for another
 * one.
 */
export const ssoRedirectUri = (slug: string) => `${pageOf(slug)}/callback`

const noSso = () =>
  new ServiceError('not_found', 'No single sign-on is set up at this address. Check it, or sign in with your password.')

/** Returns the contractor that signs in at this address; undefined when none does. */
export async function ssoPlace(slug: string): Promise<{ name: string; host: string } | undefined> {
  const found = await findProviderBySlug((await database()).orm, slug)
  return found && { name: found.name, host: new URL(found.provider.issuer).host }
}

/**
 * Sends a person to their contractor's provider: with a state, a nonce and PKCE, which the browser keeps sealed.
 * @param next the path of the portal to open afterwards
 * @param again whether somebody who is signed in confirms that it is them: the provider asks them even if it still knows them
 * @throws ServiceError `not_found` where no provider is set, SsoRefusal when it cannot be reached, `rate_limited`
 */
export async function beginSso(
  visitor: Visitor,
  { slug, next, again = false }: { slug: string; next: string; again?: boolean },
): Promise<LeavesCookies & { url: string }> {
  await countStep(visitor, 'sso begun')
  const found = await findProviderBySlug((await database()).orm, slug)
  if (!found) throw noSso()
  const client = await tellingWhy(slug, () => clientOf(found.provider))
  const { contractorId, issuer } = found.provider
  const [state, nonce, verifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()]
  const url = buildAuthorizationUrl(client, {
    redirect_uri: ssoRedirectUri(found.slug),
    scope: 'openid email profile',
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
    ...(again && { prompt: 'login', max_age: '0' }),
  })
  const until = Date.now() + BEGUN_SECONDS * 1_000
  return { url: url.href, ...storeBegunSignIn({ contractorId, issuer, state, nonce, verifier, next, again, until }) }
}

/** Logs what the library or the connection said, which no page shows: an operator helps with it. */
async function tellingWhy<T>(slug: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SsoRefusal && error.cause instanceof Error) {
      const { message, cause } = error.cause
      const code = Object(error.cause).code
      const why = cause instanceof Error ? `: ${cause.message}` : ''
      log('warn', { operation: 'sso', contractor: slug, reason: error.reason, code }, `${message}${why}`.slice(0, 300))
    }
    throw error
  }
}

/** Exchanges the code, and checks the answer: signature, issuer, audience, nonce, times. */
async function claimsOf(client: Configuration, answer: URL, begun: Begun): Promise<Claims> {
  try {
    const tokens = await authorizationCodeGrant(client, answer, {
      pkceCodeVerifier: begun.verifier,
      expectedState: begun.state,
      expectedNonce: begun.nonce,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (!claims) throw new Error('there is no ID token')
    if (claims.email !== undefined || !client.serverMetadata().userinfo_endpoint) return { ...claims }
    return { ...(await fetchUserInfo(client, tokens.access_token, claims.sub)), ...claims }
  } catch (error) {
    throw new SsoRefusal(error instanceof AuthorizationResponseError ? 'denied' : 'invalid', error)
  }
}

/**
 * Returns when a person proved to their provider that it is them: when it says so, otherwise now.
 * @throws SsoRefusal `stale` when it did not ask them although it was told to
 */
function provenAtOf({ auth_time: at }: Claims, { again, until }: Begun): Date {
  const now = Date.now()
  if (typeof at !== 'number') return new Date(now)
  const askedAt = until - BEGUN_SECONDS * 1_000
  if (again && at * 1_000 < askedAt - CLOCK_SECONDS * 1_000) throw new SsoRefusal('stale')
  return new Date(Math.min(at * 1_000, now))
}

/**
 * Notes in the session of somebody who is signed in that they signed in again.
 * @returns false when their session has ended meanwhile
 * @throws SsoRefusal `other` when somebody else signed in
 */
async function confirm(visitor: Visitor, personId: string, contractorId: string, at: Date): Promise<boolean> {
  const current = await signedIn(visitor)
  if (current?.session.onlyContractor !== contractorId) return false
  if (current.id !== personId) throw new SsoRefusal('other')
  const { orm } = await database()
  await noteProof(orm, { id: current.session.id }, { at, by: 'single sign-on' })
  const detail = { factor: 'single sign-on' }
  await audit(orm, accountOf(current, visitor.address), { event: 'identity_confirmed', contractorId: null, detail })
  return true
}

/** Takes each state once, whatever comes with it. */
async function takeState(state: string): Promise<void> {
  const id = createHash('sha256').update(`sso ${state}`).digest('hex')
  const until = new Date(Date.now() + BEGUN_SECONDS * 1_000)
  if (!(await claimCode((await database()).orm, id, until))) throw new SsoRefusal('state')
}

/**
 * Takes a provider's answer, and begins a session that reaches its contractor and nothing else.
 * @param query of the address that the provider sent the browser to
 * @returns the session's cookies and the path to open
 * @throws ServiceError `not_found` where no provider is set, SsoRefusal, `rate_limited`
 */
export async function finishSso(
  visitor: Visitor,
  { slug, query }: { slug: string; query: string },
): Promise<LeavesCookies & { next: string }> {
  await countStep(visitor, 'sso')
  const { orm } = await database()
  const found = await findProviderBySlug(orm, slug)
  if (!found) throw noSso()
  const { provider } = found
  const begun = readBegunSignIn(visitor)
  try {
    const isOwn = begun?.contractorId === provider.contractorId && begun.issuer === provider.issuer
    if (!begun || !isOwn || new URLSearchParams(query).get('state') !== begun.state) throw new SsoRefusal('state')
    await takeState(begun.state)
    const { person, provenAt } = await tellingWhy(slug, async () => {
      const answer = new URL(`${ssoRedirectUri(found.slug)}?${query}`)
      const claims = await claimsOf(await clientOf(provider), answer, begun)
      const at = provenAtOf(claims, begun)
      return { person: await admit(orm, provider, claims, visitor.address), provenAt: at }
    })
    if (begun.again && (await confirm(visitor, person.id, provider.contractorId, provenAt)))
      return { ...forgetBegun(), next: begun.next }
    const auth = await peopleAuth()
    const body = { personId: person.id, contractorId: provider.contractorId, provenAt }
    const { headers } = await auth.api.beginSsoSession({ body, headers: headersOf(visitor), returnHeaders: true })
    await writeSignIn(visitor, person.email, `single sign-on of ${slug}`)
    return { setCookies: [...headers.getSetCookie(), ...forgetBegun().setCookies], next: begun.next }
  } catch (error) {
    await writeRefusal(error, visitor, `single sign-on of ${slug}`, 'single sign-on')
    throw error
  }
}

/**
 * Mails an address where its contractors sign in with single sign-on. The answer is the same whether there are any.
 * @throws ServiceError `bad_request` when it is not an email address or no email is sent here, `rate_limited`
 */
export async function requestSsoPlaces(visitor: Visitor, text: string): Promise<void> {
  await countStep(visitor, 'sso asked')
  const email = parseEmail(text)
  if (email === undefined || !mailsPeople())
    throw new ServiceError(
      'bad_request',
      'Enter the email address of your account, or the address your administrator gave you.',
    )
  await queueAccountMail((await database()).orm, { id: newId('message'), to: email, about: { kind: 'sso_addresses' } })
}
