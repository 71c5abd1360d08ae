import type { Caller } from '../../lib/mcp/caller'
import { InvalidParams } from '../../lib/mcp/invalid-params'
import { audio, embedded, FORMS, image, QUESTIONS, SCHEMA_2020_12, sample, text } from './content'

type Params = Record<string, unknown>
type Run = (caller: Caller, params: Params) => unknown

const pause = () => new Promise((done) => setTimeout(done, 50))
const says = (...content: object[]) => ({ content })
const accepted = (said: unknown) => text(`${JSON.stringify(said)}`)

/** Returns what a client of the stateless revision answered under a name; undefined where it was not asked yet, or answered something else. */
const answered = ({ asked }: Caller, name: string) => Object(asked?.responses)[name]
const requires = (inputRequests: object, requestState?: string) => ({
  resultType: 'input_required',
  inputRequests,
  ...(requestState === undefined ? {} : { requestState }),
})

/** Asks under a name until an answer comes under it. */
const once =
  (name: string, question: object, state?: string): Run =>
  (caller) => {
    const answer = answered(caller, name)
    if (typeof answer !== 'object' || answer === null) return requires({ [name]: question }, state)
    if (state !== undefined && caller.asked?.state !== state) throw new InvalidParams('requestState is not ours.')
    return says(text(`state-ok ${JSON.stringify(answer)}`))
  }

const form =
  (schema: object): Run =>
  async ({ requests }) => {
    const result = await requests?.('elicitation/create', { message: 'Please fill this in', requestedSchema: schema })
    return says(text(`Elicitation completed: ${JSON.stringify(result)}`))
  }

const ALL = { user_name: QUESTIONS.name, greeting: QUESTIONS.greeting, client_roots: QUESTIONS.roots }

/** The runner's tools, as its own descriptions have them, on the engine of this server. */
export const TOOLS: Record<string, Run> = {
  test_simple_text: () => says(text('This is a simple text response for testing.')),
  test_image_content: () => says(image),
  test_audio_content: () => says(audio),
  test_embedded_resource: () => says(embedded('test://embedded-resource', 'This is an embedded resource content.')),
  test_multiple_content_types: () =>
    says(
      text('Multiple content types test:'),
      image,
      embedded('test://mixed-content-resource', '{"test":"data","value":123}', 'application/json'),
    ),
  test_error_handling: () => ({ isError: true, ...says(text('This tool intentionally returns an error for testing')) }),
  json_schema_2020_12_tool: () => says(text('taken')),
  test_tool_with_logging: async ({ conversation }) => {
    for (const step of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      conversation?.log('info', 'test_tool_with_logging', { step })
      await pause()
    }
    return says(text('done'))
  },
  test_logging_tool: ({ conversation }) => {
    conversation?.log('info', 'test_logging_tool', { step: 'only' })
    return says(text('done'))
  },
  test_tool_with_progress: async ({ conversation }) => {
    for (const progress of [0, 50, 100]) {
      conversation?.progress(progress, { total: 100 })
      await pause()
    }
    return says(text('done'))
  },
  test_sampling: async ({ requests }, { prompt }) => {
    const { method, params } = sample(String(prompt), 100)
    return says(text(`LLM response: ${JSON.stringify(await requests?.(method, params))}`))
  },
  test_elicitation: async ({ requests }, { message }) => {
    const requestedSchema = {
      type: 'object',
      properties: {
        username: { type: 'string', description: "User's response" },
        email: { type: 'string', description: "User's email address" },
      },
      required: ['username', 'email'],
    }
    return says(accepted(await requests?.('elicitation/create', { message, requestedSchema })))
  },
  test_elicitation_sep1034_defaults: form({
    type: 'object',
    properties: FORMS.test_elicitation_sep1034_defaults,
    required: [],
  }),
  test_elicitation_sep1330_enums: form({
    type: 'object',
    properties: FORMS.test_elicitation_sep1330_enums,
    required: [],
  }),
  test_streaming_elicitation: once('user_name', QUESTIONS.name),
  test_input_required_result_elicitation: once('user_name', QUESTIONS.name),
  test_input_required_result_sampling: once('capital_question', QUESTIONS.capital),
  test_input_required_result_list_roots: once('client_roots', QUESTIONS.roots),
  test_input_required_result_request_state: once('confirm', QUESTIONS.confirm, 'kept-by-the-client'),
  test_input_required_result_tampered_state: once('confirm', QUESTIONS.confirm, 'kept-by-the-client'),
  test_input_required_result_capabilities: (caller) =>
    caller.asked?.elicits
      ? once('user_name', QUESTIONS.name)(caller, {})
      : once('capital_question', QUESTIONS.capital)(caller, {}),
  test_input_required_result_multiple_inputs: (caller) =>
    Object.keys(ALL).every((name) => answered(caller, name)) ? says(text('complete')) : requires(ALL, 'all'),
  test_input_required_result_multi_round: (caller) => {
    if (caller.asked?.state === 'second' && answered(caller, 'step2')) return says(text('complete'))
    if (caller.asked?.state === 'first' && answered(caller, 'step1'))
      return requires({ step2: QUESTIONS.color }, 'second')
    return requires({ step1: QUESTIONS.name }, 'first')
  },
}

const ARGUMENTS: Record<string, object> = {
  json_schema_2020_12_tool: SCHEMA_2020_12,
  test_sampling: { type: 'object', properties: { prompt: { type: 'string' } }, required: ['prompt'] },
  test_elicitation: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
}

/** The same as a list shows them. */
export const listedTools = Object.keys(TOOLS).map((name) => ({
  name,
  description: 'A fixture of the conformance runner.',
  inputSchema: ARGUMENTS[name] ?? { type: 'object', properties: {} },
}))
