import type { KeyActor } from '@/lib/auth/actor'
import { later } from '@/lib/core/later'
import { type Answer, type Reply, textOf } from '@/lib/http/answer'
import type { Answerer } from '@/lib/http/endpoint'
import { logged } from '@/lib/http/logged'
import type { ServiceRequest } from '@/lib/http/request'
import { calledTool } from './called-tool'
import type { Caller } from './caller'
import { abilitiesIn, abilitiesInEnvelope } from './capabilities'
import { Conversation } from './conversation'
import { askedIn } from './elicitation'
import { faultReply, invalidRequest, RPC, RpcFault } from './fault'
import { admit, type Message, readMessage, requireAccept } from './gate'
import { underPlainId } from './message-id'
import { LISTEN, requireParams, STATELESS_METHODS } from './methods'
import { isStateless } from './mode'
import { failedOf, noteMessage } from './note'
import { requireOwnOrigin } from './own-origin'
import { askOf, requestsOf, takeAnswer } from './questions'
import { answerInSession, type EngineAnswer } from './session-engine'
import {
  createSession,
  recentSession,
  requireAgreed,
  requireSession,
  requireVersion,
  setSessionLevel,
  terminateSession,
} from './sessions'
import { takeToolLimit } from './tool-limit'
import { clientNameIn, type ToolNames, toolNamesFor } from './tool-names'
import type { Tool } from './tools'

const MCP_METHODS = 'POST, GET, DELETE, OPTIONS'

const idOf = ({ id }: Message) => id ?? null

/** Whether a tool changes nothing and counts nowhere else. */
const isReading = (tool: Tool | undefined): boolean =>
  tool?.annotations.readOnlyHint === true && tool.operation.limit === undefined

// What a session opens without: the SDK of the other revision, and streams, which come with the records that they tell of.
const stateless = later(() => import('./stateless-engine'))
const listening = later(() => import('./listen'))
const streaming = later(() => import('./open-stream'))
const subscribing = later(() => import('./subscribe'))

/**
 * Converts an engine's response. Both engines answer errors with 200; the error itself says which status applies (specification
 * 7.3).
 */
function reply(answer: Answer, { status, text, type }: EngineAnswer): Reply {
  if (type !== undefined) answer.add({ 'content-type': type })
  return text === null ? answer.empty(status) : answer.json(text, answer.faultStatus ?? status)
}

/** The reply to a message: plain JSON, or a stream of events where something is told before the answer is there. */
async function told(answer: Answer, conversation: Conversation, answering: Promise<EngineAnswer>): Promise<Reply> {
  const first = await Promise.race([answering, conversation.opened])
  if (first !== 'opened') return reply(answer, first)
  const text = answering.then(
    (answered) => answered.text,
    (fault) => textOf(faultReply(answer, fault)),
  )
  return answer.events(conversation.streamOf(text))
}

/**
 * Initializes a client: returns the SDK's answer to `initialize`, and opens a session with the version both support. One that names a
 * session is answered in it: the session must exist, and its version holds.
 */
async function initialize(answer: Answer, caller: Caller, message: Message, named: string | null): Promise<Reply> {
  const session = named === null ? undefined : await requireSession(caller.actor, named, idOf(message))
  const answered = await underPlainId(message, (plain) => answerInSession(plain, caller))
  const { result } = JSON.parse(answered.text ?? '{}')
  if (result !== undefined) {
    const { protocolVersion } = result
    if (session) requireAgreed(protocolVersion, session, idOf(message))
    const id = session?.id ?? (await createSession(caller.actor, protocolVersion, message.params))
    answer.add({ 'mcp-session-id': id, 'mcp-protocol-version': protocolVersion })
  }
  return reply(answer, answered)
}

async function post(request: ServiceRequest, answer: Answer): Promise<Reply> {
  const actor = await admit(request, answer)
  requireAccept(request)
  const message = await readMessage(request)
  const tool = await calledTool(message)
  noteMessage(answer, message, tool)
  const isModern = await isStateless(request.headers, message)
  // What the stateless revision removed is no method of it, whatever its parameters are.
  if (!isModern || STATELESS_METHODS.some(({ name }) => name === message.method)) requireParams(message)
  const named = request.headers.get('mcp-session-id')
  const of = (names: ToolNames, more: Partial<Caller> = {}): Caller => ({
    actor,
    names,
    requestId: answer.requestId,
    failed: failedOf(answer),
    ...more,
  })
  if (message.method === 'initialize' && !isModern) return initialize(answer, of('own'), message, named)
  if (isModern) {
    // This needs no session, but one that is named must exist (specification 3.3).
    if (named !== null) await requireSession(actor, named, idOf(message))
    const limited = takeToolLimit(tool, actor, answer)
    if (limited) await limited
    const conversation = new Conversation(message.params, null)
    const names = toolNamesFor(request, clientNameIn(message.params))
    const { rendersApps } = abilitiesInEnvelope(message.params)
    const caller = of(names, { conversation, rendersApps, asked: askedIn(message.params) })
    if (message.method === LISTEN) {
      const { listen } = await listening()
      return listen(caller, request, answer, message, (answered) => reply(answer, answered))
    }
    const { answerStateless } = await stateless()
    return told(
      answer,
      conversation,
      underPlainId(message, (plain) => answerStateless(caller, request.headers, plain)),
    )
  }
  const checked = requireSession(actor, named, idOf(message))
  // A call that only reads begins beside the check of its session: both statements go to the database together.
  const session = (isReading(tool) ? recentSession(actor, named) : undefined) ?? (await checked)
  const answered = answerIn(session, { request, answer, actor, message, tool, of })
  answered.catch(() => {})
  await checked
  return answered
}

type InSession = {
  request: ServiceRequest
  answer: Answer
  actor: KeyActor
  message: Message
  tool: Tool | undefined
  of(names: ToolNames, more: Partial<Caller>): Caller
}

/** Answers a message in its session. */
async function answerIn(
  session: Awaited<ReturnType<typeof requireSession>>,
  { request, answer, actor, message, tool, of }: InSession,
): Promise<Reply> {
  requireVersion(request, session, idOf(message))
  const { id, protocolVersion, clientName, logLevel } = session
  answer.add({ 'mcp-protocol-version': protocolVersion })
  if (message.method === undefined) {
    await takeAnswer(message, id)
    return answer.empty(202)
  }
  const limited = takeToolLimit(tool, actor, answer)
  if (limited) await limited
  const conversation = new Conversation(message.params, logLevel)
  const setLevel = (level: string) => setSessionLevel(id, level)
  const { rendersApps, showsForms } = abilitiesIn(session.clientCapabilities)
  const requests = requestsOf(id, conversation)
  const ask = showsForms ? askOf(protocolVersion, requests) : undefined
  const subscriptions = {
    add: async (uri: string) => (await subscribing()).subscribe(id, actor, uri),
    remove: async (uri: string) => (await subscribing()).unsubscribe(id, uri),
  }
  const inSession = { conversation, setLevel, rendersApps, requests, ask, subscriptions }
  const caller = of(toolNamesFor(request, clientName), inSession)
  return told(
    answer,
    conversation,
    underPlainId(message, (plain) => answerInSession(plain, caller)),
  )
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
      reason: `${method} is not taken here. Send messages by POST, open a session’s stream of notifications by GET, end a session by DELETE.`,
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
    if (request.method === 'GET') return await (await streaming()).openStream(request, answer)
    if (request.method === 'DELETE') return await end(request, answer)
    throw notAllowed(request.method)
  } catch (error) {
    return faultReply(answer, error)
  }
})
