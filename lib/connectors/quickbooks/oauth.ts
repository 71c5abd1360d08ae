import { ConnectorFault, type Tokens } from '../connector'
import { request } from './http'
import { credentials, places } from './places'
import { read, TokenAnswer } from './shapes'

/** Reads books; Intuit has no narrower scope for its accounting API. */
const SCOPE = 'com.intuit.quickbooks.accounting'

/** Returns where a person allows the connection. */
export function authorizeUrl({ state, redirect }: { state: string; redirect: string }): string {
  const url = new URL(places().authorize)
  url.search = new URLSearchParams({
    client_id: credentials().clientId,
    response_type: 'code',
    scope: SCOPE,
    redirect_uri: redirect,
    state,
  }).toString()
  return url.href
}

/** The code and the company that came back with the person; undefined when they refused. */
export function granted(query: URLSearchParams): { code: string; company: string } | undefined {
  const code = query.get('code')
  const company = query.get('realmId')
  return code && company && /^\d{1,30}$/.test(company) && code.length <= 512 ? { code, company } : undefined
}

const headersOf = () => {
  const { clientId, clientSecret } = credentials()
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  return { authorization: `Basic ${basic}`, accept: 'application/json' }
}

const OVER = 'QuickBooks no longer accepts the connection: it was ended there, or not used for 100 days. Connect again.'

/** @throws ConnectorFault `reconnect` when the grant is over (invalid_grant) */
async function tokens(form: Record<string, string>): Promise<Tokens> {
  const { status, body } = await request(places().token, {
    method: 'POST',
    headers: { ...headersOf(), 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
    signal: new AbortController().signal,
  })
  const error = typeof body === 'object' && body !== null && 'error' in body ? String(body.error) : ''
  if (error === 'invalid_grant') throw new ConnectorFault('reconnect', OVER)
  if (status !== 200)
    throw new ConnectorFault(
      'refused',
      `QuickBooks refuses this service itself (${status}${/^[a-z_]{1,40}$/.test(error) ? ` ${error}` : ''}). QUICKBOOKS_CLIENT_ID and QUICKBOOKS_CLIENT_SECRET must be those of the app on Intuit’s developer site.`,
    )
  const answer = read(TokenAnswer, body, 'Tokens')
  return {
    access: answer.access_token,
    accessSeconds: answer.expires_in,
    refresh: answer.refresh_token,
    refreshSeconds: answer.x_refresh_token_expires_in,
  }
}

export const exchange = ({ code, redirect }: { code: string; redirect: string }): Promise<Tokens> =>
  tokens({ grant_type: 'authorization_code', code, redirect_uri: redirect })

export const refresh = (refreshToken: string): Promise<Tokens> =>
  tokens({ grant_type: 'refresh_token', refresh_token: refreshToken })

/** Ends the grant at Intuit; one that is over already is fine. @throws ConnectorFault */
export async function revoke(refreshToken: string): Promise<void> {
  const { status } = await request(places().revoke, {
    method: 'POST',
    headers: { ...headersOf(), 'content-type': 'application/json' },
    body: JSON.stringify({ token: refreshToken }),
    signal: new AbortController().signal,
  })
  if (status === 200 || status === 400) return
  throw new ConnectorFault('refused', `QuickBooks did not end the connection (${status}).`)
}
