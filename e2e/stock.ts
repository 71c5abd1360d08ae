import * as z from 'zod'

const Spare = z.object({ id: z.string(), key: z.string(), agentKey: z.string(), leadKey: z.string() })
const Stock = z.object({ contractorId: z.string(), key: z.string(), leadKey: z.string(), spare: Spare })
const OfKind = z.object({ dataDir: z.string(), database: z.string().optional(), stock: Stock })
const Templates = z.object({ pglite: OfKind.optional(), pg: OfKind.optional() })

/** A contractor's data in a template, and its keys; beside it a second contractor with keys and without data. */
export type Stock = z.infer<typeof Stock>
export type Templates = z.infer<typeof Templates>

/** Passes the templates to the workers, which inherit the environment. */
export function keepTemplates(templates: Templates): void {
  process.env.PLUMBLINE_E2E_TEMPLATES = JSON.stringify(templates)
}

/**
 * Returns the template for a kind of database. @throws when it does not exist: the runner creates all of them before the first test
 */
export function template(kind: 'pglite' | 'pg') {
  const found = Templates.parse(JSON.parse(process.env.PLUMBLINE_E2E_TEMPLATES ?? '{}'))[kind]
  if (!found) throw new Error(`There is no template for ${kind}.`)
  return found
}

/** Returns what the template contains. */
export const stockOf = (kind: 'pglite' | 'pg'): Stock => template(kind).stock
