import { setTimeout } from 'node:timers/promises'
import { decodeJwt } from 'jose'
import { database, type Orm } from '@/db/client'
import {
  boundClients,
  forgetDocumentScopes,
  isClientStored,
  putConsoleClient,
  type Registered,
  scopesOfClient,
  setRegistered,
} from '@/db/queries/oauth-clients'
import { findGrant, findRefreshToken, grantOfCode, noteConnected, type RefreshRecord } from '@/db/queries/oauth-grants'
import { CONSOLE_CLIENT, SERVICE } from '@/lib/core/service'
import { hashKey, isTokenShaped } from '../keys'
import { endByProgram, endReplaced } from './grants'
import { consoleRedirect, GRANT_CLAIM } from './places'
import { verifiedToken } from './verify'

/** Ends a grant by its id. */
async function end(grantId: string, address: string, why: Parameters<typeof endByProgram>[1]): Promise<void> {
  const grant = await findGrant((await database()).orm, grantId)
  if (grant) await endByProgram({ ...grant, address }, why)
}

/** The number and interval of the waits for a token that another request uses at this moment. */
const ROTATION = { times: 20, everyMs: 50 }

/** A refresh token once nobody else is being answered for it, so that both get the same answer. */
async function settled(orm: Orm, hash: string): Promise<RefreshRecord | undefined> {
  for (let time = 0; ; time++) {
    const found = await findRefreshToken(orm, hash)
    if (found?.state !== 'rotating' || time === ROTATION.times) return found
    await setTimeout(ROTATION.everyMs)
  }
}

/**
 * Ends the connection whose code or refresh token comes a second time: one of the two who have it is not the program (RFC 9700, 4.14.2;
 * RFC 6749, 4.1.2). Done before the library, which would end every connection of the person's program.
 */
export async function endUsedTwice(form: URLSearchParams, address: string): Promise<boolean> {
  const { orm } = await database()
  const why = 'its code or token was used twice'
  const code = form.get('code')
  if (code !== null && form.get('grant_type') === 'authorization_code') {
    const grant = await grantOfCode(orm, hashKey(code))
    if (!grant?.connectedAt) return false
    await end(grant.id, address, why)
    return true
  }
  const token = form.get('refresh_token')
  const used = token === null ? undefined : await settled(orm, hashKey(token))
  if (used?.state !== 'used') return false
  if (used.grantId !== null) await end(used.grantId, address, why)
  return true
}

/** Reports whether another request used the refresh token of a refused one at the same moment, so that it can be answered as that one was. */
export async function wasRefreshedConcurrently(form: URLSearchParams): Promise<boolean> {
  const token = form.get('refresh_token')
  return token !== null && (await settled((await database()).orm, hashKey(token)))?.state === 'rotated'
}

/**
 * Notes that a code became tokens. The console keeps its tokens in its page, so that each sign-in there takes the place of the one before;
 * any other program may be the person's on two machines.
 */
export async function tokensIssued(form: URLSearchParams, address: string): Promise<void> {
  const code = form.get('code')
  if (code === null) return
  const { orm } = await database()
  const grant = await grantOfCode(orm, hashKey(code))
  if (!grant) return
  await noteConnected(orm, grant.id)
  if (grant.clientId === CONSOLE_CLIENT) await endReplaced(grant, address)
}

/** Returns who a signed statement says it is from (RFC 7523, 3); the library checks the signature. */
function clientOfAssertion(assertion: string | null): string | undefined {
  try {
    return assertion === null ? undefined : decodeJwt(assertion).sub
  } catch {
    return undefined
  }
}

/** The client that a request names, in its form, its signed statement or its header (RFC 6749, 2.3.1). */
function clientOf(form: URLSearchParams, authorization: string | undefined): string | undefined {
  const basic = /^Basic +([\w+/=-]+)$/i.exec(authorization ?? '')?.[1]
  if (basic === undefined) return form.get('client_id') ?? clientOfAssertion(form.get('client_assertion'))
  const [id = ''] = Buffer.from(basic, 'base64').toString().split(':')
  // Read as a form's field, which no malformed escape breaks. No client is named by control characters, and no database can look for them.
  const read = new URLSearchParams(`id=${id.replace(/[&+]/g, encodeURIComponent)}`).get('id') ?? ''
  return read.replace(/\p{Cc}/gu, '')
}

/**
 * Reports whether a token request names a client that is not stored. It must be told so (RFC 6749, 5.2), because it then registers itself;
 * the library looks at the token first. One known by its metadata document is stored when it is first seen.
 */
export async function isClientUnknown(form: URLSearchParams, authorization: string | undefined): Promise<boolean> {
  const clientId = clientOf(form, authorization)
  return clientId !== undefined && !(await isClientStored((await database()).orm, clientId))
}

/** The grant of a client's own token, of either kind; undefined for any other text. */
async function grantOfToken(token: string, client: string | undefined): Promise<string | undefined> {
  const refresh = await findRefreshToken((await database()).orm, hashKey(token))
  if (refresh) return refresh.clientId === client ? (refresh.grantId ?? undefined) : undefined
  const claims = isTokenShaped(token) ? (await verifiedToken(token))?.claims : undefined
  const grantId = claims?.client_id === client ? claims?.[GRANT_CLAIM] : undefined
  return typeof grantId === 'string' ? grantId : undefined
}

/**
 * Revokes a token (RFC 7009) of a client that the library has checked. Whichever of a connection's tokens it is, the connection ends, because
 * that is what people mean when they disconnect. A token that is not known, or another client's, ends nothing, and the caller answers as ever.
 */
export async function revokeConnection(
  form: URLSearchParams,
  authorization: string | undefined,
  address: string,
): Promise<void> {
  const grantId = await grantOfToken(form.get('token') ?? '', clientOf(form, authorization))
  if (grantId !== undefined) await end(grantId, address, 'by the program')
}

/** Stores what a registration was granted, where that is not what the library stored. */
export async function clientRegistered(clientId: string, granted: Registered): Promise<void> {
  await setRegistered((await database()).orm, clientId, granted)
}

/** Keeps the number of stored clients in bounds, after one was added. */
export async function clientAdded(): Promise<void> {
  await boundClients((await database()).orm)
}

/**
 * Makes what is stored of a client ready for its request: the console is stored here, and a document's client may ask for what came since.
 * @returns which scopes the client may ask for; null for any
 */
export async function allowedScopesOfClient(clientId: string): Promise<string[] | null> {
  const { orm } = await database()
  if (clientId === CONSOLE_CLIENT) await putConsoleClient(orm, clientId, `${SERVICE.name} console`, consoleRedirect())
  else await forgetDocumentScopes(orm, clientId)
  return await scopesOfClient(orm, clientId)
}
