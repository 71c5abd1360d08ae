import * as z from 'zod'
import type { ListSource } from '@/db/queries/list-types'
import type { Actor } from '@/lib/auth/actor'
import { shared } from '@/lib/core/shared'
import type { Detail, Resource } from '@/lib/resources/define'

/** The parameter that asks for what is stored beyond the specified fields. */
export const INCLUDE = {
  include: z
    .enum(['details'])
    .optional()
    .describe('`details` adds what is stored beyond these fields; /metadata names it for each resource'),
}

/** Returns the schema of what a record shows with `include=details`: any of it may be missing. */
export const detailFields = ({ details }: Resource): Record<string, z.ZodType> =>
  Object.fromEntries(Object.entries(details).map(([field, { schema }]) => [field, schema.optional()]))

const isShown = ({ needs }: Detail, { scopes }: Pick<Actor, 'scopes'>) => needs === undefined || scopes.has(needs)

const made = shared<Map<string, ListSource>>('detailSources', () => new Map())

/**
 * Returns a resource's source as it is asked for: with its details, as far as the key may read whose they are. Each set of them has its
 * own source, made once.
 */
export function sourceFor(resource: Resource, actor: Pick<Actor, 'scopes'>, include: unknown): ListSource {
  if (include !== 'details') return resource.source
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

/** Returns {@link sourceFor} of a resource. */
export const detailSources = (resource: Resource) => (actor: Pick<Actor, 'scopes'>, include: unknown) =>
  sourceFor(resource, actor, include)
