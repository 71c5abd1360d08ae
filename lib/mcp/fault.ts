import type { ErrorText } from '@/lib/core/error-texts'
import { isOurs, toServiceError } from '@/lib/core/errors'
import { logFault } from '@/lib/core/log'
import type { Answer, Reply } from '@/lib/http/answer'

/** The error codes of JSON-RPC 2.0, and those of MCP's transport. */
export const RPC = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  notAcceptable: -32000,
  sessionNotFound: -32001,
  resourceNotFound: -32002,
  forbidden: -32003,
} as const

/** A JSON-RPC code as a word, for the request log. */
export const wordOf = (code: number): string =>
  Object.entries(RPC)
    .find(([, known]) => known === code)?.[0]
    .replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) ?? 'other'

export type RpcId = string | number | null

type Details = { id?: RpcId; data?: unknown; headers?: Record<string, string> }

/** An error that ends a request before, or beside, the protocol: an HTTP status with a JSON-RPC error (specification 7.3). */
export class RpcFault extends Error {
  override name = 'RpcFault'
  constructor(
    readonly status: number,
    readonly code: number,
    message: string,
    readonly details: Details = {},
  ) {
    super(message)
  }
}

/** The one message of code -32600 (specification 7.3); `reason` says what is wrong with the request, and what to do. */
export const invalidRequest = (reason: string, id: RpcId = null, status = 400): RpcFault =>
  new RpcFault(status, RPC.invalidRequest, 'Invalid Request', { id, data: { reason } })

/** Returns the text of a JSON-RPC error for people: its reason where it has one. */
export function reasonOf(message: string, data: unknown): string {
  const { reason } = Object(data)
  return typeof reason === 'string' ? reason : message
}

/** A JSON-RPC error as text. */
export const rpcErrorText = (id: RpcId, code: number, message: string, data?: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } })

/**
 * The answer to anything thrown: JSON-RPC errors as they are; 401 and 429 as ErrorResponse `{error, message, code}` (specification
 * 2.8); what we did not foresee as an internal error that shows nothing.
 */
export function faultReply(answer: Answer, thrown: unknown): Reply {
  if (thrown instanceof RpcFault) {
    answer.failed(wordOf(thrown.code), reasonOf(thrown.message, thrown.details.data))
    if (thrown.details.headers) answer.add(thrown.details.headers)
    const { id = null, data } = thrown.details
    return answer.json(rpcErrorText(id, thrown.code, thrown.message, data), thrown.status)
  }
  const error = toServiceError(thrown)
  answer.failed(error.code, error.message, error.fields)
  if (error.headers) answer.add(error.headers)
  if (error.code === 'unauthorized' || error.code === 'rate_limited')
    return answer.json(JSON.stringify({ error: error.code, message: error.message, code: error.status }), error.status)
  if (isOurs(error)) logFault({ requestId: answer.requestId, operation: answer.endpoint }, thrown)
  const code = isOurs(error) ? RPC.internal : RPC.invalidRequest
  const message = isOurs(error) ? 'Internal error' : 'Invalid Request'
  return answer.json(
    rpcErrorText(null, code, message, { reason: error.message, requestId: answer.requestId }),
    error.status,
  )
}

const TEXTS: Record<(typeof RPC)[keyof typeof RPC], ErrorText> = {
  [RPC.parse]: { means: 'The body was no JSON.', next: 'Send one JSON-RPC message in UTF-8.' },
  [RPC.invalidRequest]: {
    means: 'The message is not one this server takes here.',
    next: 'The answer said why in `error.data.reason`.',
  },
  [RPC.methodNotFound]: {
    means: 'The protocol’s method is not known here.',
    next: 'Use those that the answer to `initialize` or `server/discover` offers; an MCP library does it by itself.',
  },
  [RPC.invalidParams]: {
    means: 'The parameters do not fit the method, or the tool is not there.',
    next: '`tools/list` has every tool with the schema of its arguments.',
  },
  [RPC.internal]: {
    means: 'Something failed on our side.',
    next: 'It is safe to try again. If it persists, give the operator the request id.',
  },
  [RPC.notAcceptable]: {
    means: 'The client does not accept what this server answers with.',
    next: 'Send `accept: application/json, text/event-stream`.',
  },
  [RPC.sessionNotFound]: {
    means: 'The session is unknown, over, or another key’s.',
    next: 'Begin a new one with `initialize`; clients do so by themselves.',
  },
  [RPC.resourceNotFound]: { means: 'There is no such resource.', next: '`resources/list` names those there are.' },
  [RPC.forbidden]: {
    means: 'The key may not do this, or the request came from a web page that is not ours.',
    next: 'Use a key with the scope the answer named.',
  },
}

const BY_WORD = new Map(Object.entries(TEXTS).map(([code, text]) => [wordOf(Number(code)), text]))

/** Explains a JSON-RPC error by its code word in the request log; undefined when it is not one of ours. */
export const faultText = (word: string): ErrorText | undefined => BY_WORD.get(word)
