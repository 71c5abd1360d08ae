import type { KeyActor } from '@/lib/auth/actor'
import type { ServiceError } from '@/lib/core/errors'
import { later } from '@/lib/core/later'
import { type Answer, type Reply, textOf } from '@/lib/http/answer'
import type { Answerer } from '@/lib/http/endpoint'
import { limitDocument } from '@/lib/http/limit'
import { logged } from '@/lib/http/logged'
import type { ServiceRequest } from '@/lib/http/request'
import { CALL, calledTool } from './called-tool'
import type { Caller } from './caller'
import { beginCall, CANCELLED, cancelCall } from './cancel'
import { Conversation } from './conversation'
import { elicitationIn } from './elicitation'
import { faultReply, RPC, RpcFault } from './fault'
import { admit, admitOrRefuse, type Message, readMessage, requireAccept } from './gate'
import { underPlainId } from './message-id'
import { LISTEN, requireParams, STATELESS_METHODS } from './methods'
import { isStateless } from './mode'
import { failedOf, noteMessage } from './note'
import { requireOwnOrigin } from './own-origin'
import { askOf, receiveAnswer, requestsOf } from './questions'
import { abilitiesIn, abilitiesInEnvelope } from './server-info'
import { answerInSession, type EngineAnswer } from './session-engine'
import {
  createSession,
  requireAgreed,
  requireSession,
  requireVersion,
  setSessionLevel,
  terminateSession,
} from './sessions'
import { consumeToolLimit } from './tool-limit'
import { clientNameIn, type ToolNames, toolNamesFor } from './tool-names'
import type { Tool } from './tools'

const MCP_METHODS = 'POST, GET, DELETE, OPTIONS'

const idOf = ({ id }: Message) => id ?? null

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

/**
 * The reply to a message: plain JSON, or a stream of events where something is told before the answer is there. One that its client has cancelled
 * gets none (MCP 2025-11-25, cancellation): 202, or the end of the stream.
 */
async function told(answer: Answer, conversation: Conversation, answering: Promise<EngineAnswer>): Promise<Reply> {
  const first = await Promise.race([answering, conversation.opened, conversation.ended])
  if (first === 'cancelled') return answer.empty(202)
  if (first !== 'opened') return reply(answer, first)
  const text = answering.then(
    (answered) => answered.text,
    (fault) => textOf(faultReply(answer, fault)),
  )
  const cancelled = conversation.ended.then(() => null)
  return answer.events(conversation.streamOf(Promise.race([text, cancelled])))
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

/** A message that is admitted: its sender, what it calls, and the refusal where its key is over its own limit. */
type Admitted = {
  request: ServiceRequest
  answer: Answer
  actor: KeyActor
  message: Message
  tool: Tool | undefined
  overOwn: ServiceError | undefined
}

const callerOf = ({ actor, answer }: Admitted, names: ToolNames, more: Partial<Caller> = {}): Caller => ({
  actor,
  names,
  requestId: answer.requestId,
  failed: failedOf(answer),
  ...more,
})

/** Returns the refusal of a call that is over a limit, and counts it against the tool's. */
const refusalOf = async ({ overOwn, tool, actor, answer }: Admitted): Promise<ServiceError | undefined> =>
  overOwn ?? consumeToolLimit(tool, actor, answer)

/** Answers a message of the stateless revision. It needs no session, but one that is named must exist (specification 3.3). */
async function withoutSession(admitted: Admitted, named: string | null): Promise<Reply> {
  const { request, answer, actor, message } = admitted
  answer.timed.gone = () => request.gone()
  if (named !== null) await requireSession(actor, named, idOf(message))
  const refused = await refusalOf(admitted)
  const conversation = new Conversation(message.params, null)
  const names = toolNamesFor(request, clientNameIn(message.params))
  const { rendersApps } = abilitiesInEnvelope(message.params)
  const asked = elicitationIn(message.params)
  const caller = callerOf(admitted, names, { refused, conversation, rendersApps, asked })
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

/** Answers a message in the session that it names. */
async function inSession(admitted: Admitted, named: string | null): Promise<Reply> {
  const { request, answer, actor, message } = admitted
  const session = await requireSession(actor, named, idOf(message))
  requireVersion(request, session, idOf(message))
  const { id, protocolVersion, clientName, logLevel } = session
  answer.add({ 'mcp-protocol-version': protocolVersion })
  if (message.method === undefined) {
    await receiveAnswer(message, id)
    return answer.empty(202)
  }
  if (message.method === CANCELLED) cancelCall(id, message)
  const refused = await refusalOf(admitted)
  const call = beginCall(id, idOf(message))
  // In a session a closed connection is no wish to cancel.
  answer.timed.gone = () => call.cancelled
  const conversation = new Conversation(message.params, logLevel, call.cancelled)
  const setLevel = (level: string) => setSessionLevel(id, level)
  const { rendersApps, showsForms } = abilitiesIn(session.clientCapabilities)
  const requests = requestsOf(id, conversation)
  const ask = showsForms ? askOf(protocolVersion, requests) : undefined
  const subscriptions = {
    add: async (uri: string) => (await subscribing()).subscribe(id, actor, uri),
    remove: async (uri: string) => (await subscribing()).unsubscribe(id, uri),
  }
  const of = { refused, conversation, setLevel, rendersApps, requests, ask, subscriptions }
  const caller = callerOf(admitted, toolNamesFor(request, clientName), of)
  const answering = underPlainId(message, (plain) => answerInSession(plain, caller)).finally(call.end)
  return told(answer, conversation, answering)
}

async function post(request: ServiceRequest, answer: Answer): Promise<Reply> {
  const { actor, refused: overOwn } = await admitOrRefuse(request, answer)
  requireAccept(request)
  const message = await readMessage(request)
  if (overOwn && message.method !== CALL) throw overOwn
  const tool = await calledTool(message)
  noteMessage(answer, message, tool)
  const isModern = await isStateless(request.headers, message)
  // What the stateless revision removed is no method of it, whatever its parameters are.
  if (!isModern || STATELESS_METHODS.some(({ name }) => name === message.method)) requireParams(message)
  const named = request.headers.get('mcp-session-id')
  const admitted = { request, answer, actor, message, tool, overOwn }
  if (isModern) return withoutSession(admitted, named)
  if (message.method === 'initialize') return initialize(answer, callerOf(admitted, 'own'), message, named)
  return inSession(admitted, named)
}

async function end(request: ServiceRequest, answer: Answer): Promise<Reply> {
  const actor = await admit(request, answer)
  const session = await requireSession(actor, request.headers.get('mcp-session-id'))
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

/** Answers `/mcp`: the streamable HTTP transport (specification 4.4, MCP 2025-11-25), and the stateless revision on the same URL. */
export const streamableHttp: Answerer = logged('mcp', async (request, answer) => {
  try {
    requireOwnOrigin(request)
    if (request.method === 'POST') return await post(request, answer)
    if (request.method === 'GET') return await (await streaming()).openStream(request, answer)
    if (request.method === 'DELETE') return await end(request, answer)
    limitDocument('mcp', request)
    if (request.method === 'OPTIONS') {
      answer.add({ allow: MCP_METHODS })
      return answer.empty(204)
    }
    throw notAllowed(request.method)
  } catch (error) {
    return faultReply(answer, error)
  }
})
