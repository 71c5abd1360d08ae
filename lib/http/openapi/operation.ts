import * as z from 'zod'
import { derived } from '@/lib/core/shared'
import { type AnyOperation, defineOperation, isServed, JsonText, type Served } from '@/lib/operations/define'
import { operations } from '@/lib/operations/registry'
import { openApiDocument } from './document'
import type { Edition } from './schema'

const Version = z.enum(['3.1', '3.0'])

const textOf = (edition: Edition) => derived(() => JSON.stringify(openApiDocument(documented(), edition)))
/** The text of each edition. Writing one takes 20 ms, and anybody may ask for it. It follows from the operations and the settings. */
const TEXTS = { '3.1': textOf('3.1'), '3.0': textOf('3.0') }

/** `GET /openapi`: the machine-readable description, on every host, without a key (specification 4.1). */
export const getOpenapi = defineOperation({
  name: 'get_openapi',
  title: 'OpenAPI document',
  description: 'This description itself. Readable from any origin, without a key.',
  access: 'public',
  effect: 'read',
  limit: 'dataApi',
  input: z.object({ version: Version.default('3.1').describe('3.0 for tools that do not read OpenAPI 3.1') }),
  output: z.looseObject({
    openapi: z.string(),
    info: z.looseObject({ title: z.string(), version: z.string() }),
    paths: z.looseObject({}),
  }),
  example: { openapi: '3.1.0', info: { title: 'Plumbline data API', version: '1.1.0' }, paths: {} },
  http: { method: 'GET', path: '/openapi', at: 'data' },
  run: async (_, { version }) => new JsonText(TEXTS[version]()),
})

/** Returns every operation with a route, including this one. */
export function documented(): Served<AnyOperation>[] {
  const all: AnyOperation[] = [...Object.values(operations), getOpenapi]
  return all.filter(isServed)
}
