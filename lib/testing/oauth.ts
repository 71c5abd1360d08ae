import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { type Database, rows } from '@/db/client'
import type { PersonActor } from '@/lib/auth/actor'
import { allow } from '@/lib/auth/oauth/consent'
import { resourceOf } from '@/lib/auth/oauth/places'
import type { Scope } from '@/lib/auth/scopes'
import type { Role } from '@/lib/core/roles'
import { listConnections } from '@/lib/operations/connections/list-connections'
import { execute } from '@/lib/operations/execute'
import { type Browser, enter, makeMember } from './people'
import { call, makeTenant } from './tenant'

/** The input a note is added with; a program that may not write is refused before it is looked at. */
/** A lead, which only administrators may let a program send. */
export const LEAD = { firstName: 'Ana', lastName: 'Lopez', phone: '(615) 555-0142' }
export const REDIRECT = 'http://127.0.0.1:33418/callback'

/** Registers a client that redirects to the person's own machine. */
export async function register(more: Record<string, unknown> = {}) {
  return await call('/oauth2/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'Test Assistant',
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      ...more,
    }),
  })
}

/** Posts a form to a step of the authorization server. */
export const post = (step: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  call(`/oauth2/${step}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(form).toString(),
  })

/** A program with its verifier, which asks for authorization and redeems codes. */
export class Program {
  readonly verifier = randomBytes(32).toString('base64url')

  constructor(
    readonly clientId: string,
    readonly redirectUri = REDIRECT,
  ) {}

  /** A program that has registered itself. */
  static async registered(more: Record<string, unknown> = {}): Promise<Program> {
    const { status, body, text } = await register(more)
    if (status !== 201) throw new Error(`registered with ${status}: ${text}`)
    return new Program(body.client_id, body.redirect_uris[0])
  }

  /** Asks for authorization; where the browser is sent. */
  async ask(browser: Browser | undefined, more: Record<string, string | undefined> = {}): Promise<URL> {
    const wanted = {
      response_type: 'code',
      client_id: this.clientId,
      redirect_uri: this.redirectUri,
      scope: 'read:customers read:invoices offline_access',
      state: 'the state',
      code_challenge: createHash('sha256').update(this.verifier).digest('base64url'),
      code_challenge_method: 'S256',
      resource: resourceOf('mcp'),
      ...more,
    }
    const query = new URLSearchParams(
      Object.entries(wanted).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    )
    const { status, headers, text } = await call(`/oauth2/authorize?${query}`, {
      headers: { cookie: browser?.visitor.cookie ?? '' },
    })
    if (status !== 302) throw new Error(`asked with ${status}: ${text}`)
    return new URL(headers.get('location') ?? '', 'http://localhost:3000')
  }

  redeem(code: string, more: Record<string, string> = {}) {
    return post('token', {
      grant_type: 'authorization_code',
      code,
      client_id: this.clientId,
      redirect_uri: this.redirectUri,
      code_verifier: this.verifier,
      ...more,
    })
  }

  refresh(token: string, more: Record<string, string> = {}) {
    return post('token', { grant_type: 'refresh_token', refresh_token: token, client_id: this.clientId, ...more })
  }

  /** The whole way: the person allows these scopes for the actor's contractor; the tokens. */
  async connect(
    browser: Browser,
    by: PersonActor,
    scopes: Scope[] = ['read:customers'],
    more: Record<string, string> = {},
  ) {
    const asked = await this.ask(browser, { scope: `${scopes.join(' ')} offline_access`, ...more })
    const back = new URL(await allow(browser.visitor, by, asked.search.slice(1), scopes))
    const code = back.searchParams.get('code') ?? ''
    const { status, body, text } = await this.redeem(code)
    if (status !== 200) throw new Error(`redeemed with ${status}: ${text}`)
    return { code, back, access: body.access_token as string, refresh: body.refresh_token as string, body }
  }
}

/** A contractor with an administrator, and a signed-in member. */
export async function someone(db: Database, role: Role = 'admin') {
  const tenant = await makeTenant(db)
  const admin = await makeMember(db, tenant.contractor.id)
  const by = role === 'admin' ? admin : await makeMember(db, tenant.contractor.id, role)
  const { browser } = await enter(by)
  return { tenant, admin, by, browser }
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const JSON_TYPE = { 'content-type': 'application/json' }
export const message = (method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })

/** Calls a tool at `/mcp/rpc`. */
export const rpc = (token: string, name = 'list_customers', args: object = {}, headers: Record<string, string> = {}) =>
  call('/mcp/rpc', {
    method: 'POST',
    headers: { ...JSON_TYPE, ...bearer(token), ...headers },
    body: message('tools/call', { name, arguments: args }),
  })

/** Sends a message to `/mcp`. */
export const mcp = (token: string, body: string, headers: Record<string, string> = {}) =>
  call('/mcp', {
    method: 'POST',
    headers: { ...JSON_TYPE, accept: 'application/json, text/event-stream', ...bearer(token), ...headers },
    body,
  })

export const initialize = message('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
})

/** The envelope and headers of a message of 2026-07-28. */
export const stateless = (method: string, params: object = {}) => ({
  body: message(method, {
    ...params,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    },
  }),
  headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method },
})

/** Returns what happened to a contractor's connections, as the audit log has it. */
export const eventsOf = (db: Database, contractorId: string) =>
  rows<{ event: string; subject: string }>(
    db.orm,
    sql`select event, subject from audit_events where contractor_id = ${contractorId} and event like 'connection%' order by at, id`,
  )

/** The connections that a person is shown. */
export const connectionsOf = async (actor: PersonActor) =>
  (await execute(listConnections, { actor, now: new Date() }, {})).items
