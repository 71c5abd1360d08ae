import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js'
import type { KeyActor } from '@/lib/auth/actor'
import type { Answer, Reply } from '@/lib/http/answer'
import type { Answerer } from '@/lib/http/endpoint'
import { logged } from '@/lib/http/logged'
import type { ServiceRequest } from '@/lib/http/request'
import { faultReply, invalidRequest, RPC, RpcFault, type RpcId } from './fault'
import { admit, type Message, readMessage, requireAccept } from './gate'
import { requireParams } from './methods'
import { failedOf, noteMessage } from './note'
import { requireOwnOrigin } from './own-origin'
import { answerInSession, type EngineAnswer } from './session-engine'
import { createSession, requireSession, terminateSession } from './sessions'
import { answerStateless, isStateless } from './stateless-engine'
import { takeToolLimit } from './tool-limit'
import { clientNameIn, toolNamesFor } from './tool-names'

export const MCP_METHODS = 'POST, DELETE, OPTIONS'

const idOf = ({ id }: Message) => id ?? null

/**
 * Converts an engine's response. Both engines answer errors with 200; the error itself says which status applies (specification
 * 7.3).
 */
function reply(answer: Answer, { status, text }: EngineAnswer): Reply {
  return text === null ? answer.empty(status) : answer.json(text, answer.faultStatus ?? status)
}

/** Initializes a client: returns the SDK's answer to `initialize`, and opens a session with the version both support. */
async function initialize(answer: Answer, actor: KeyActor, message: Message): Promise<Reply> {
  const answered = await answerInSession(message, { actor, names: 'own', failed: failedOf(answer) })
  const { result } = JSON.parse(answered.text ?? '{}')
  if (result !== undefined) {
    const { protocolVersion } = result
    answer.add({
      'mcp-session-id': await createSession(actor, protocolVersion, message.params),
      'mcp-protocol-version': protocolVersion,
    })
  }
  return reply(answer, answered)
}

/** The version in a request must be one we support. Without it the session's applies, because the first clients never sent it. */
function requireVersion(request: ServiceRequest, session: { protocolVersion: string }, id: RpcId): string {
  const named = request.headers.get('mcp-protocol-version')
  if (named === null) return session.protocolVersion
  if (SUPPORTED_PROTOCOL_VERSIONS.includes(named)) return named
  throw invalidRequest(
    `Mcp-Protocol-Version ${named.slice(0, 40)} is not spoken here. Send ${session.protocolVersion}, which was agreed on.`,
    id,
  )
}

async function post(request: ServiceRequest, answer: Answer): Promise<Reply> {
  const actor = await admit(request, answer)
  requireAccept(request)
  const { message, text } = await readMessage(request)
  noteMessage(answer, message)
  requireParams(message)
  if (message.method === 'initialize') return initialize(answer, actor, message)
  const named = request.headers.get('mcp-session-id')
  if (await isStateless(request.headers, message, text)) {
    // This needs no session, but one that is named must exist (specification 3.3).
    if (named !== null) await requireSession(actor, named, idOf(message))
    const limited = takeToolLimit(message, actor, answer)
    if (limited) await limited
    const names = toolNamesFor(request, clientNameIn(message.params))
    return reply(answer, await answerStateless({ actor, names, failed: failedOf(answer) }, request.headers, text))
  }
  const session = await requireSession(actor, named, idOf(message))
  const version = requireVersion(request, session, idOf(message))
  answer.add({ 'mcp-protocol-version': session.protocolVersion })
  const limited = takeToolLimit(message, actor, answer)
  if (limited) await limited
  const names = toolNamesFor(request, session.clientName)
  return reply(answer, await answerInSession(message, { actor, names, failed: failedOf(answer) }, version))
}

async function end(request: ServiceRequest, answer: Answer): Promise<Reply> {
  const actor = await admit(request, answer)
  const { headers } = request
  for (const name of ['Mcp-Session-Id', 'Mcp-Protocol-Version'])
    if (headers.get(name.toLowerCase()) === null)
      throw invalidRequest(`${name} is missing; to end a session send both headers.`)
  const session = await requireSession(actor, headers.get('mcp-session-id'))
  requireVersion(request, session, null)
  await terminateSession(session.id)
  return answer.json('{"status":"terminated"}')
}

const notAllowed = (method: string) =>
  new RpcFault(405, RPC.invalidRequest, 'Invalid Request', {
    data: {
      reason: `${method} is not taken here; no stream is offered. Send messages by POST, end a session by DELETE.`,
    },
    headers: { allow: MCP_METHODS },
  })

/** `/mcp`: the streamable HTTP transport (specification 4.4, MCP 2025-11-25), and the stateless revision on the same URL. */
export const streamableHttp: Answerer = logged('mcp', async (request, answer) => {
  try {
    requireOwnOrigin(request)
    if (request.method === 'OPTIONS') {
      answer.add({ allow: MCP_METHODS })
      return answer.empty(204)
    }
    if (request.method === 'POST') return await post(request, answer)
    if (request.method === 'DELETE') return await end(request, answer)
    throw notAllowed(request.method)
  } catch (error) {
    return faultReply(answer, error)
  }
})
