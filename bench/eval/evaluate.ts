import type { Agent, Books } from './books'
import { isRight } from './check'
import { asking, type Call } from './planner/run'
import { answerTo, makeShelf, type Result, reference } from './planner/search'
import { understand } from './planner/understand'
import { type Answer, formOf, isEmpty, type Question, type Topic, type Truth } from './question'

/** The result of an evaluation for a question. */
export type Line = {
  id: string
  topic: Topic
  text: string
  /** True when the books hold nothing that would tell a right answer from none. */
  empty: boolean
  answerable: boolean
  right: boolean
  calls: number
  tokens: number
  /** Calls and tokens of the reference, where there is one. */
  least: { calls: number; tokens: number } | undefined
  /** The calls taken, and those of the reference. */
  path: string
  leastPath: string
  truth: Truth | undefined
  answer: Answer | undefined
}

/** A function that answers questions over a client: the planner, or a model. */
export type Answerer = (question: { text: string; truth: Truth }) => Promise<Result>

const pathOf = (calls: readonly Call[]) => calls.map(({ name, args }) => `${name} ${JSON.stringify(args)}`).join(' → ')

/** A question the books cannot put, because they are of another version. */
const unput = ({ id, topic }: Question, fault: unknown): Line => ({
  id,
  topic,
  text: `(not put: ${fault instanceof Error ? fault.message.split('\n')[0]?.slice(0, 80) : 'unknown'})`,
  empty: true,
  answerable: false,
  right: false,
  calls: 0,
  tokens: 0,
  least: undefined,
  path: '',
  leastPath: '',
  truth: undefined,
  answer: undefined,
})

/**
 * Puts every question, and checks each answer against the books.
 * @param answerer who answers; the planner when left out
 * @param told hears of each question as soon as it is answered
 */
export async function evaluate(
  books: Books,
  agent: Agent,
  questions: readonly Question[],
  { answerer, told = () => {} }: { answerer?: Answerer | undefined; told?: (line: Line) => void } = {},
): Promise<Line[]> {
  const shelf = makeShelf(agent.tools)
  const lines: Line[] = []
  const add = (line: Line) => {
    lines.push(line)
    told(line)
  }
  for (const question of questions) {
    const put = await question.put(books).catch((fault: unknown) => unput(question, fault))
    if ('id' in put) {
      add(put)
      continue
    }
    const { text, truth } = put
    const ask = asking(agent)
    const understood = understand(text, formOf(truth), books.today, shelf.knows)
    const result = await (answerer?.(put) ?? answerTo(shelf, ask, understood))
    const right = await isRight(truth, result.answer)
    const found = right ? result : await reference(shelf, ask, understood, truth)
    add({
      id: question.id,
      topic: question.topic,
      text,
      empty: isEmpty(truth),
      answerable: found !== undefined,
      right,
      calls: result.calls.length,
      tokens: result.tokens,
      least: found && { calls: found.calls.length, tokens: found.tokens },
      path: pathOf(result.calls),
      leastPath: found ? pathOf(found.calls) : '',
      truth,
      answer: result.answer,
    })
  }
  return lines
}
