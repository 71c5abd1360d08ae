import * as z from 'zod'
import { database, withinContractor } from '@/db/client'
import { allowedDestinations, deleteGrant, insertGrant, noteCode } from '@/db/queries/oauth-grants'
import { ServiceError } from '@/lib/core/errors'
import { newId } from '@/lib/core/ids'
import { CONSOLE_CLIENT } from '@/lib/core/service'
import type { PersonActor } from '../actor'
import { audit } from '../audit'
import { hashKey } from '../keys'
import { signedIn } from '../people/sign-in'
import { VISITOR_ADDRESS } from '../people/sign-in-settings'
import type { Visitor } from '../people/visitor'
import { requireProof } from '../require'
import { isScope, type Scope } from '../scopes'
import { destinationOf, OFFLINE } from './coerce'
import { consentingTo } from './consent-grant'
import { connectionName } from './grants'
import { consoleRedirect, isOAuthOffered, issuerOf } from './places'
import { oauthServer } from './server'
import { isBack } from './way-back'

/** A program's request to a person. */
export type ConsentRequest = {
  clientId: string
  /** The name it calls itself; anyone may call themselves anything. */
  name: string
  /** The host that vouches for it by its metadata document; undefined for a program that registered itself. */
  host: string | undefined
  /** The place that the person is sent back to: a host, `this computer`, or a program's own scheme. */
  destination: string
  scopes: Scope[]
}

const OVER =
  'This request is no longer valid: it is too old, or its address was changed. Start again in the program you want to connect.'

/** Returns one line, so that a name cannot pass for more than a name. */
function oneLine(text: string): string {
  const line = text.replace(/[\p{C}\p{Z}]+/gu, ' ').trim()
  return line.length > 80 ? `${line.slice(0, 79).trimEnd()}…` : line
}

const Client = z.looseObject({ client_name: z.string().nullish() })

/** The host that vouches for a client: that of its metadata document, and this one for the console. */
function hostOf(clientId: string): string | undefined {
  if (clientId === CONSOLE_CLIENT) return new URL(consoleRedirect()).host
  return clientId.startsWith('https://') ? new URL(clientId).host : undefined
}

/** Asks the library as a page of the portal. */
async function askLibrary(path: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  const server = await oauthServer()
  const issuer = issuerOf()
  const sent = { 'content-type': 'application/json', accept: 'application/json', origin: new URL(issuer).origin }
  return await server.handler(
    new Request(issuer + path, { method: 'POST', headers: { ...sent, ...headers }, body: JSON.stringify(body) }),
  )
}

/**
 * Reads a request from the query that the library signed.
 * @throws ServiceError `bad_request` when it is too old or was changed, `not_found` where nothing can be connected
 */
export async function readConsentRequest(query: string): Promise<ConsentRequest> {
  if (!isOAuthOffered())
    throw new ServiceError(
      'not_found',
      'Programs cannot be connected here: whoever runs this service has not turned it on.',
    )
  const asked = new URLSearchParams(query)
  const clientId = asked.get('client_id')
  const redirectUri = asked.get('redirect_uri')
  if (!clientId || !redirectUri) throw new ServiceError('bad_request', OVER)
  // The library checks its signature and the client, and answers what the client calls itself.
  const response = await askLibrary('/oauth2/public-client-prelogin', { client_id: clientId, oauth_query: query })
  if (!response.ok) throw new ServiceError('bad_request', OVER)
  const { client_name: called } = Client.parse(await response.json())
  const destination = destinationOf(redirectUri)
  return {
    clientId,
    name: oneLine(called ?? '') || destination,
    host: hostOf(clientId),
    destination,
    scopes: (asked.get('scope') ?? '').split(' ').filter(isScope),
  }
}

/** Sends the person's decision to the library, with the query as it signed it. @returns where the browser goes */
async function send(visitor: Visitor, query: string, decision: { accept: boolean; scope?: string }): Promise<string> {
  const sent = { cookie: visitor.cookie, [VISITOR_ADDRESS]: visitor.address }
  const response = await askLibrary('/oauth2/consent', { ...decision, oauth_query: query }, sent)
  const { url } = response.ok ? Object(await response.json()) : {}
  const back = new URLSearchParams(query).get('redirect_uri') ?? ''
  if (typeof url !== 'string' || !isBack(url, back)) throw new ServiceError('bad_request', OVER)
  return url
}

/** @throws ServiceError `forbidden` when the contractor lets people connect from elsewhere only; the console is a page of ours */
async function requireDestination(by: PersonActor, { clientId, destination }: ConsentRequest): Promise<void> {
  if (clientId === CONSOLE_CLIENT) return
  const { orm } = await database()
  const { contractorId } = by
  const allowed = await withinContractor(orm, contractorId, (tx) => allowedDestinations(tx, contractorId))
  if (allowed && !allowed.includes(destination))
    throw new ServiceError(
      'forbidden',
      `Your administrators do not allow programs at ${destination} to be connected. Ask one of them to allow it under Assistants.`,
    )
}

function requireGrantable(by: PersonActor, asked: ConsentRequest, chosen: readonly Scope[]): void {
  const fault = (message: string) => {
    throw new ServiceError('bad_request', message, { fields: [{ field: 'scopes[]', message }] })
  }
  if (chosen.length === 0) fault('Tick at least one thing it may do.')
  if (chosen.some((scope) => !asked.scopes.includes(scope))) fault('The program did not ask for all of these.')
  const beyond = chosen.filter((scope) => !by.scopes.has(scope))
  if (beyond.length > 0)
    fault(
      `Only administrators of this contractor may grant ${beyond.join(' and ')}. Untick it, or choose another contractor.`,
    )
}

/**
 * Connects a program for a contractor, with some of the scopes it asked for.
 * @param by the person, for the contractor they chose
 * @returns where the browser goes, with the code
 * @throws ServiceError `bad_request` for scopes the person may not grant or a request that is over, `forbidden` by the contractor's list, ProofNeeded
 */
export async function allow(
  visitor: Visitor,
  by: PersonActor,
  query: string,
  chosen: readonly Scope[],
): Promise<string> {
  const asked = await readConsentRequest(query)
  // The library takes the person from the session; a grant of one person's must not be completed by another.
  if ((await signedIn(visitor))?.id !== by.personId) throw new ServiceError('bad_request', OVER)
  requireGrantable(by, asked, chosen)
  // It is used for months, also after the person has signed out.
  requireProof(by, new Date())
  await requireDestination(by, asked)
  const { orm } = await database()
  const id = newId('grant')
  const wanted = new URLSearchParams(query)
  const scopes = [...chosen, ...((wanted.get('scope') ?? '').split(' ').includes(OFFLINE) ? [OFFLINE] : [])]
  const grant = { clientName: asked.name, destination: asked.destination }
  await insertGrant(orm, {
    id,
    referenceId: id,
    contractorId: by.contractorId,
    userId: by.personId,
    clientId: asked.clientId,
    resources: wanted.getAll('resource'),
    scopes,
    ...grant,
  })
  try {
    const url = await consentingTo(id, () => send(visitor, query, { accept: true, scope: scopes.join(' ') }))
    const code = new URL(url).searchParams.get('code')
    if (!code) throw new ServiceError('bad_request', OVER)
    await noteCode(orm, id, hashKey(code))
    const detail = { connection: id, scopes: chosen.join(' ') }
    const subject = connectionName(grant)
    const told = `${subject}, which may ${chosen.join(', ')}`
    await audit(orm, by, { event: 'connection_made', subject, detail, told })
    return url
  } catch (error) {
    await deleteGrant(orm, id)
    throw error
  }
}

/** Refuses a program. @returns where the browser goes, with the refusal */
export async function refuse(visitor: Visitor, query: string): Promise<string> {
  await readConsentRequest(query)
  return await send(visitor, query, { accept: false })
}
