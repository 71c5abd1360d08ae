import type { ProtocolMode } from './connection'
import { isObject } from './json'

/** The places where the console asks for tokens; the token endpoint is asked on the page's own host, the only one that the page may ask. */
export type SignInPlaces = {
  issuer: string
  clientId: string
  resource: string
  redirectUri: string
  scope: string
}

/** A person's tokens, in this page's memory alone. */
export type Access = {
  /** An access token that works. @throws Error when the connection has ended */
  token(): Promise<string>
  /** Ends the connection. */
  end(): void
}

const STORED_AT = 'plumbline.console.sign-in'
/** An access token is refreshed this long before it ends. */
const EARLY_MS = 30_000

/** The data the page keeps while the person is away. */
type Begun = { state: string; verifier: string; mode: ProtocolMode }

// Both are read by hand: a library that checks shapes weighs half as much as the whole page.
function readBegunSignIn(text: string): Begun | undefined {
  const kept: unknown = JSON.parse(text)
  if (!isObject(kept)) return undefined
  const { state, verifier, mode } = kept
  if (typeof state !== 'string' || typeof verifier !== 'string') return undefined
  return mode === 'sessions' || mode === 'stateless' ? { state, verifier, mode } : undefined
}

/** @throws Error when an answer has no tokens */
function tokensOf(answer: unknown) {
  const { access_token: token, refresh_token: refresh, expires_in: seconds } = isObject(answer) ? answer : {}
  if (typeof token !== 'string' || typeof refresh !== 'string' || typeof seconds !== 'number')
    throw new Error('The token endpoint answered without tokens.')
  return { token, refresh, seconds }
}

const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)))

/** Sends the browser to sign in and choose. What is kept meanwhile is no token, and works once. */
export async function beginSignIn(places: SignInPlaces, mode: ProtocolMode): Promise<void> {
  const begun: Begun = { state: random(), verifier: random(), mode }
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(begun.verifier))
  sessionStorage.setItem(STORED_AT, JSON.stringify(begun))
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: places.clientId,
    redirect_uri: places.redirectUri,
    scope: places.scope,
    resource: places.resource,
    state: begun.state,
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
  })
  location.assign(`${places.issuer}/oauth2/authorize?${query}`)
}

const post = (step: 'token' | 'revoke', form: Record<string, string>) =>
  fetch(`/oauth2/${step}`, { method: 'POST', body: new URLSearchParams(form), credentials: 'omit', keepalive: true })

async function ask(form: Record<string, string>) {
  const response = await post('token', form)
  if (!response.ok) throw new Error('The connection has ended.')
  const { token, refresh, seconds } = tokensOf(await response.json())
  return { token, refresh, until: Date.now() + seconds * 1000 - EARLY_MS }
}

async function accessBy({ clientId, redirectUri }: SignInPlaces, code: string, verifier: string): Promise<Access> {
  const redeemed = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier }
  let held = Promise.resolve(await ask({ ...redeemed, client_id: clientId }))
  return {
    async token() {
      const { until, refresh } = await held
      if (Date.now() >= until) held = ask({ grant_type: 'refresh_token', refresh_token: refresh, client_id: clientId })
      return (await held).token
    },
    end() {
      void held.then(({ refresh }) => post('revoke', { token: refresh, client_id: clientId })).catch(() => undefined)
    },
  }
}

/**
 * Ends a sign-in that the browser came back from, and takes its code out of the address.
 * @returns undefined when it did not come back from one, or from one of another tab or server (RFC 9207)
 */
export async function endSignIn(
  places: SignInPlaces,
): Promise<{ mode: ProtocolMode; access: Access } | { refused: true } | undefined> {
  const back = new URL(location.href).searchParams
  const [code, state, iss] = ['code', 'state', 'iss'].map((name) => back.get(name))
  const kept = sessionStorage.getItem(STORED_AT)
  if (state === null) return undefined
  history.replaceState(history.state, '', location.pathname)
  sessionStorage.removeItem(STORED_AT)
  const begun = kept === null ? undefined : readBegunSignIn(kept)
  if (!begun || begun.state !== state || iss !== places.issuer) return undefined
  if (!code) return { refused: true }
  return { mode: begun.mode, access: await accessBy(places, code, begun.verifier) }
}
