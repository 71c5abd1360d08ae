import { createServer, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Agent } from '../books'
import { answerIn, answerWith } from './answer'
import { modelFrom } from './wire'

type Request = { path: string; headers: IncomingMessage['headers']; body: ReturnType<typeof JSON.parse> }

/** Speaks the two wire forms as their documents show them: asks for one call, then answers from its result. It knows nothing more. */
const seen: Request[] = []
const wire = createServer(async (request, response) => {
  let text = ''
  for await (const part of request) text += part
  const body = JSON.parse(text)
  seen.push({ path: request.url ?? '', headers: request.headers, body })
  const isFirst = JSON.stringify(body.messages).includes('tool_call_id') === false && !text.includes('tool_result')
  const answer = request.url?.endsWith('/v1/messages')
    ? {
        type: 'message',
        role: 'assistant',
        stop_reason: isFirst ? 'tool_use' : 'end_turn',
        content: isFirst
          ? [
              { type: 'text', text: 'I look.' },
              { type: 'tool_use', id: 'toolu_1', name: 'sum_up', input: { year: 2026 } },
            ]
          : [{ type: 'text', text: 'It is so.\n{"figures": {"billed": 12.5}}' }],
      }
    : {
        object: 'chat.completion',
        choices: [
          {
            index: 0,
            finish_reason: isFirst ? 'tool_calls' : 'stop',
            message: isFirst
              ? {
                  role: 'assistant',
                  content: null,
                  tool_calls: [
                    { id: 'call_1', type: 'function', function: { name: 'sum_up', arguments: '{"year":2026}' } },
                  ],
                }
              : { role: 'assistant', content: '```json\n{"figures": {"billed": 12.5}}\n```' },
          },
        ],
      }
  response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
})
let url = ''
beforeAll(async () => {
  await new Promise<void>((done) => wire.listen(0, '127.0.0.1', done))
  const address = wire.address()
  url = typeof address === 'object' && address ? `http://127.0.0.1:${address.port}` : ''
})
afterAll(() => new Promise((done) => wire.close(done)))

const called: unknown[] = []
const agent: Agent = {
  tools: [
    {
      name: 'sum_up',
      title: 'Sum up',
      description: 'Sums a year up.',
      inputSchema: { type: 'object', properties: { year: { type: 'integer' } }, required: ['year'] },
      outputSchema: { type: 'object' },
      readOnly: true,
    },
  ],
  call: async (name, args) => {
    called.push([name, args])
    return { text: '{"billed":12.5}', data: { billed: 12.5 }, isError: false }
  },
  close: async () => {},
}

test.each(['openai', 'anthropic'] as const)(
  '%s: the question, the tools, a call, its result, the answer',
  async (api) => {
    seen.length = 0
    called.length = 0
    const settings = modelFrom({
      NODE_ENV: 'test',
      EVAL_MODEL_URL: `${url}/`,
      EVAL_MODEL_KEY: 'secret',
      EVAL_MODEL: 'a-model',
      EVAL_MODEL_API: api,
    })
    if (!settings) throw new Error('the environment names a model')
    const truth = { kind: 'figures', figures: { billed: 12.5 } } as const
    const { answer, calls, tokens } = await answerWith(
      settings,
      agent,
      '2026-11-22',
    )({ text: 'What did we bill?', truth })
    expect(answer).toEqual(truth)
    expect(called).toEqual([['sum_up', { year: 2026 }]])
    expect([calls.length, tokens]).toEqual([
      1,
      Math.ceil(('{"name":"sum_up","arguments":{"year":2026}}'.length + '{"billed":12.5}'.length) / 4),
    ])

    const [first, second] = seen
    expect(first?.body).toMatchObject({ model: 'a-model', tools: [expect.anything()] })
    expect(JSON.stringify(first?.body.messages)).toContain('What did we bill?')
    expect(JSON.stringify(first?.body)).toContain('exactly these labels: billed')
    // The truth itself never leaves.
    expect(JSON.stringify(first)).not.toContain('12.5')
    if (api === 'anthropic') {
      expect(first).toMatchObject({
        path: '/v1/messages',
        headers: { 'x-api-key': 'secret', 'anthropic-version': '2023-06-01' },
      })
      expect(second?.body.messages.at(-1).content).toEqual([
        { type: 'tool_result', tool_use_id: 'toolu_1', content: '{"billed":12.5}', is_error: false },
      ])
    } else {
      expect(first).toMatchObject({ path: '/chat/completions', headers: { authorization: 'Bearer secret' } })
      expect(second?.body.messages.at(-1)).toEqual({ role: 'tool', tool_call_id: 'call_1', content: '{"billed":12.5}' })
    }
  },
)

test('an answer is the JSON object at the end; anything else is none', () => {
  expect(answerIn('So:\n{"list": ["a", "b"]}')).toEqual({ kind: 'list', items: ['a', 'b'] })
  expect(answerIn('{"day": "2026-11-22"}')).toEqual({ kind: 'day', day: '2026-11-22' })
  expect([answerIn('about twelve'), answerIn('{"sum": 1}'), answerIn('{broken}')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test('a model needs a URL and a name; without a URL there is none', () => {
  expect(modelFrom({ NODE_ENV: 'test' })).toBeUndefined()
  expect(() => modelFrom({ NODE_ENV: 'test', EVAL_MODEL_URL: url })).toThrow('EVAL_MODEL')
})
