import { coercedToken } from '@/lib/auth/oauth/coerce'
import { issuerOf } from '@/lib/auth/oauth/places'
import { oauthServer } from '@/lib/auth/oauth/server'
import { VISITOR_ADDRESS } from '@/lib/auth/people/sign-in-settings'
import { env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import { mediaTypeOf } from '@/lib/core/header'
import { jsonOf } from '@/lib/core/json'
import { clientAddress } from '../address'
import type { Answer, Reply } from '../answer'
import type { ServiceRequest } from '../request'

/** A form may hold a signed statement; what a registration says is stored, and anybody may register. */
export const MAX_BYTES = { form: 32 * 1024, registration: 8 * 1024 }

/** Headers of the library's answers that leave. Where it sends browsers is not among them: lib/auth/oauth/way-back.ts decides that. */
const PASSED = ['www-authenticate', 'cache-control', 'pragma']

/** The library's answer as ours. */
export async function replyOf(answer: Answer, response: Response, text?: string): Promise<Reply> {
  for (const name of PASSED) {
    const value = response.headers.get(name)
    if (value !== null) answer.add({ [name]: value })
  }
  const body = text ?? (await response.text())
  if (response.status >= 500) throw new Error(`the authorization server answered ${response.status}`)
  if (response.status >= 400) answer.failed(String(Object(jsonOf(body)).error ?? 'bad_request'))
  return body === '' ? answer.empty(response.status) : answer.json(body, response.status)
}

type Asked = { method?: string; headers?: Record<string, string>; body?: string }

/** Asks the library, at the portal's address whatever host was asked, with nothing of the request but what is named here. */
export async function ask(request: ServiceRequest, path: string, { method = 'GET', headers = {}, body }: Asked) {
  const server = await oauthServer()
  const sent = new Headers({ [VISITOR_ADDRESS]: clientAddress(request.headers, env().proxyHops), ...headers })
  return await server.handler(
    new Request(`${issuerOf()}${path}`, { method, headers: sent, ...(body === undefined ? {} : { body }) }),
  )
}

export async function readBody(request: ServiceRequest, type: string, most: number): Promise<string> {
  if (mediaTypeOf(request.headers.get('content-type')) !== type)
    throw new ServiceError('unsupported_media_type', `Send the body with Content-Type: ${type}.`)
  const { bytes, complete } = await request.body(most)
  if (!complete) throw new ServiceError('payload_too_large', `The body is larger than ${most} bytes. Send less.`)
  return new TextDecoder().decode(bytes)
}

/**
 * Reports whether a query or form can be read in one way only. Readers treat a repeated parameter differently, and only a resource may be
 * repeated (RFC 6749, 3.1); no database stores control characters.
 */
export const isPlain = (sent: URLSearchParams): boolean =>
  [...sent].every(([name, value]) => !/\p{Cc}/u.test(value) && (name === 'resource' || sent.getAll(name).length === 1))

const FORM = 'application/x-www-form-urlencoded'
export const JSON_TYPE = 'application/json'

/** A form's fields; the client's own credentials may be in the header (RFC 6749, 2.3.1). */
export async function readForm(
  request: ServiceRequest,
): Promise<{ form: URLSearchParams; headers: Record<string, string> }> {
  const sent = new URLSearchParams(await readBody(request, FORM, MAX_BYTES.form))
  if (!isPlain(sent)) throw new ServiceError('bad_request', 'Send each parameter once, without control characters.')
  const form = coercedToken(sent, env())
  const authorization = request.headers.get('authorization')
  return { form, headers: { 'content-type': FORM, ...(authorization === null ? {} : { authorization }) } }
}
