import { createMcpHandler } from 'mcp-handler'
import { derived } from '@/lib/core/shared'
import type { Caller } from './caller'
import type { Message } from './gate'
import type { listTools } from './listed-tools'
import { STATELESS_METHODS } from './methods'
import { webRequest } from './mode'
import { protocolErrorOf } from './rpc-error'
import { CACHE_HINTS, CAPABILITIES, instructions, officeText, SERVER_INFO } from './server-info'
import type { EngineAnswer } from './session-engine'

/** The caller that a request passes to its handlers. */
const callers = new WeakMap<object, Caller>()

function callerOf(authInfo: object | undefined): Caller {
  const caller = authInfo && callers.get(authInfo)
  if (!caller) throw new Error('a request reached the stateless engine without its caller')
  return caller
}

/**
 * The handler of this process, which creates a server for each request. It holds no stream: a subscription is told at once that nothing is
 * sent, and ends.
 */
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

/** Adds what an agent is told of its office to an answer with instructions, which one server says to every office. */
async function withOffice(text: string, { actor }: Caller): Promise<string> {
  const answer = JSON.parse(text)
  if (answer.result?.instructions === undefined) return text
  answer.result.instructions += `\n${await officeText(actor)}`
  return JSON.stringify(answer)
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
  const text = await response.text()
  const answer = message.method === 'server/discover' && response.ok ? await withOffice(text, caller) : text
  const type = response.headers.get('content-type') ?? ''
  return {
    status: response.status,
    text: answer === '' ? null : answer,
    ...(type.startsWith('text/event-stream') ? { type } : {}),
  }
}
