import * as z from 'zod'
import { parseStrictValue } from '@/lib/core/json'
import type { ToolResult } from './call-tool'
import { abilitiesInEnvelope } from './server-info'

/** A fact that decides a permit check and is not known, as its answer names it. */
const Missing = z.object({
  fact: z.string(),
  type: z.enum(['number', 'yes_or_no']),
  unit: z.string().nullable(),
  question: z.string(),
})
const WithMissing = z.looseObject({ requirements: z.array(z.looseObject({ missing: z.array(Missing) })) })

/** The elicitation data of a client of the stateless revision: whether it asks its person, what they said, and the state we gave it to keep. */
export type Elicitation = { elicits: boolean; responses: unknown; state: unknown }

/** The name under which the answer to a call's question comes back. */
const QUESTION = 'facts'

const Facts = z.record(z.string(), z.union([z.number(), z.boolean()]))
const Accepted = z.looseObject({ [QUESTION]: z.looseObject({ action: z.literal('accept'), content: Facts }) })

/** Reads this data from a message of the stateless revision. */
export function elicitationIn(params: unknown): Elicitation {
  const { inputResponses: responses, requestState: state } = Object(params)
  return { elicits: abilitiesInEnvelope(params).showsForms, responses, state }
}

/** The facts of earlier rounds, which the client kept. They are the caller's own arguments and are checked as such, so nothing is signed. */
function keptFacts({ state }: Elicitation): z.output<typeof Facts> {
  if (typeof state !== 'string' || state.length > 10_000) return {}
  try {
    return Facts.parse(parseStrictValue(Buffer.from(state, 'base64url').toString()))
  } catch {
    return {}
  }
}

/** The facts that the person gave in this round; undefined when they were asked and gave none. */
function givenFacts({ responses }: Elicitation): z.output<typeof Facts> | undefined {
  if (!(QUESTION in Object(responses))) return {}
  const accepted = Accepted.safeParse(responses)
  if (!accepted.success) return undefined
  const { content } = accepted.data[QUESTION]
  return Object.keys(content).length > 0 ? content : undefined
}

const factsOf = (asked: Elicitation) => ({ ...keptFacts(asked), ...givenFacts(asked) })

function withFacts(args: unknown, facts: z.output<typeof Facts>): unknown {
  if (Object.keys(facts).length === 0) return args
  return { ...Object(args), facts: { ...Object(Object(args).facts), ...facts } }
}

/** The arguments of a call with the facts that a person gave when asked. */
export const withAnswers = (args: unknown, asked: Elicitation): unknown => withFacts(args, factsOf(asked))

const fieldOf = ({ type, unit, question }: z.output<typeof Missing>) => ({
  type: type === 'number' ? 'number' : 'boolean',
  title: question,
  ...(unit === null ? {} : { description: `In ${unit}` }),
})

/** A form for the facts that an answer misses; none of its fields is required, because nobody knows everything. */
export type FactForm = {
  message: string
  requestedSchema: { type: 'object'; properties: Record<string, ReturnType<typeof fieldOf>>; required: [] }
}

/** The form for the facts that an answer misses; undefined where nothing is missing. */
function formFor({ structuredContent }: ToolResult): FactForm | undefined {
  const parsed = WithMissing.safeParse(structuredContent)
  if (!parsed.success) return undefined
  const missing = parsed.data.requirements.flatMap((requirement) => requirement.missing)
  if (missing.length === 0) return undefined
  const properties = Object.fromEntries(missing.map((each) => [each.fact, fieldOf(each)]))
  return {
    message: 'The permit check depends on facts that are not known yet. Leave out what you do not know.',
    requestedSchema: { type: 'object', properties, required: [] },
  }
}

/** The question for missing facts, as a client of the stateless revision (2026-07-28) is asked it. Undefined where nothing is missing, or the client shows no forms. */
export function questionOf(result: ToolResult, asked: Elicitation) {
  // Who declines, or knows none of it, is not asked again.
  if (!asked.elicits || givenFacts(asked) === undefined) return undefined
  const form = formFor(result)
  if (!form) return undefined
  const known = factsOf(asked)
  return {
    resultType: 'input_required' as const,
    ...(Object.keys(known).length === 0
      ? {}
      : { requestState: Buffer.from(JSON.stringify(known)).toString('base64url') }),
    inputRequests: {
      [QUESTION]: { method: 'elicitation/create' as const, params: { mode: 'form' as const, ...form } },
    },
  }
}

/** Asks the person behind a session and returns what the client answers; undefined when no answer comes. */
export type AskPerson = (form: FactForm) => Promise<unknown>

/** The maximum number of rounds before a call answers with what is known: facts may lead to further questions. */
const MOST_ROUNDS = 8

/** Calls a tool, and calls it again with what the person behind the session knows of the facts that its answer misses. */
export async function withElicitedFacts(
  args: unknown,
  ask: AskPerson,
  call: (args: unknown) => Promise<ToolResult>,
): Promise<ToolResult> {
  let known: z.output<typeof Facts> = {}
  for (let round = 0; ; round++) {
    const result = await call(withFacts(args, known))
    const form = round < MOST_ROUNDS ? formFor(result) : undefined
    const given = form && givenFacts({ elicits: true, responses: { [QUESTION]: await ask(form) }, state: undefined })
    if (given === undefined) return result
    known = { ...known, ...given }
  }
}
