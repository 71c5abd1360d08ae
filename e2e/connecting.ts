import { createHash, randomBytes } from 'node:crypto'
import type { Service } from './fixtures'
import { formFields } from './people'

const JSON_TYPE = { 'content-type': 'application/json' }

/** A program as it registers itself, or one that is known by its metadata document. */
export type Named = { name: string; redirectUri: string; clientId?: string; scopes?: string[] }

/** Registers a program. @returns its client id */
async function register(url: string, { name, redirectUri }: Named): Promise<string> {
  const client = { client_name: name, redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' }
  const grants = { grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] }
  const answer = await fetch(`${url}/oauth2/register`, {
    method: 'POST',
    headers: JSON_TYPE,
    body: JSON.stringify({ ...client, ...grants }),
  })
  if (answer.status !== 201) throw new Error(`${name} registers with ${answer.status}: ${await answer.text()}`)
  return (await answer.json()).client_id
}

/** Asks for authorization. @returns the address of the consent page, and what redeems the code */
export async function ask(url: string, program: Named) {
  const clientId = program.clientId ?? (await register(url, program))
  const verifier = randomBytes(32).toString('base64url')
  const asked = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: program.redirectUri,
    scope: [...(program.scopes ?? ['read:customers', 'read:invoices']), 'offline_access'].join(' '),
    state: 'a state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource: `${url}/mcp`,
  })
  const answer = await fetch(`${url}/oauth2/authorize?${asked}`, { redirect: 'manual' })
  return { page: new URL(answer.headers.get('location') ?? '', url).href, clientId, verifier }
}

/** Connects a program as a signed-in person, with the form as a browser without script sends it. @returns its tokens */
export async function connect(
  { url }: Pick<Service, 'url'>,
  { cookie }: { cookie: string },
  contractorId: string,
  program: Named,
): Promise<{ access: string; refresh: string; clientId: string }> {
  const { page, clientId, verifier } = await ask(url, program)
  const body = formFields(await (await fetch(page, { headers: { cookie } })).text(), 'radio')
  body.append('contractorId', contractorId)
  for (const scope of program.scopes ?? ['read:customers', 'read:invoices']) body.append('scopes[]', scope)
  const allowed = await fetch(page, { method: 'POST', body, headers: { cookie, origin: url } })
  const back = /http-equiv="refresh" content="0;url=([^"]+)"/i.exec(await allowed.text())?.[1]?.replaceAll('&amp;', '&')
  if (back === undefined) throw new Error(`${program.name} is not connected: ${allowed.status}`)
  const form = {
    grant_type: 'authorization_code',
    code: new URL(back).searchParams.get('code') ?? '',
    redirect_uri: program.redirectUri,
    code_verifier: verifier,
    client_id: clientId,
  }
  const tokens = await (await fetch(`${url}/oauth2/token`, { method: 'POST', body: new URLSearchParams(form) })).json()
  return { access: tokens.access_token, refresh: tokens.refresh_token, clientId }
}

/** Calls a tool with a token. */
export const use = (url: string, token: string): Promise<Response> =>
  fetch(`${url}/mcp/rpc`, {
    method: 'POST',
    headers: { ...JSON_TYPE, authorization: `Bearer ${token}` },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'list_customers', arguments: {} },
    }),
  })

/** Ends a connection as its program does. */
export const disconnect = (
  url: string,
  { refresh, clientId }: { refresh: string; clientId: string },
): Promise<Response> =>
  fetch(`${url}/oauth2/revoke`, { method: 'POST', body: new URLSearchParams({ token: refresh, client_id: clientId }) })
