import { coercedAuthorize, coercedRegistration, coercedToken } from '@/lib/auth/oauth/coerce'
import { isOAuthOffered, issuerOf, type Step } from '@/lib/auth/oauth/places'
import { oauthServer } from '@/lib/auth/oauth/server'
import {
  allowedScopesOfClient,
  clientAdded,
  clientRegistered,
  endUsedTwice,
  isClientUnknown,
  revokeConnection,
  tokensIssued,
  wasRefreshedConcurrently,
} from '@/lib/auth/oauth/tokens'
import { faultPage, wayBack } from '@/lib/auth/oauth/way-back'
import { VISITOR_ADDRESS } from '@/lib/auth/people/sign-in-settings'
import { env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import { mediaTypeOf } from '@/lib/core/header'
import { jsonOf, parseJsonObject } from '@/lib/core/json'
import { clientAddress } from '../address'
import type { Answer, Reply } from '../answer'
import type { Answerer } from '../endpoint'
import { limitAddress } from '../limit'
import { observed } from '../logged'
import { requireMethod, type ServiceRequest } from '../request'
import { notThere, oauthError } from './offered'

/** A form may hold a signed statement; what a registration says is stored, and anybody may register. */
const MAX_BYTES = { form: 32 * 1024, registration: 8 * 1024 }

/** Headers of the library's answers that leave. Where it sends browsers is not among them: lib/auth/oauth/way-back.ts decides that. */
const PASSED = ['www-authenticate', 'cache-control', 'pragma']

/** The library's answer as ours. */
async function replyOf(answer: Answer, response: Response, text?: string): Promise<Reply> {
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
async function ask(request: ServiceRequest, path: string, { method = 'GET', headers = {}, body }: Asked) {
  const server = await oauthServer()
  const sent = new Headers({ [VISITOR_ADDRESS]: clientAddress(request.headers, env().proxyHops), ...headers })
  return await server.handler(
    new Request(`${issuerOf()}${path}`, { method, headers: sent, ...(body === undefined ? {} : { body }) }),
  )
}

async function readBody(request: ServiceRequest, type: string, most: number): Promise<string> {
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
const isPlain = (sent: URLSearchParams): boolean =>
  [...sent].every(([name, value]) => !/\p{Cc}/u.test(value) && (name === 'resource' || sent.getAll(name).length === 1))

const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'

/** A form's fields; the client's own credentials may be in the header (RFC 6749, 2.3.1). */
async function readForm(request: ServiceRequest): Promise<{ form: URLSearchParams; headers: Record<string, string> }> {
  const sent = new URLSearchParams(await readBody(request, FORM, MAX_BYTES.form))
  if (!isPlain(sent)) throw new ServiceError('bad_request', 'Send each parameter once, without control characters.')
  const form = coercedToken(sent, env())
  const authorization = request.headers.get('authorization')
  return { form, headers: { 'content-type': FORM, ...(authorization === null ? {} : { authorization }) } }
}

/** Programs in browsers on other sites may call these: they carry no cookie, so a page gains nothing it could not send itself. */
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'authorization, content-type, mcp-protocol-version',
}

/** Sends the browser to our page that says what is wrong. */
function fault(answer: Answer, error: string): Reply {
  answer.failed(error)
  answer.add({ location: faultPage(error) })
  return answer.empty(302)
}

async function authorize(request: ServiceRequest, answer: Answer): Promise<Reply> {
  const sent = new URL(request.url).searchParams
  if (!isPlain(sent)) return fault(answer, 'invalid_request')
  const clientId = sent.get('client_id') ?? ''
  const query = coercedAuthorize(sent, env(), await allowedScopesOfClient(clientId))
  const cookie = request.headers.get('cookie') ?? ''
  const response = await ask(request, `/oauth2/authorize?${query}`, { headers: { cookie, accept: 'text/html' } })
  // A client known by its document is stored when it is first seen.
  if (clientId.startsWith('https://')) await clientAdded()
  const location = response.headers.get('location')
  if (location === null) {
    if (response.status >= 500) return replyOf(answer, response)
    return fault(answer, String(Object(jsonOf(await response.text())).error ?? 'invalid_request'))
  }
  const address = clientAddress(request.headers, env().proxyHops)
  const visitor = { address, userAgent: request.headers.get('user-agent') ?? '', cookie }
  const to = await wayBack(location, query, visitor)
  const error = new URL(to, issuerOf()).searchParams.get('error')
  if (error !== null) answer.failed(error)
  answer.add({ location: to })
  return replyOf(answer, response)
}

const unknownClient = (answer: Answer): Reply =>
  oauthError(answer, 401, 'invalid_client', 'This client is not known here. Register again.')

async function token(request: ServiceRequest, answer: Answer): Promise<Reply> {
  const { form, headers } = await readForm(request)
  const address = clientAddress(request.headers, env().proxyHops)
  if (await isClientUnknown(form, headers.authorization)) return unknownClient(answer)
  if (await endUsedTwice(form, address))
    return oauthError(answer, 400, 'invalid_grant', 'This was used before, so the connection has ended. Connect again.')
  const send = () => ask(request, '/oauth2/token', { method: 'POST', headers, body: form.toString() })
  const first = await send()
  const response = first.status === 400 && (await wasRefreshedConcurrently(form)) ? await send() : first
  if (response.ok) await tokensIssued(form, address)
  return replyOf(answer, response)
}

/**
 * Asks the library whether a client is who it says, by revoking a token that nobody has: that is refused last, after the client was checked.
 * @returns what is wrong with the client; undefined for nothing
 */
async function clientFault(request: ServiceRequest, form: URLSearchParams, headers: Record<string, string>) {
  const nobodys = new URLSearchParams(form)
  nobodys.set('token', 'none')
  nobodys.set('token_type_hint', 'refresh_token')
  const response = await ask(request, '/oauth2/revoke', { method: 'POST', headers, body: nobodys.toString() })
  const said = Object(jsonOf(await response.clone().text()))
  return response.status === 400 && said.error_description === 'token not found' ? undefined : response
}

async function revoke(request: ServiceRequest, answer: Answer): Promise<Reply> {
  const { form, headers } = await readForm(request)
  if (!form.get('token')) return oauthError(answer, 400, 'invalid_request', 'Send the token to revoke as token.')
  if (await isClientUnknown(form, headers.authorization)) return unknownClient(answer)
  const refused = await clientFault(request, form, headers)
  if (refused) return replyOf(answer, refused)
  await revokeConnection(form, headers.authorization, clientAddress(request.headers, env().proxyHops))
  return answer.empty(200)
}

async function register(request: ServiceRequest, answer: Answer): Promise<Reply> {
  const text = await readBody(request, JSON_TYPE, MAX_BYTES.registration)
  const { body, granted, stored } = coercedRegistration(parseJsonObject(text))
  const headers = { 'content-type': JSON_TYPE }
  const response = await ask(request, '/oauth2/register', { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) return replyOf(answer, response)
  const made = Object(await response.json())
  await clientRegistered(String(made.client_id), stored)
  await clientAdded()
  const redirects = stored.redirectUris && { redirect_uris: stored.redirectUris }
  return replyOf(answer, response, JSON.stringify({ ...made, ...redirects, scope: granted.join(' ') }))
}

async function jwks(request: ServiceRequest, answer: Answer): Promise<Reply> {
  const reply = await replyOf(answer, await ask(request, '/oauth2/jwks', {}))
  return { ...reply, headers: { ...reply.headers, 'cache-control': 'public, max-age=300' } }
}

const ANSWERS: Record<Step, { method: string; answer: (request: ServiceRequest, answer: Answer) => Promise<Reply> }> = {
  authorize: { method: 'GET', answer: authorize },
  token: { method: 'POST', answer: token },
  register: { method: 'POST', answer: register },
  revoke: { method: 'POST', answer: revoke },
  jwks: { method: 'GET', answer: jwks },
}

/** Answers in OAuth's form with what is wrong with a request before the library sees it. */
function refusal(answer: Answer, error: unknown): Reply {
  if (!(error instanceof ServiceError) || error.status >= 500 || error.code === 'rate_limited')
    return answer.error(error)
  if (error.headers) answer.add(error.headers)
  return oauthError(answer, error.status, 'invalid_request', error.message)
}

const stepOf = (step: Step): Answerer =>
  observed(`oauth_${step}`, async (request, answer) => {
    const { method, answer: answering } = ANSWERS[step]
    const methods = `${method}, OPTIONS`
    if (step !== 'authorize') answer.add({ ...CORS, 'access-control-allow-methods': methods })
    try {
      if (!isOAuthOffered()) return notThere(answer)
      if (request.method === 'OPTIONS') {
        answer.add({ allow: methods })
        return answer.empty(204)
      }
      await limitAddress({ limit: 'oauth', name: `oauth_${step}` }, request, answer)
      requireMethod(request, [method], methods)
      return await answering(request, answer)
    } catch (error) {
      return refusal(answer, error)
    }
  })

/** The steps of connecting a program, each in front of the library's own. */
export const oauthSteps: Record<Step, Answerer> = {
  authorize: stepOf('authorize'),
  token: stepOf('token'),
  register: stepOf('register'),
  revoke: stepOf('revoke'),
  jwks: stepOf('jwks'),
}
