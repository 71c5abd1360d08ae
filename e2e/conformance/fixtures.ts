import type { Caller } from '../../lib/mcp/caller'
import { METHODS } from '../../lib/mcp/methods'
import { PROMPTS, QUESTIONS, RESOURCES } from './content'
import { listedTools, TOOLS } from './tools'

type Params = Record<string, unknown>
type Handle = (caller: Caller, params: Params) => unknown

/** Puts a handler before a method's own, which it may call. */
function before(name: string, handler: (caller: Caller, params: Params, ours: () => unknown) => unknown): void {
  const method = METHODS.find((each) => each.name === name)
  if (!method) throw new Error(`there is no method ${name}`)
  const ours: Handle = method.handle
  method.handle = (caller, params) => handler(caller, Object(params), () => ours(caller, Object(params)))
}

const added = async (list: unknown, name: string, entries: object[]) => {
  const ours = Object(await list)
  return { ...ours, [name]: [...ours[name], ...entries] }
}

/** The resource that the runner subscribes to. */
const WATCHED = 'test://watched-resource'

const CONTEXT = { user_context: QUESTIONS.context }

/**
 * Adds the tools, resources and prompts that the runner asks for to those of the server, before its engines are loaded. Nothing of the
 * engines is replaced: they read, check and answer every message as always.
 */
export function addFixtures(): void {
  before('tools/list', (_caller, { cursor }, ours) =>
    cursor === undefined ? added(ours(), 'tools', listedTools) : ours(),
  )
  before('tools/call', (caller, { name, arguments: args }, ours) => (TOOLS[String(name)] ?? ours)(caller, Object(args)))
  before('resources/list', (_caller, _params, ours) =>
    added(
      ours(),
      'resources',
      Object.keys(RESOURCES).map((uri) => ({ uri, name: uri })),
    ),
  )
  before('resources/templates/list', (_caller, _params, ours) =>
    added(ours(), 'resourceTemplates', [{ uriTemplate: 'test://template/{id}/data', name: 'template' }]),
  )
  before('resources/read', (_caller, { uri }, ours) => {
    const found = RESOURCES[String(uri)]
    return found ? { contents: [{ uri, ...found }] } : ours()
  })
  // Like our documents, it never changes while the server runs, so nothing is ever told of it.
  before('resources/subscribe', (_caller, { uri }, ours) => (uri === WATCHED ? {} : ours()))
  before('prompts/list', (_caller, _params, ours) =>
    added(
      ours(),
      'prompts',
      [...Object.keys(PROMPTS), 'test_input_required_result_prompt'].map((name) => ({
        name,
        description: 'A fixture of the conformance runner.',
      })),
    ),
  )
  before('completion/complete', (_caller, { ref }, ours) =>
    String(Object(ref).name) in PROMPTS ? { completion: { values: ['test'], total: 1, hasMore: false } } : ours(),
  )
  before('prompts/get', ({ asked }, { name, arguments: args }, ours) => {
    if (name === 'test_input_required_result_prompt' && !Object(asked?.responses).user_context)
      return { resultType: 'input_required', inputRequests: CONTEXT }
    const prompt = name === 'test_input_required_result_prompt' ? PROMPTS.test_simple_prompt : PROMPTS[String(name)]
    if (!prompt) return ours()
    return { messages: prompt(Object(args)).map((content) => ({ role: 'user', content })) }
  })
}
