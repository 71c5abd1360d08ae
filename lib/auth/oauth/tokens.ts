import { database } from '@/db/client'
import {
  findGrant,
  findRefreshToken,
  grantOfCode,
  isClientStored,
  noteConnected,
  setClientRedirects,
} from '@/db/queries/oauth-grants'
import { hashKey } from '../keys'
import { endByProgram } from './grants'
import { GRANT_CLAIM } from './places'
import { isTokenShaped } from './shape'
import { verifiedToken } from './verify'

/** Ends a grant by its id. */
async function end(grantId: string, address: string, why: Parameters<typeof endByProgram>[1]): Promise<void> {
  const grant = await findGrant((await database()).orm, grantId)
  if (grant) await endByProgram({ ...grant, address }, why)
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
  const used = token === null ? undefined : await findRefreshToken(orm, hashKey(token))
  if (!used?.isUsed) return false
  if (used.grantId !== null) await end(used.grantId, address, why)
  return true
}

/** Notes that a code became tokens. */
export async function tokensIssued(form: URLSearchParams): Promise<void> {
  const code = form.get('code')
  if (code === null) return
  const { orm } = await database()
  const grant = await grantOfCode(orm, hashKey(code))
  if (grant) await noteConnected(orm, grant.id)
}

/** The client that a request names, in its form or its header (RFC 6749, 2.3.1). */
function clientOf(form: URLSearchParams, authorization: string | undefined): string | undefined {
  const basic = /^Basic +([\w+/=-]+)$/i.exec(authorization ?? '')?.[1]
  if (basic === undefined) return form.get('client_id') ?? undefined
  const [id = ''] = Buffer.from(basic, 'base64').toString().split(':')
  return decodeURIComponent(id.replace(/%(?![\da-f]{2})/gi, '%25'))
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
