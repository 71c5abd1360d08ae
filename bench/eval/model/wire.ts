import * as z from 'zod'
import type { ListedTool } from '../books'

/** The API that a model is called by, with its address and key. */
export type ModelSettings = { api: 'openai' | 'anthropic'; url: string; key: string; model: string }

/** The calls that a model wants made, or its text when it wants no more. */
export type Turn = { text: string; calls: { id: string; name: string; args: Record<string, unknown> }[] }

/** A conversation in the form of one API: asks for the next turn, and takes the results of its calls. */
export type Conversation = {
  next(): Promise<Turn>
  take(results: { id: string; text: string; isError: boolean }[]): void
}

const MOST_ANSWERED = 2_048
const PATIENCE = 120_000

async function post(url: string, headers: Record<string, string>, body: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(PATIENCE),
  })
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${(await response.text()).slice(0, 300)}`)
  return response.json()
}

const Arguments = z.record(z.string(), z.unknown())

/** Arguments as a model wrote them; what is no object is passed on as none, and the tool says what it needs. */
function argumentsOf(text: string): Record<string, unknown> {
  try {
    return Arguments.catch({}).parse(JSON.parse(text))
  } catch {
    return {}
  }
}

const ChatAnswer = z.object({
  choices: z
    .array(
      z.object({
        message: z.looseObject({
          content: z.string().nullish(),
          tool_calls: z
            .array(z.looseObject({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) }))
            .nullish(),
        }),
      }),
    )
    .min(1),
})

/** Speaks OpenAI’s chat completions, which most other servers of models also support. */
function chat(
  { url, key, model }: ModelSettings,
  system: string,
  question: string,
  tools: readonly ListedTool[],
): Conversation {
  const messages: unknown[] = [
    { role: 'system', content: system },
    { role: 'user', content: question },
  ]
  const offered = tools.map(({ name, description, inputSchema: parameters }) => ({
    type: 'function',
    function: { name, description, parameters },
  }))
  return {
    async next() {
      const answer = await post(
        `${url}/chat/completions`,
        { authorization: `Bearer ${key}` },
        { model, messages, tools: offered },
      )
      const message = ChatAnswer.parse(answer).choices[0]?.message
      messages.push(message)
      const calls = (message?.tool_calls ?? []).map(({ id, function: { name, arguments: text } }) => ({
        id,
        name,
        args: argumentsOf(text),
      }))
      return { text: message?.content ?? '', calls }
    },
    take(results) {
      for (const { id, text } of results) messages.push({ role: 'tool', tool_call_id: id, content: text })
    },
  }
}

const Message = z.object({
  content: z.array(
    z.looseObject({
      type: z.string(),
      text: z.string().optional(),
      id: z.string().optional(),
      name: z.string().optional(),
      input: z.unknown().optional(),
    }),
  ),
})

/** Speaks Anthropic’s messages. */
function messages(
  { url, key, model }: ModelSettings,
  system: string,
  question: string,
  tools: readonly ListedTool[],
): Conversation {
  const said: unknown[] = [{ role: 'user', content: question }]
  const offered = tools.map(({ name, description, inputSchema: input_schema }) => ({ name, description, input_schema }))
  return {
    async next() {
      const headers = { 'x-api-key': key, 'anthropic-version': '2023-06-01' }
      const body = { model, system, messages: said, tools: offered, max_tokens: MOST_ANSWERED }
      const { content } = Message.parse(await post(`${url}/v1/messages`, headers, body))
      said.push({ role: 'assistant', content })
      return {
        text: content.map(({ text = '' }) => text).join('\n'),
        calls: content.flatMap(({ type, id, name, input }) =>
          type === 'tool_use' && id !== undefined && name !== undefined
            ? [{ id, name, args: Arguments.catch({}).parse(input) }]
            : [],
        ),
      }
    },
    take(results) {
      const content = results.map(({ id, text, isError }) => ({
        type: 'tool_result',
        tool_use_id: id,
        content: text,
        is_error: isError,
      }))
      said.push({ role: 'user', content })
    },
  }
}

/** Begins a conversation about a question. */
export const converse = (
  settings: ModelSettings,
  system: string,
  question: string,
  tools: readonly ListedTool[],
): Conversation =>
  settings.api === 'anthropic' ? messages(settings, system, question, tools) : chat(settings, system, question, tools)

const Settings = z.object({
  EVAL_MODEL_URL: z.url(),
  EVAL_MODEL_KEY: z.string().default(''),
  EVAL_MODEL: z.string().min(1, 'must name the model'),
  EVAL_MODEL_API: z.enum(['openai', 'anthropic']).optional(),
})

/** The model that the environment names, or undefined. @throws ZodError when it names one incompletely */
export function modelFrom(variables: NodeJS.ProcessEnv): ModelSettings | undefined {
  if (!variables.EVAL_MODEL_URL) return undefined
  const { EVAL_MODEL_URL: url, EVAL_MODEL_KEY: key, EVAL_MODEL: model, EVAL_MODEL_API: api } = Settings.parse(variables)
  return { url: url.replace(/\/$/, ''), key, model, api: api ?? (/anthropic/.test(url) ? 'anthropic' : 'openai') }
}
