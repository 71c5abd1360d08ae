import { randomBytes } from 'node:crypto'
import { database, patiently } from '@/db/client'
import { answerQuestion, answerTo, closeQuestion, openQuestion } from '@/db/queries/mcp-sessions'
import { aside } from '@/lib/core/parts'
import { shared } from '@/lib/core/shared'
import { stopping } from '@/lib/core/stopping'
import type { Conversation } from './conversation'
import type { AskPerson } from './elicitation'
import type { Message } from './gate'

/**
 * The time a tool waits for a person, and the intervals at which it looks for the answer and reports that it still waits. Vercel ends a
 * function after 60 s (vercel.json), and client libraries by default give up on a call as early.
 */
export const WAIT = { forMs: 50_000, lookMs: 1_000, sayMs: 15_000 }

/** The most questions that wait in one process; a tool beyond them answers with what it knows. */
const MOST_WAITING = 100

/** The longest answer that is kept, as JSON text: a form has a few fields. */
const MOST_CHARACTERS = 10_000

/** The first revision in which a server may ask, and the first in which a form says that it is one. */
const ASKS_SINCE = '2025-06-18'
const MODES_SINCE = '2025-11-25'

/** The waiting calls of this process, by the id of the question. */
const waiting = shared<Map<string, () => void>>('mcpQuestions', () => new Map())

/** Waits until the answer may be there: it came to this process, or it is time to look; or nobody waits for it any more. */
function nextLook(id: string, cancelled: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer)
      cancelled.removeEventListener('abort', go)
      resolve()
    }
    const timer = setTimeout(go, WAIT.lookMs)
    cancelled.addEventListener('abort', go)
    waiting().set(id, go)
  })
}

async function awaited(id: string, conversation: Conversation): Promise<unknown> {
  const began = performance.now()
  let said = began
  const { cancelled } = conversation
  const isOver = () => stopping().aborted || cancelled.aborted
  for (let now = began; now - began < WAIT.forMs && !isOver(); now = performance.now()) {
    await nextLook(id, cancelled)
    const answer = await answerTo(await database(), id)
    if (answer !== null) return answer
    if (performance.now() - said < WAIT.sayMs) continue
    said = performance.now()
    conversation.keepOpen()
  }
  return undefined
}

/** Sends a session's client a request while a call runs, and returns what it answers; undefined when no answer comes. */
export type Requests = (method: string, params: object) => Promise<unknown>

/**
 * Returns the function that asks a session's client: on the stream of the call that asks. The answer is a request of its own, which any
 * instance may receive.
 */
export const requestsOf =
  (sessionId: string, conversation: Conversation): Requests =>
  async (method, params) => {
    if (conversation.cancelled.aborted || waiting().size >= MOST_WAITING) return undefined
    const id = `ask_${randomBytes(16).toString('base64url')}`
    await patiently((orm) => openQuestion(orm, id, sessionId))
    waiting().set(id, () => {})
    try {
      conversation.request(id, method, params)
      return await aside('ask the person', () => awaited(id, conversation))
    } finally {
      waiting().delete(id)
      await patiently((orm) => closeQuestion(orm, id))
    }
  }

/** Returns the function that asks a session's person by a form; undefined for a revision in which servers do not ask. */
export function askOf(protocolVersion: string, request: Requests): AskPerson | undefined {
  if (protocolVersion < ASKS_SINCE) return undefined
  const mode = protocolVersion < MODES_SINCE ? {} : { mode: 'form' }
  return (form) => request('elicitation/create', { ...mode, ...form })
}

/** Takes a client's answer to a question of ours. One that nobody asked, or that is an error, is no answer. */
export async function receiveAnswer({ id, result }: Message, sessionId: string): Promise<void> {
  if (typeof id !== 'string' || id.length > 100) return
  const json = JSON.stringify(result ?? {})
  await answerQuestion(await database(), id, sessionId, json.length <= MOST_CHARACTERS ? json : '{}')
  waiting().get(id)?.()
}
