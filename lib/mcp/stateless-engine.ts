import { isLegacyRequest } from '@modelcontextprotocol/server'
import { createMcpHandler } from 'mcp-handler'
import { derived } from '@/lib/runtime/runtime'
import type { Caller } from './caller'
import type { Message } from './gate'
import type { listTools } from './listed-tools'
import { STATELESS_METHODS } from './methods'
import { protocolErrorOf } from './rpc-error'
import { CACHE_HINTS, CAPABILITIES, instructions, SERVER_INFO } from './server-info'
import type { EngineAnswer } from './session-engine'

/** What a request passes to its handlers. */
const callers = new WeakMap<object, Caller>()

function callerOf(authInfo: object | undefined): Caller {
  const caller = authInfo && callers.get(authInfo)
  if (!caller) throw new Error('a request reached the stateless engine without its caller')
  return caller
}

/** One handler per process, which creates a server for each request. It holds no stream: a subscription is told at once that nothing is sent, and ends. */
const statelessHandler = derived((): ((request: Request) => Promise<Response>) =>
  createMcpHandler(
    ({ server }) => {
      for (const { name, handle } of STATELESS_METHODS)
        server.setRequestHandler(name as 'tools/list', async ({ params = {} }, ctx) => {
          const caller = callerOf(ctx.http?.authInfo)
          try {
            return (await handle(caller, params)) as ReturnType<typeof listTools>
          } catch (thrown) {
            throw protocolErrorOf(thrown, caller)
          }
        })
    },
    {
      serverInfo: SERVER_INFO,
      capabilities: CAPABILITIES,
      cacheHints: CACHE_HINTS,
      instructions: instructions(),
      maxSubscriptions: 1,
      telemetry: false,
    },
  ),
)

function webRequest(headers: { get(name: string): string | null }, message: Message): Request {
  const forwarded = ['mcp-protocol-version', 'mcp-method', 'mcp-name'].flatMap((name) => {
    const value = headers.get(name)
    return value === null ? [] : [[name, value]]
  })
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...Object.fromEntries(forwarded),
    },
    body: JSON.stringify(message),
  })
}

/** The metadata field that marks that revision's envelope. */
const ENVELOPE = 'io.modelcontextprotocol/protocolVersion'

/** A cheap check, so that requests in session mode are not built a second time just to classify them. */
function mayBeStateless(headers: { get(name: string): string | null }, { params }: Message): boolean {
  const version = headers.get('mcp-protocol-version')
  const meta = Object(Object(params)._meta)
  return ENVELOPE in meta || headers.get('mcp-method') !== null || (version !== null && version >= '2026')
}

/** Whether a message uses the stateless revision (2026-07-28), recognized by its envelope. */
export async function isStateless(headers: { get(name: string): string | null }, message: Message): Promise<boolean> {
  if (!mayBeStateless(headers, message)) return false
  return !(await isLegacyRequest(webRequest(headers, message), message))
}

/** Answers one message of the stateless revision with mcp-handler. */
export async function answerStateless(
  caller: Caller,
  headers: { get(name: string): string | null },
  message: Message,
): Promise<EngineAnswer> {
  const { actor } = caller
  const auth = { token: '', clientId: actor.keyId, scopes: [...actor.scopes] }
  callers.set(auth, caller)
  const response = await statelessHandler()(Object.assign(webRequest(headers, message), { auth }))
  const answer = await response.text()
  const type = response.headers.get('content-type') ?? ''
  return {
    status: response.status,
    text: answer === '' ? null : answer,
    ...(type.startsWith('text/event-stream') ? { type } : {}),
  }
}
