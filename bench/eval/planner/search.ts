import { isRight, sameFigure } from '../check'
import type { Answer, Truth } from '../question'
import { figuresFor } from './figures'
import { interpretations } from './interpret'
import { makeShelf, type Shelf } from './match'
import { type Plan, plansFor } from './plan'
import { type Ask, type Call, carryOut, MOST_CALLS, type Outcome, tokensOf } from './run'
import type { Understood } from './understand'
import { leavesOf } from './values'

export { makeShelf }

/** The result of a question: the calls, their tokens, and the answer that was given. */
export type Result = { calls: Call[]; tokens: number; answer: Answer | undefined }

const isWhole = (answer: Answer | undefined): boolean =>
  answer !== undefined &&
  (answer.kind !== 'figures' || Object.values(answer.figures).every((figure) => figure !== undefined)) &&
  (answer.kind !== 'list' || answer.items.length > 0)

/** A question that compares periods as one question for each of them. */
function eachPeriod(question: Understood): [label: string, question: Understood][] {
  const { form, ranges } = question
  if (
    form.kind !== 'figures' ||
    ranges.length < 2 ||
    ranges.length !== form.labels.length ||
    ranges.length > MOST_CALLS
  )
    return []
  return form.labels.map((label, i) => [label, { ...question, ranges: ranges.slice(i, i + 1) }])
}

/** A result with no value in it, such as a search that found nothing, says nothing. */
const firstAnswer = ({ data, text }: Outcome, question: Understood): Answer | undefined =>
  leavesOf(data).every(({ value }) => value === undefined || value === null)
    ? undefined
    : (interpretations(data, text, question).next().value ?? undefined)

/** Asks for each period by itself. */
async function compare(shelf: Shelf, ask: Ask, question: Understood): Promise<Result> {
  const calls: Call[] = []
  const figures: Record<string, number | undefined> = {}
  for (const [label, part] of eachPeriod(question)) {
    const [plan] = plansFor(shelf, part)
    if (!plan) break
    const outcome = await carryOut(shelf, ask, plan, part)
    calls.push(...outcome.calls)
    figures[label] = figuresFor(label, outcome.data, part)[0]
  }
  return { calls, tokens: tokensOf(calls), answer: { kind: 'figures', figures } }
}

const isSame = (one: Call, other: Call) =>
  one.name === other.name && JSON.stringify(one.args) === JSON.stringify(other.args)

/** Answers a question without knowing the truth: by the best plan, and while that says nothing by the next, in three calls at most. */
export async function answerTo(shelf: Shelf, ask: Ask, question: Understood): Promise<Result> {
  if (eachPeriod(question).length > 0) return compare(shelf, ask, question)
  const calls: Call[] = []
  let answer: Answer | undefined
  for (const plan of plansFor(shelf, question).slice(0, MOST_CALLS)) {
    const outcome = await carryOut(shelf, ask, plan, question)
    const fresh = outcome.calls.filter((call) => !calls.some((other) => isSame(call, other)))
    if (calls.length + fresh.length > MOST_CALLS) break
    calls.push(...fresh)
    const next = firstAnswer(outcome, question)
    answer = isWhole(next) ? next : (answer ?? next)
    if (isWhole(next) || question.form.kind === 'change') break
  }
  return { calls, tokens: tokensOf(calls), answer }
}

/** Reports whether any reading of an outcome is the truth. */
async function holds(truth: Truth, { data, text }: Outcome, question: Understood): Promise<boolean> {
  if (data === undefined) return false
  if (truth.kind === 'figures')
    return Object.entries(truth.figures).every(([label, figure]) =>
      figuresFor(label, data, question).some((given) => sameFigure(given, figure)),
    )
  for (const answer of interpretations(data, text, question)) if (await isRight(truth, answer)) return true
  return false
}

/** The arguments a question may be put with: all that it gives, and with less where a value may be meant otherwise. */
function variantsOf(plan: Plan, question: Understood): Plan[] {
  const most = Object.entries(plan.tool.inputSchema.properties ?? {}).flatMap(([name, { type, maximum }]) =>
    type === 'integer' && /^(limit|top)/i.test(name) && maximum !== undefined ? [[name, maximum] as const] : [],
  )
  const wide = { ...plan, args: { ...plan.args, ...Object.fromEntries(most) } }
  const valued = Object.keys(plan.args).filter(
    (name) => plan.tool.inputSchema.properties?.[name]?.enum ?? plan.tool.inputSchema.properties?.[name]?.items?.enum,
  )
  const without = valued.map((name) => ({
    ...wide,
    args: Object.fromEntries(Object.entries(wide.args).filter(([other]) => other !== name)),
  }))
  return [plan, ...(most.length > 0 && question.form.kind !== 'change' ? [wide] : []), ...without]
}

const MOST_PLANS = 12
export const MOST_TOKENS = 6_000

/**
 * Looks for calls whose results hold the truth, among the plans a question suggests: a reference, to tell what cannot be answered
 * from what was not understood. Three calls and 6,000 tokens at most.
 */
export async function reference(
  shelf: Shelf,
  ask: Ask,
  question: Understood,
  truth: Truth,
): Promise<Result | undefined> {
  const parts = eachPeriod(question)
  if (parts.length > 0) {
    const result = await compare(shelf, ask, question)
    if (await isRight(truth, result.answer)) return result
  }
  for (const plan of plansFor(shelf, question).slice(0, MOST_PLANS))
    for (const variant of variantsOf(plan, question)) {
      const outcome = await carryOut(shelf, ask, variant, question)
      const tokens = tokensOf(outcome.calls)
      if (outcome.calls.length > MOST_CALLS || tokens > MOST_TOKENS) continue
      if (await holds(truth, outcome, question)) return { calls: outcome.calls, tokens, answer: undefined }
    }
  return undefined
}
