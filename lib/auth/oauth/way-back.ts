import { database } from '@/db/client'
import { hasConnected } from '@/db/queries/oauth-grants'
import { signedIn } from '../people/sign-in'
import type { Visitor } from '../people/visitor'
import { destinationOf } from './coerce'
import { CONSENT_PATH, issuerOf } from './places'

/** Returns the URL of our page that says what is wrong with a request, by the error's code (RFC 6749, 4.1.2.1). */
export const faultPage = (error: string): string => `${issuerOf()}${CONSENT_PATH}?${new URLSearchParams({ error })}`

/** Reports whether a URL is the redirect with parameters added, and not a page of ours that begins again. */
export function isBack(url: string, redirectUri: string): boolean {
  if (!URL.canParse(url) || !URL.canParse(redirectUri)) return false
  const [to, registered] = [new URL(url), new URL(redirectUri)]
  return to.protocol === registered.protocol && to.host === registered.host && to.pathname === registered.pathname
}

function isConsentPage({ origin, pathname }: URL): boolean {
  return origin === new URL(issuerOf()).origin && pathname === CONSENT_PATH
}

async function isKnownTo(visitor: Visitor, clientId: string, redirectUri: string): Promise<boolean> {
  const who = await signedIn(visitor)
  if (!who) return false
  return await hasConnected(await database(), { personId: who.id, clientId, destination: destinationOf(redirectUri) })
}

/**
 * Returns where a browser goes that asked for authorization. Anybody may register a client, so that an address of a program is gone to only
 * with a person who is signed in and whose connection with this program, at this destination, works (RFC 9700, 4.11.2); to everybody else
 * our own page says what is wrong. Every redirect of the library passes here but the one that follows a person's decision on the consent
 * page.
 * @param location where the library sends the browser
 * @param query what was asked
 */
export async function wayBack(location: string, query: URLSearchParams, visitor: Visitor): Promise<string> {
  const to = new URL(location, issuerOf())
  if (isConsentPage(to)) return location
  const [clientId, redirectUri] = [query.get('client_id') ?? '', query.get('redirect_uri') ?? '']
  if (isBack(location, redirectUri) && (await isKnownTo(visitor, clientId, redirectUri))) return location
  // Of an implicit request the answer is in the fragment.
  const error = to.searchParams.get('error') ?? new URLSearchParams(to.hash.slice(1)).get('error')
  return faultPage(error ?? 'invalid_request')
}
