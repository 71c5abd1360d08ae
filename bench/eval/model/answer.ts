import * as z from 'zod'
import type { Agent } from '../books'
import type { Answerer } from '../evaluate'
import { type Call, tokensOf } from '../planner/run'
import { type Answer, type Form, formOf } from '../question'
import { converse, type ModelSettings } from './wire'

/** Turns after which a model has had enough; the calls it took are counted as they are. */
const MOST_TURNS = 10

const FORMS: Record<Form['kind'], string> = {
  figures: '{"figures": {"<label>": <number>}} with exactly these labels: ',
  list: '{"list": ["<name or number of each>"]}, in the order asked for, and nothing that was not asked for',
  day: '{"day": "YYYY-MM-DD"}',
  text: '{"text": "<answer, with the words and identifiers the tools used>"}',
  change: '{"done": true}, after you have done it',
}

const systemFor = (form: Form, today: string): string =>
  [
    `You answer questions of a contractor’s office from its books, with the tools. Today is ${today} (UTC).`,
    'Use as few calls as you can. Never make up a figure.',
    `End with one JSON object on the last line and nothing behind it: ${FORMS[form.kind]}${form.kind === 'figures' ? form.labels.join(', ') : ''}`,
  ].join('\n')

const Said = z.union([
  z
    .object({ figures: z.record(z.string(), z.number()) })
    .transform(({ figures }): Answer => ({ kind: 'figures', figures })),
  z.object({ list: z.array(z.string()) }).transform(({ list: items }): Answer => ({ kind: 'list', items })),
  z.object({ day: z.string() }).transform(({ day }): Answer => ({ kind: 'day', day })),
  z.object({ text: z.string() }).transform(({ text }): Answer => ({ kind: 'text', text })),
  z.object({ done: z.boolean() }).transform((): Answer => ({ kind: 'change' })),
])

/** The answer at the end of what a model said; undefined where there is none in the form that was asked for. */
export function answerIn(text: string): Answer | undefined {
  const last = /\{[^\n]*\}\s*(?:```)?\s*$/.exec(text)?.[0].replace(/```\s*$/, '')
  if (last === undefined) return undefined
  try {
    return Said.safeParse(JSON.parse(last)).data
  } catch {
    return undefined
  }
}

/** Answers questions with a model. Tokens are counted as the planner’s are: its calls and their answers. */
export const answerWith =
  (settings: ModelSettings, agent: Agent, today: string): Answerer =>
  async ({ text, truth }) => {
    const conversation = converse(settings, systemFor(formOf(truth), today), text, agent.tools)
    const calls: Call[] = []
    for (let turn = 0; turn < MOST_TURNS; turn++) {
      const said = await conversation.next()
      if (said.calls.length === 0) return { calls, tokens: tokensOf(calls), answer: answerIn(said.text) }
      const results: { id: string; text: string; isError: boolean }[] = []
      for (const { id, name, args } of said.calls) {
        const result = await agent.call(name, args).catch((fault: unknown) => ({
          text: fault instanceof Error ? fault.message : 'the call failed',
          data: undefined,
          isError: true,
        }))
        calls.push({ name, args, result })
        results.push({ id, text: result.text, isError: result.isError })
      }
      conversation.take(results)
    }
    return { calls, tokens: tokensOf(calls), answer: undefined }
  }
