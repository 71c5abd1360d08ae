import type { KeyActor } from '@/lib/auth/actor'
import { authenticate } from '@/lib/auth/authenticate'
import { env } from '@/lib/core/env'
import { ServiceError, toServiceError } from '@/lib/core/errors'
import { parseStrictJson } from '@/lib/core/json'
import { accepts } from '@/lib/http/accept'
import { clientAddress } from '@/lib/http/address'
import type { Answer } from '@/lib/http/answer'
import { countKey, limitAddress, requireAllowed, tellOwnLimit } from '@/lib/http/limit'
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
  /** What a client answers to a request of ours. */
  result?: unknown
}

/** Authenticates and counts the caller: by key when it is valid, by address when it is not, so that guessing is limited too. */
export async function admit(request: ServiceRequest, answer: Answer): Promise<KeyActor> {
  const caller = await authenticate(request.headers, 'mcp').catch((error) => toServiceError(error))
  if (caller instanceof ServiceError) {
    await limitAddress(LIMIT, request, answer)
    throw caller
  }
  answer.actor = caller
  const counted = countKey(LIMIT, caller, answer)
  requireAllowed(counted instanceof Promise ? await counted : counted)
  const terms = requireTerms(caller, clientAddress(request.headers, env().proxyHops), tellOwnLimit(answer))
  if (terms) await terms
  return caller
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

/** What the specification (2.8, McpMessage) takes as an id; a whole number beyond what JSON holds would come back as another one. */
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
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json')
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
