import { eq } from 'drizzle-orm'
import type { Database, Orm } from '../client'
import { mcpQuestions } from '../schema'

/** Notes that a session's client is asked something, so that any instance can take its answer. */
export async function openQuestion(orm: Orm, id: string, sessionId: string): Promise<void> {
  await orm.insert(mcpQuestions).values({ id, sessionId })
}

const ANSWER = {
  name: 'plumbline_answer_question',
  text: 'update mcp_questions set answer = $3::jsonb where id = $1 and session_id = $2 and answer is null',
}

/** Stores the answer to a question, as JSON text. Nothing happens when the session was not asked it, or has answered it already. */
export const answerQuestion = (db: Database, id: string, sessionId: string, json: string): Promise<unknown> =>
  db.run(ANSWER, [id, sessionId, json])

const LOOK = { name: 'plumbline_look_question', text: 'select answer from mcp_questions where id = $1' }

/** The answer to a question as far as it is known; null while it is not, undefined when the question is gone with its session. */
export async function answerTo(db: Database, id: string): Promise<unknown> {
  const [row] = await db.run<{ answer: unknown }>(LOOK, [id])
  return row?.answer
}

/** Forgets a question. */
export async function closeQuestion(orm: Orm, id: string): Promise<void> {
  await orm.delete(mcpQuestions).where(eq(mcpQuestions.id, id))
}
