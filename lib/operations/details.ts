import { z } from 'zod'
import type { ListSource } from '@/db/queries/list'
import type { Actor } from '@/lib/auth/actor'
import type { Detail, Resource } from '@/lib/resources/define'
import { part } from '@/lib/runtime/runtime'

/** The parameter that asks for what is stored beyond the specified fields. */
export const INCLUDE = {
  include: z
    .enum(['details'])
    .optional()
    .describe('`details` adds what is stored beyond these fields; /metadata names it for each resource'),
}

/** What a record shows with `include=details`, as its schema has it: any of it may be missing. */
export const detailFields = ({ details }: Resource): Record<string, z.ZodType> =>
  Object.fromEntries(Object.entries(details).map(([field, { schema }]) => [field, schema.optional()]))

const isShown = ({ needs }: Detail, { scopes }: Pick<Actor, 'scopes'>) => needs === undefined || scopes.has(needs)

const made = part('detailSources', () => new Map())

/**
 * Returns a resource's source as it is asked for: with its details, as far as the key may read whose they are. Each set of them has its
 * own source, made once.
 */
export function sourceFor(
  resource: Resource,
  actor: Pick<Actor, 'scopes'>,
  include: 'details' | undefined,
): ListSource {
  if (include === undefined) return resource.source
  const shown = Object.entries(resource.details).filter(([, detail]) => isShown(detail, actor))
  const variant = ['details', ...shown.map(([field]) => field)].join(' ')
  const key = `${resource.name} ${variant}`
  const known = made().get(key)
  if (known) return known
  const details = shown.map(([field, { sql, kind }]) => ({ field, column: sql, kind, nullable: true }))
  const source = { ...resource.source, columns: [...resource.source.columns, ...details], variant }
  made().set(key, source)
  return source
}
