import { z } from 'zod'
import { RPC, RpcFault } from './fault'
import type { Message } from './gate'

const name = z.string({ error: 'must be a text' }).min(1, 'must not be empty')
const object = z.record(z.string(), z.unknown(), { error: 'must be an object' })

/** Lists are whole, so no cursor is ever given out. */
const list = z.looseObject({
  cursor: z.undefined({ error: 'names no page: lists come whole; leave it out' }).optional(),
})

/** What the methods that take parameters need of them; the engines read the rest. */
const PARAMS: Record<string, z.ZodType> = {
  initialize: z.looseObject({
    protocolVersion: name,
    capabilities: object,
    clientInfo: z.looseObject({ name, version: name }, { error: 'must be an object' }),
  }),
  'tools/call': z.looseObject({ name, arguments: object.nullish() }),
  'prompts/get': z.looseObject({ name, arguments: object.nullish() }),
  'resources/read': z.looseObject({ uri: name }),
  'tools/list': list,
  'prompts/list': list,
  'resources/list': list,
  'resources/templates/list': list,
}

/** @throws RpcFault -32602 in words when a method's parameters are not what it takes; the SDK would answer with its own dump */
export function requireParams({ method = '', params, id }: Message): void {
  const parsed = PARAMS[method]?.safeParse(params ?? {})
  if (!parsed || parsed.success) return
  const faults = parsed.error.issues.map(({ path, message }) => `params.${path.join('.')} ${message}`)
  throw new RpcFault(200, RPC.invalidParams, 'Invalid params', {
    id: id ?? null,
    data: { reason: `${faults.join('; ')}.` },
  })
}
