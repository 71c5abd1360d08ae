import { setTimeout } from 'node:timers/promises'
import { decodeJwt } from 'jose'
import { database, type Orm } from '@/db/client'
import {
  boundClients,
  forgetClientScopes,
  isClientStored,
  putConsoleClient,
  setClientRedirects,
} from '@/db/queries/oauth-clients'
import { findGrant, findRefreshToken, grantOfCode, noteConnected, type RefreshRecord } from '@/db/queries/oauth-grants'
import { CONSOLE_CLIENT, SERVICE } from '@/lib/core/service'
import { hashKey } from '../keys'
import { endByProgram, endReplaced } from './grants'
import { consoleRedirect, GRANT_CLAIM } from './places'
import { isTokenShaped } from './shape'
import { verifiedToken } from './verify'

/** Ends a grant by its id. */
async function end(grantId: string, address: string, why: Parameters<typeof endByProgram>[1]): Promise<void> {
  const grant = await findGrant((await database()).orm, grantId)
  if (grant) await endByProgram({ ...grant, address }, why)
}

/** How long, and how often, a token that another request uses at this moment is waited for. */
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

/** Whether another request used the refresh token of a refused one at the same moment, so that it can be answered as that one was. */
export async function wasRefreshedMeanwhile(form: URLSearchParams): Promise<boolean> {
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

/** Who a signed statement says it is from (RFC 7523, 3); the library checks the signature. */
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
 * Whether a token request names a client that is not stored. It must be told so (RFC 6749, 5.2), because it then registers itself; the library
 * looks at the token first. One known by its metadata document is stored when it is first seen.
 */
export async function isClientUnknown(form: URLSearchParams, authorization: string | undefined): Promise<boolean> {
  const clientId = clientOf(form, authorization)
  return clientId !== undefined && !(await isClientStored((await database()).orm, clientId))
}

/**
 * Revokes a token (RFC 7009). The library checks the client's credentials; whichever token is revoked, the connection ends, because that
 * is what people mean when they disconnect.
 * @param send asks the library
 */
export async function revokeConnection(
  form: URLSearchParams,
  authorization: string | undefined,
  address: string,
  send: () => Promise<Response>,
): Promise<{ response: Response; isEnded: boolean }> {
  const { orm } = await database()
  const token = form.get('token') ?? ''
  const client = clientOf(form, authorization)
  const refresh = await findRefreshToken(orm, hashKey(token))
  const response = await send()
  if (refresh) {
    const isEnded = response.ok && refresh.clientId === client && refresh.grantId !== null
    if (isEnded && refresh.grantId !== null) await end(refresh.grantId, address, 'by the program')
    return { response, isEnded }
  }
  // The library has checked the client when it says that it cannot revoke a token of this type.
  const isChecked = response.status === 400 && (await response.clone().text()).includes('unsupported_token_type')
  const verified = isChecked && isTokenShaped(token) ? await verifiedToken(token) : undefined
  const grantId = verified?.claims.client_id === client ? verified?.claims[GRANT_CLAIM] : undefined
  if (typeof grantId === 'string') await end(grantId, address, 'by the program')
  return { response, isEnded: verified !== undefined }
}

/** Stores the redirects of a client that registered some that the library does not judge. */
export async function setRedirects(clientId: string, redirectUris: string[]): Promise<void> {
  await setClientRedirects((await database()).orm, clientId, redirectUris)
}

/** Keeps the number of stored clients in bounds, after one was added. */
export async function clientAdded(): Promise<void> {
  await boundClients((await database()).orm)
}

/** Makes what is stored of a client ready for its request: the console is stored here, and what others were stored with must not hold them back. */
export async function clientAsks(clientId: string): Promise<void> {
  const { orm } = await database()
  if (clientId === CONSOLE_CLIENT) await putConsoleClient(orm, clientId, `${SERVICE.name} console`, consoleRedirect())
  else await forgetClientScopes(orm, clientId)
}
