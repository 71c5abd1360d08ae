import * as z from 'zod'
import { parsedText } from '@/lib/core/json'
import { later } from '@/lib/core/later'
import { CALL } from './called-tool'
import type { Caller } from './caller'
import { CompletionParams } from './completion-params'
import { LOG_LEVELS } from './conversation'
import { RPC, RpcFault } from './fault'
import type { Message } from './gate'

/** A protocol method: the schema of its parameters in both modes, and its handler. Each engine adds what its mode requires in addition. */
export type Method<P extends z.ZodType = z.ZodType> = {
  name: string
  params: P
  handle(caller: Caller, params: z.output<P>): unknown
  /** True when `/mcp/rpc` also accepts it (specification 4.4: only the tool methods). */
  rpc?: true
  /** True when only sessions have it; the stateless revision removed it. */
  sessionsOnly?: true
}

/** The answering modules. They bring all operations, so a session opens without them. */
const service = later(() => import('./service'))
const lists = later(() => import('./listed-tools'))
const completions = later(() => import('./completions'))

const name = z.string({ error: 'must be a text' }).min(1, 'must not be empty')
const object = z.record(z.string(), z.unknown(), { error: 'must be an object' })
/** A tool's arguments. Some programs send them as the JSON text that a model wrote. */
const ToolArguments = z.preprocess((given) => parsedText(given, '{'), object)
const list = z.looseObject({ cursor: z.string({ error: 'must be a nextCursor that this list gave' }).optional() })

/** Lets the compiler match a handler with its own parameters; the table only knows that they belong together. */
const method = <P extends z.ZodType>(of: Method<P>): Method => of

/** The methods we handle, for both engines and `/mcp/rpc`. */
export const METHODS: readonly Method[] = [
  method({
    name: 'tools/list',
    params: list,
    handle: async (caller, { cursor }) => (await lists()).listTools(caller, cursor),
    rpc: true,
  }),
  method({
    name: CALL,
    params: z.looseObject({ name, arguments: ToolArguments.nullish() }),
    handle: async (caller, params) => (await service()).runTool(caller, params),
    rpc: true,
  }),
  method({
    name: 'resources/list',
    params: list,
    handle: async (caller, { cursor }) => (await service()).listResources(caller, cursor),
  }),
  method({
    name: 'resources/templates/list',
    params: list,
    handle: async ({ actor }, { cursor }) => (await service()).listTemplates(actor, cursor),
  }),
  method({
    name: 'resources/read',
    params: z.looseObject({ uri: name }),
    handle: async ({ actor }, params) => (await service()).readResourceFor(actor, params),
  }),
  method({
    name: 'resources/subscribe',
    params: z.looseObject({ uri: name }),
    handle: async ({ subscriptions }, { uri }) => {
      await subscriptions?.add(uri)
      return {}
    },
    sessionsOnly: true,
  }),
  method({
    name: 'resources/unsubscribe',
    params: z.looseObject({ uri: name }),
    handle: async ({ subscriptions }, { uri }) => {
      await subscriptions?.remove(uri)
      return {}
    },
    sessionsOnly: true,
  }),
  method({
    name: 'prompts/list',
    params: list,
    handle: async (_, { cursor }) => (await service()).listPrompts(cursor),
  }),
  method({
    name: 'prompts/get',
    params: z.looseObject({ name, arguments: object.nullish() }),
    handle: async (_, { name, arguments: given }) => (await service()).getPrompt({ name, arguments: given ?? {} }),
  }),
  method({
    name: 'completion/complete',
    params: CompletionParams,
    handle: async ({ actor }, params) => (await completions()).complete(actor, params),
  }),
  method({
    name: 'logging/setLevel',
    params: z.looseObject({ level: z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` }) }),
    handle: async ({ setLevel }, { level }) => {
      await setLevel?.(level)
      return {}
    },
    sessionsOnly: true,
  }),
]

/** The engines answer it, but its parameters are checked here, because both would report errors in their own raw format. */
const INITIALIZE = z.looseObject({
  protocolVersion: name,
  capabilities: object,
  clientInfo: z.looseObject({ name, version: name }, { error: 'must be an object' }),
})

/** The request of the stateless revision that opens a stream of notifications (lib/mcp/listen.ts). */
export const LISTEN = 'subscriptions/listen'

/** The methods of the stateless revision. */
export const STATELESS_METHODS: readonly Method[] = METHODS.filter(({ sessionsOnly }) => !sessionsOnly)

const byName = new Map(METHODS.map((each) => [each.name, each]))

/** Returns a method by its name; undefined for methods the engines answer themselves, and for unknown ones. */
export const findMethod = (name: string | undefined): Method | undefined => byName.get(name ?? '')

/** Checks a method's parameters. @throws RpcFault -32602 with a sentence that explains the error */
export function requireParams({ method = '', params, id }: Message): void {
  const schema = method === 'initialize' ? INITIALIZE : findMethod(method)?.params
  const parsed = schema?.safeParse(params ?? {})
  if (!parsed || parsed.success) return
  const faults = parsed.error.issues.map(({ path, message }) => `params.${path.join('.')} ${message}`)
  throw new RpcFault(200, RPC.invalidParams, 'Invalid params', {
    id: id ?? null,
    data: { reason: `${faults.join('; ')}.` },
  })
}
