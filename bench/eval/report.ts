import type { Agent } from './books'
import type { Line } from './evaluate'
import { MOST_CALLS } from './planner/run'
import { MOST_TOKENS } from './planner/search'

const CHARACTERS_PER_TOKEN = 4

/** Estimates what a list of tools costs a model once in a conversation: names, descriptions and arguments, at four characters a token. */
export const listTokens = (agent: Agent): number =>
  Math.ceil(
    JSON.stringify(agent.tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })))
      .length / CHARACTERS_PER_TOKEN,
  )

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** The figures an evaluation comes down to. Questions whose truth is empty are counted apart: any tool can find nothing. */
export function summarize(lines: readonly Line[]) {
  const told = lines.filter(({ empty }) => !empty)
  const answerable = told.filter((line) => line.answerable)
  const right = told.filter((line) => line.right)
  const least = answerable.flatMap((line) => (line.least ? [line.least] : []))
  return {
    questions: lines.length,
    empty: lines.length - told.length,
    told: told.length,
    answerable: answerable.length,
    right: right.length,
    calls: least.reduce((sum, { calls }) => sum + calls, 0),
    medianCalls: median(least.map(({ calls }) => calls)),
    tokens: least.reduce((sum, { tokens }) => sum + tokens, 0),
    medianTokens: median(least.map(({ tokens }) => tokens)),
    mostTokens: Math.max(0, ...least.map(({ tokens }) => tokens)),
  }
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
const yes = (value: boolean) => (value ? 'yes' : 'no')

/** An evaluation as Markdown: a summary, then each question. */
export function reportOf(who: string, today: string, agent: Agent, lines: readonly Line[]): string {
  const sum = summarize(lines)
  const rows = lines.map(({ id, topic, text, empty, answerable, right, calls, tokens, least }) =>
    [
      `${topic}: ${id}`,
      cell(text),
      empty ? 'nothing in the books' : yes(answerable),
      least ? `${least.calls} / ${least.tokens.toLocaleString('en-US')}` : '–',
      empty ? '–' : yes(right),
      `${calls} / ${tokens.toLocaleString('en-US')}`,
    ].join(' | '),
  )
  const failed = lines.filter(({ empty, answerable, right }) => !empty && !(answerable && right))
  return `# Evaluation of the tools: ${who}

${today}, a freshly loaded demonstration. ${sum.questions} questions, ${sum.told} of them with something to find.

- Answerable in at most ${MOST_CALLS} calls and ${MOST_TOKENS.toLocaleString('en-US')} tokens: **${sum.answerable} of ${sum.told}**, with ${sum.calls} calls (median ${sum.medianCalls}) and
  ${sum.tokens.toLocaleString('en-US')} tokens (median ${sum.medianTokens.toLocaleString('en-US')}, most ${sum.mostTokens.toLocaleString('en-US')}).
- Answered right by ${who}: **${sum.right} of ${sum.told}**.
- The list of ${agent.tools.length} tools costs ${listTokens(agent).toLocaleString('en-US')} tokens more, once a conversation.

A token is four characters, of the calls and the text of their answers. *Answerable*: some plan that the question suggests had results
that hold the truth, in the calls and tokens shown; the truth served to recognize it. *Right*: the answer given without it.

question | asked | answerable | calls / tokens | right | calls / tokens taken
--- | --- | --- | --- | --- | ---
${rows.join('\n')}

## Not right, or not answerable

${failed.map(({ id, path, truth, answer }) => `- **${id}**: called \`${cell(path).slice(0, 300)}\`; true is \`${cell(JSON.stringify(truth)).slice(0, 200)}\`, said was \`${cell(JSON.stringify(answer) ?? 'nothing').slice(0, 200)}\``).join('\n')}
`
}
