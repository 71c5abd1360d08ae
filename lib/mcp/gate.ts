import type { KeyActor } from '@/lib/auth/actor'
import { authenticate } from '@/lib/auth/authenticate'
import { env } from '@/lib/core/env'
import { ServiceError, toServiceError } from '@/lib/core/errors'
import { mediaTypeOf } from '@/lib/core/header'
import { parseStrictJson } from '@/lib/core/json'
import { accepts } from '@/lib/http/accept'
import { clientAddress } from '@/lib/http/address'
import type { Answer } from '@/lib/http/answer'
import { countKey, limitAddress, reportOwnLimit, requireAllowed } from '@/lib/http/limit'
import type { ServiceRequest } from '@/lib/http/request'
import { requireTerms } from '@/lib/operations/terms'
import { invalidRequest, RPC, RpcFault, type RpcId } from './fault'

const MAX_BYTES = 1024 * 1024
const LIMIT = { limit: 'mcp', name: 'mcp' } as const

/** A JSON-RPC message as received; its parameters have not been checked. */
export type Message = {
  jsonrpc: '2.0'
  id?: string | number | null
  method?: string
  params?: unknown
  /** The client's answer to a request of ours. */
  result?: unknown
}

/**
 * Authenticates and counts the caller: by key when it is valid, by address when it is not, so that guessing is limited too. A request over the
 * key's own limit comes back with its refusal, because the call of a tool is answered with it.
 * @throws ServiceError `unauthorized`, `forbidden` from an address that the key is not allowed from, `rate_limited` beyond the limit of all keys
 */
export async function admitOrRefuse(
  request: ServiceRequest,
  answer: Answer,
): Promise<{ actor: KeyActor; refused: ServiceError | undefined }> {
  const caller = await authenticate(request.headers, 'mcp').catch((error) => toServiceError(error))
  if (caller instanceof ServiceError) {
    await limitAddress(LIMIT, request, answer)
    throw caller
  }
  answer.actor = caller
  requireAllowed(await countKey(LIMIT, caller, answer))
  try {
    await requireTerms(caller, clientAddress(request.headers, env().proxyHops), reportOwnLimit(answer))
    return { actor: caller, refused: undefined }
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'rate_limited') return { actor: caller, refused: error }
    throw error
  }
}

/** The same where the key's own limit ends the request. @throws ServiceError as well `rate_limited` beyond it */
export async function admit(request: ServiceRequest, answer: Answer): Promise<KeyActor> {
  const { actor, refused } = await admitOrRefuse(request, answer)
  if (refused) throw refused
  return actor
}

/** Checks `Accept`. @throws RpcFault 406 unless it accepts both response types (specification 4.4, rule 1) */
export function requireAccept({ headers }: ServiceRequest): void {
  if (accepts(headers.get('accept'), 'application/json', 'text/event-stream')) return
  throw new RpcFault(406, RPC.notAcceptable, 'Not Acceptable', {
    data: { reason: 'Send Accept: application/json, text/event-stream' },
  })
}

function idOf(value: Record<string, unknown>): RpcId {
  return typeof value.id === 'string' || typeof value.id === 'number' ? value.id : null
}

/**
 * Reports whether the specification (2.8, McpMessage) takes a value as an id; a whole number beyond what JSON holds would come back as
 * another one.
 */
const isId = (id: unknown): boolean =>
  id === undefined ||
  id === null ||
  typeof id === 'string' ||
  (typeof id === 'number' && (!Number.isInteger(id) || Number.isSafeInteger(id)))

/** Parses one JSON-RPC message. Batches are not supported; MCP removed them in 2025-06-18. */
function messageOf(text: string): Message {
  if (/^\s*\[/.test(text)) throw invalidRequest('Batches are not taken. Send one message at a time.')
  let value: Record<string, unknown>
  try {
    value = parseStrictJson(text)
  } catch (error) {
    throw new RpcFault(400, RPC.parse, 'Parse error', { data: { reason: toServiceError(error).message } })
  }
  const { jsonrpc, id, method, params } = value
  if (jsonrpc !== '2.0') throw invalidRequest('jsonrpc must be "2.0".', idOf(value))
  if (!isId(id))
    throw invalidRequest('id must be a text, null, or a number up to 9007199254740991, which JSON holds exactly.')
  const isAnswer = 'result' in value || 'error' in value
  if (method === undefined ? !isAnswer : isAnswer)
    throw invalidRequest('A message has a method, or a result, or an error.', idOf(value))
  if (method !== undefined && typeof method !== 'string') throw invalidRequest('method must be a text.', idOf(value))
  if (params !== undefined && (typeof params !== 'object' || params === null || Array.isArray(params)))
    throw invalidRequest('params must be an object.', idOf(value))
  // Drops unknown fields, because the SDK would reject the whole message for them.
  const known = Object.entries(value).filter(([name]) => ['id', 'params', 'result', 'error'].includes(name))
  return { ...Object.fromEntries(known), jsonrpc, ...(method === undefined ? {} : { method }) }
}

/** Reads the message of a POST. Checks media type, size, JSON and format, in this order. */
export async function readMessage(request: ServiceRequest): Promise<Message> {
  if (mediaTypeOf(request.headers.get('content-type')) !== 'application/json')
    throw invalidRequest('Send the message with Content-Type: application/json.', null, 415)
  const { bytes, complete } = await request.body(MAX_BYTES)
  if (!complete) throw invalidRequest(`The message is larger than ${MAX_BYTES} bytes. Send less.`, null, 413)
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new RpcFault(400, RPC.parse, 'Parse error', { data: { reason: 'The body is not valid UTF-8.' } })
  }
  return messageOf(text)
}
