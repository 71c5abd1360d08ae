import { headerRefs, RATE_HEADERS } from '@/lib/http/openapi/headers'
import { type Json, ref } from '@/lib/http/openapi/schema'
import type { Tool } from '../tools'
import { callOf, INITIALIZE } from './connection'
import { PROTOCOL_VERSIONS } from './protocol'
import type { Site } from './site'

const json = (name: string, example: unknown): Json => ({
  'application/json': { schema: ref('schemas', name), example },
})

const RATE = headerRefs(RATE_HEADERS)
const LIMITED = headerRefs([...RATE_HEADERS, 'Retry-After'])

const SESSION_ID = { name: 'Mcp-Session-Id', in: 'header', schema: { type: 'string', maxLength: 200 } }
const LAST_EVENT_ID = { name: 'Last-Event-ID', in: 'header', schema: { type: 'string', maxLength: 200 } }
const PROTOCOL = {
  name: 'Mcp-Protocol-Version',
  in: 'header',
  schema: { type: 'string', enum: PROTOCOL_VERSIONS },
}

/** Errors in JSON-RPC format (specification 7.3). */
const rpcError = (description: string): Json => ({
  description,
  headers: RATE,
  content: { 'application/json': { schema: ref('schemas', 'JsonRpcResponse') } },
})

/** Responses with an ErrorResponse body (specification 7.3). */
const keyErrors = (): Json => ({
  401: {
    description: 'The key is missing or not valid',
    headers: RATE,
    content: json('ErrorResponse', {
      error: 'unauthorized',
      message: 'A valid API key is needed. Send it as `X-API-Key`.',
      code: 401,
    }),
  },
  429: {
    description: 'Too many requests, or too many open streams; wait for `Retry-After` seconds',
    headers: LIMITED,
    content: json('ErrorResponse', {
      error: 'rate_limited',
      message: 'Too many requests in a minute. Wait 12 s, then go on.',
      code: 429,
    }),
  },
})

const sessionErrors = (): Json => ({
  400: rpcError('Not a message, a header is missing, or a version that is not the session’s'),
  403: rpcError(
    'The session belongs to another key or contractor, the Origin is foreign, or the key lacks a tool’s scope',
  ),
  404: rpcError('There is no such session, it has ended, or, without a session, there is no such method'),
})

/** Errors in the format of the data API, from before a message is read. */
const publicError = (description: string): Json => ({
  description,
  headers: RATE,
  content: { 'application/json': { schema: ref('schemas', 'PublicError') } },
})

/**
 * Returns the errors that any of these endpoints may answer, whatever is sent: the body did not arrive, another host, a fault of ours, too
 * many requests.
 */
const serverErrors = (): Json => ({
  408: publicError('The body did not arrive in time'),
  421: publicError('The MCP server is not on this host; the message says where it is'),
  500: rpcError('Something failed before the message could be answered; afterwards a fault is code -32603 under 200'),
  503: publicError('The server holds as many bodies as it can; wait for `Retry-After` seconds'),
})

const tooLarge = (): Json => ({
  413: rpcError('The body is larger than 1 MB'),
  415: rpcError('The body is not sent as application/json'),
})

/** The answer to OPTIONS. Every other method that is not described is 405. */
const optionsOf = (name: string, methods: string): Json => ({
  options: {
    operationId: `options_${name}`,
    summary: 'Which methods are taken; any other is 405',
    description: 'For pages of this service, which ask before they send; for everyone, without a key.',
    tags: ['messages'],
    security: [],
    responses: {
      204: { description: `Allow: ${methods}` },
      403: rpcError('The Origin is foreign'),
      500: ref('responses', 'Internal'),
    },
  },
})

/** Describes `/mcp` and `/mcp/rpc` (specification 4.4). */
export function messagePaths({ rate }: Site, [first]: readonly Tool[]): Json {
  const request = first ? callOf(first) : { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
  const content = first ? [{ type: 'text', text: JSON.stringify(first.operation.example) }] : []
  const answered = { jsonrpc: '2.0', id: 1, result: { content } }
  return {
    '/mcp': {
      post: {
        operationId: 'post_message',
        summary: 'Open a session, or send a message in one',
        description: `Accept must name both application/json and text/event-stream. ${rate} requests per minute and key.`,
        tags: ['messages'],
        parameters: [
          { ...SESSION_ID, required: false, description: 'Absent on initialize; required afterwards' },
          { ...PROTOCOL, required: false, description: 'The negotiated version, after initialize' },
        ],
        requestBody: { required: true, content: json('McpMessage', INITIALIZE) },
        responses: {
          200: {
            description: 'The answer; to initialize it carries the session’s headers',
            headers: {
              ...RATE,
              'Mcp-Session-Id': { schema: { type: 'string' } },
              'Mcp-Protocol-Version': { schema: { type: 'string' } },
            },
            content: {
              ...json('JsonRpcResponse', answered),
              'text/event-stream': {
                schema: {
                  type: 'string',
                  description: 'Progress or log messages that were asked for, then the answer',
                },
              },
            },
          },
          202: { description: 'The notification is accepted', headers: RATE },
          ...sessionErrors(),
          406: rpcError('Accept does not name both types'),
          ...tooLarge(),
          ...keyErrors(),
          ...serverErrors(),
        },
      },
      get: {
        operationId: 'open_stream',
        summary: 'Open the stream on which a session is told of changes',
        description:
          'Sends notifications/resources/updated for what the session subscribed to. The newest stream counts.',
        tags: ['messages'],
        parameters: [
          { ...SESSION_ID, required: true, description: 'The session' },
          { ...PROTOCOL, required: false, description: 'Its negotiated version' },
          {
            ...LAST_EVENT_ID,
            required: false,
            description: 'The id of the last event received, to be told what changed since',
          },
        ],
        responses: {
          200: {
            description: 'Events, until the client goes, the key or the session ends, or an hour is over',
            headers: { ...RATE, 'Mcp-Protocol-Version': { schema: { type: 'string' } } },
            content: { 'text/event-stream': { schema: { type: 'string', description: 'JSON-RPC notifications' } } },
          },
          ...sessionErrors(),
          406: rpcError('Accept does not name text/event-stream'),
          ...keyErrors(),
          ...serverErrors(),
        },
      },
      delete: {
        operationId: 'end_session',
        summary: 'End a session',
        description: 'Ends its streams and its subscriptions. A session also ends by itself when it is left alone.',
        tags: ['messages'],
        parameters: [
          { ...SESSION_ID, required: true, description: 'The session to end' },
          {
            ...PROTOCOL,
            required: true,
            description:
              'Its negotiated version; a session of 2025-03-26 or older, which has no such header, ends without it',
          },
        ],
        responses: {
          200: { description: 'The session has ended', headers: RATE },
          ...sessionErrors(),
          ...keyErrors(),
          ...serverErrors(),
        },
      },
      ...optionsOf('mcp', 'POST, GET, DELETE, OPTIONS'),
    },
    '/mcp/rpc': {
      post: {
        operationId: 'post_request',
        summary: 'One request without a session',
        description: `For programs that call single tools; notifications and batches are refused. ${rate} requests per minute and key.`,
        tags: ['messages'],
        requestBody: { required: true, content: json('JsonRpcRequest', request) },
        responses: {
          200: { description: 'The answer', headers: RATE, content: json('JsonRpcResponse', answered) },
          400: rpcError('Not a request of this form'),
          403: rpcError('The key lacks the tool’s scope, or the Origin is foreign'),
          ...tooLarge(),
          ...keyErrors(),
          ...serverErrors(),
        },
      },
      ...optionsOf('rpc', 'POST, OPTIONS'),
    },
  }
}
