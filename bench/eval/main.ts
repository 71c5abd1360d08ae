import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import './entry'
import { openDatabase } from '@/db/client'
import { env } from '@/lib/core/env'
import { makeDataDir, openBooks, prepareSettings } from './books'
import { evaluate, type Line } from './evaluate'
import { answerWith } from './model/answer'
import { modelFrom } from './model/wire'
import { evaluateNames } from './names'
import { evaluatePermits } from './permits/main'
import { questions } from './questions/registry'
import { listTokens, reportOf, summarize } from './report'

const USAGE = `npm run eval -- agent [--only <id>,…] [--report <file.md>] [--data <directory>]

Puts ${questions.length} questions to the MCP server of a freshly loaded demonstration, each with its truth from SQL, and counts right answers, calls and
tokens. A planner that knows only tools/list answers; a model does, where EVAL_MODEL_URL and EVAL_MODEL (and EVAL_MODEL_KEY, EVAL_MODEL_API:
openai or anthropic) name one. --data keeps the loaded demonstration for the next time.

npm run eval -- names [--data <directory>]

Types names, streets and numbers of the demonstration's records into rag_search, and prints how often the record comes first.

npm run eval -- permits [--errors] [--nashville <file.csv>]

Puts labeled descriptions of work to the recognizer of kinds of work and prints its score by kind and what was taken for what. --errors lists those of
the dev half; --nashville scores real permits of the portal of Nashville by the office's own types.`

function print(
  { id, text, empty, answerable, right, calls, tokens, path, leastPath, truth, answer }: Line,
  inFull: boolean,
): void {
  const verdict = empty ? 'nothing to find' : right ? 'right' : answerable ? 'answerable' : 'not answerable'
  console.log(`${verdict.padEnd(16)}${id.padEnd(26)}${`${calls} / ${tokens}`.padEnd(12)}${text}`)
  if (inFull)
    console.log(
      `  ${path}\n  reference: ${leastPath}\n  true: ${JSON.stringify(truth)}\n  said: ${JSON.stringify(answer)}`,
    )
}

/** Evaluates, prints a line for each question, and writes the report. */
async function evaluateAgent(
  only: string | undefined,
  report: string | undefined,
  data: string | undefined,
): Promise<void> {
  const { dataDir, remove } = data === undefined ? makeDataDir() : { dataDir: data, remove: () => {} }
  prepareSettings(dataDir)
  const db = await openDatabase(env())
  const books = await openBooks(db)
  const agent = await books.connect()
  const model = modelFrom(process.env)
  const wanted = only?.split(',')
  const asked = questions.filter(({ id }) => wanted === undefined || wanted.includes(id))
  const answerer = model && answerWith(model, agent, books.today)
  const lines = await evaluate(books, agent, asked, { answerer, told: (line) => print(line, wanted !== undefined) })
  const { told, answerable, right } = summarize(lines)
  const who = model?.model ?? 'the planner'
  console.log(
    `\n${answerable} of ${told} answerable, ${right} answered right by ${who}; the list of tools: ${listTokens(agent)} tokens`,
  )
  if (report !== undefined) writeFileSync(report, reportOf(who, books.today, agent, lines))
  await agent.close()
  await db.close()
  remove()
}

const { values, positionals } = parseArgs({
  options: {
    only: { type: 'string' },
    report: { type: 'string' },
    data: { type: 'string' },
    errors: { type: 'boolean', default: false },
    nashville: { type: 'string' },
  },
  allowPositionals: true,
})
switch (positionals[0]) {
  case 'agent':
    await evaluateAgent(values.only, values.report, values.data)
    break
  case 'names': {
    const { dataDir, remove } = values.data === undefined ? makeDataDir() : { dataDir: values.data, remove: () => {} }
    await evaluateNames(dataDir)
    remove()
    break
  }
  case 'permits':
    await evaluatePermits({ errors: values.errors, nashville: values.nashville })
    break
  default:
    console.error(USAGE)
    process.exit(1)
}
process.exit(0)
