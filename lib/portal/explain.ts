import type { ProtocolMode } from './connection'
import type { Exchange } from './exchange'
import { isObject, parseJson } from './json'

/** A failure explained to a person: what happened, why, what to do next, what the server said, and its id for this request. */
export type Explanation = { what: string; why: string; next: string; said?: string; requestId?: string }

type Sentences = Pick<Explanation, 'what' | 'why' | 'next'>

const UNREACHABLE: Sentences = {
  what: 'The server could not be reached.',
  why: 'There was no response: the network is down, the server is stopped, or a proxy refused the request.',
  next: 'Check that the service is running (see /health), then try again.',
}

const wait = ({ headers }: Exchange) => `Wait ${headers['retry-after'] ?? '60'} s, then try again.`

const BY_STATUS: Record<number, (exchange: Exchange) => Sentences> = {
  401: () => ({
    what: 'The key was not accepted.',
    why: 'It is mistyped, revoked, expired, or belongs to another server.',
    next: 'Paste the whole key again. If it still fails, ask an administrator for a new key.',
  }),
  403: () => ({
    what: 'The server refused this.',
    why: 'The key lacks a permission, the session belongs to another key, or this page’s address is not allowed.',
    next: 'Open the console at the server’s own address, and use a key with the scopes you need.',
  }),
  404: ({ requestHeaders }) =>
    requestHeaders['mcp-session-id']
      ? {
          what: 'The session has ended.',
          why: 'Sessions expire after a day without use, after a week, or when their key is revoked.',
          next: 'Connect again. The key is still here.',
        }
      : {
          what: 'There is no MCP server at this address.',
          why: 'The server answered, but has nothing at this path.',
          next: 'Open the console at the address of the MCP server.',
        },
  413: () => ({
    what: 'The call is too large.',
    why: 'A request can be up to 1 MB.',
    next: 'Split it into several calls.',
  }),
  429: (exchange) => ({
    what: 'Too many requests.',
    why: 'The key has reached its rate limit for this minute.',
    next: wait(exchange),
  }),
}

const OUR_FAULT: Sentences = {
  what: 'The server failed.',
  why: 'The error is on the server’s side, not in your call.',
  next: 'Try again in a moment. If it happens again, report the request id.',
}

/** JSON-RPC errors by code (JSON-RPC 2.0, section 5.1, and MCP’s own). */
const BY_CODE: Record<number, Sentences> = {
  [-32601]: {
    what: 'The server does not know this method.',
    why: 'It does not offer this method, or not in this protocol mode.',
    next: 'Connect again to see what it offers.',
  },
  [-32602]: {
    what: 'The server refused the arguments.',
    why: 'A value does not match the tool’s schema, or this key may not use the tool.',
    next: 'Compare the values with the input schema, then call again.',
  },
  [-32603]: OUR_FAULT,
}

const noStateless: Sentences = {
  what: 'Could not connect in stateless mode.',
  why: 'The server does not support revision 2026-07-28, or sent an unexpected response.',
  next: 'Choose sessions and connect again.',
}

type Said = { text: string | undefined; code: number | undefined }

/** Returns the server's message and code from a JSON-RPC error or an ErrorResponse. */
function saidIn({ body }: Exchange): Said {
  const json = parseJson(body)
  if (!isObject(json)) return { text: undefined, code: undefined }
  const error = isObject(json.error) ? json.error : json
  const reason = isObject(error.data) ? error.data.reason : undefined
  const texts = isObject(json.error) ? [error.message, reason] : [json.message ?? json.error]
  return {
    text: texts.filter((part) => typeof part === 'string' && part !== '').join(': ') || undefined,
    code: typeof error.code === 'number' ? error.code : undefined,
  }
}

function explainWith(exchange: Exchange, code: number | undefined, connecting: ProtocolMode | undefined): Sentences {
  const byStatus = BY_STATUS[exchange.status]
  if (byStatus) return byStatus(exchange)
  if (exchange.status >= 500) return OUR_FAULT
  if (connecting === 'stateless') return noStateless
  return (
    BY_CODE[code ?? 0] ?? {
      what: 'The server refused the request.',
      why:
        exchange.status === 200
          ? 'The response does not follow the protocol.'
          : `The response has status ${exchange.status}.`,
      next: 'Read its message, fix the call, and try again.',
    }
  )
}

/**
 * Explains a failure by its response.
 * @param exchange the response, or undefined when there was none
 * @param connecting the protocol mode, when connecting failed
 */
export function explain(exchange: Exchange | undefined, error: unknown, connecting?: ProtocolMode): Explanation {
  if (!exchange) return UNREACHABLE
  const { text, code } = saidIn(exchange)
  const said = text ?? (error instanceof Error ? error.message : undefined)
  const requestId = exchange.headers['x-request-id']
  return { ...explainWith(exchange, code, connecting), ...(said ? { said } : {}), ...(requestId ? { requestId } : {}) }
}
