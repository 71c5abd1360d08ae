import type { Message } from './gate'
import type { EngineAnswer } from './session-engine'

/** Reports whether both SDKs take an id as it is. They refuse null and fractions, which the specification (2.8) and JSON-RPC take. */
const isPlain = (id: unknown): boolean => id === undefined || typeof id === 'string' || Number.isSafeInteger(id)

const STAND_IN = 0

/** The answer under the id that was sent. */
function restored(text: string, id: number | null): string {
  const answer: Record<string, unknown> = JSON.parse(text)
  return JSON.stringify('id' in answer ? { ...answer, id } : answer)
}

/** Lets an engine answer a message whose id its SDK would refuse: under a stand-in, which is replaced in the answer. */
export async function underPlainId(
  message: Message,
  answer: (message: Message) => Promise<EngineAnswer>,
): Promise<EngineAnswer> {
  const { id } = message
  if (isPlain(id) || typeof id === 'string' || id === undefined) return answer(message)
  const answered = await answer({ ...message, id: STAND_IN })
  // Whoever asked for a stream of events writes its own (listen.ts).
  if (answered.text === null || answered.type !== undefined) return answered
  return { ...answered, text: restored(answered.text, id) }
}
