import * as z from 'zod'
import { database } from '@/db/client'
import { type Expansion, MOST_EXPANDED, shapeItems } from '@/db/queries/shape'
import type { Actor } from '@/lib/auth/actor'
import type { Scope } from '@/lib/auth/scopes'
import type { Resource } from '@/lib/resources/define'
import { severalOf } from '@/lib/resources/fields'
import { RESOURCES, resourceCalled } from '@/lib/resources/registry'

export { MOST_EXPANDED }

/** The records that a record can be shown with: the record it belongs to, or the records that belong to it. */
type Offered = Expansion & { resource: Resource }

/** Returns a resource's expansions: what its records belong to, then what belongs to them. */
export const expansionsOf = (resource: Resource): Offered[] => [
  ...resource.links.map(({ to, column }) => {
    const other = resourceCalled(to)
    return { field: to, source: other.source, link: column.name, resource: other }
  }),
  ...RESOURCES.flatMap((other) =>
    other.links
      .filter(({ to }) => to === resource.singular)
      .map(({ column }) => ({ field: other.name, source: other.source, of: column.name, resource: other })),
  ),
]

const Several = (output: z.ZodObject) =>
  z.object({
    items: z.array(output).describe(`The latest changed first, at most ${MOST_EXPANDED}`),
    more: z.boolean().describe('Whether there are more than these'),
  })

/** The fields that `expand` adds to a record, as its schema shows them. */
export const expandedFields = (resource: Resource): Record<string, z.ZodType> =>
  Object.fromEntries(
    expansionsOf(resource).map((each) => [
      each.field,
      ('link' in each ? each.resource.output : Several(each.resource.output)).optional(),
    ]),
  )

/** The parameters that choose how records are shown. */
export function shaping(resource: Resource) {
  const names = Object.keys(resource.output.shape)
  return {
    fields: severalOf(names)
      .optional()
      .describe(
        'Only these fields of each record, separated by commas. All fields when left out. With it, a record lacks the others, also those that its schema requires',
      ),
    expand: severalOf(expansionsOf(resource).map(({ field }) => field))
      .optional()
      .describe(
        'Shows related records with each record, separated by commas. Of those that can be several, the ' +
          `${MOST_EXPANDED} latest changed; their lists have all. Needs their scopes`,
      ),
  }
}

const NONE: readonly Scope[] = []

const chosen = (resource: Resource, expand: unknown): Offered[] => {
  if (typeof expand !== 'string') return []
  const names = expand.split(',')
  return expansionsOf(resource).filter(({ field }) => names.includes(field))
}

/** The scopes of the records that `expand` asks for. */
export const scopesOfExpand = (resource: Resource, expand: unknown): readonly Scope[] =>
  expand === undefined ? NONE : chosen(resource, expand).map((each) => each.resource.scope)

/** Reports whether records are asked for otherwise than they are stored. */
export const asksForShape = ({ fields, expand }: Record<string, unknown>): boolean =>
  fields !== undefined || expand !== undefined

/**
 * Returns records as `fields` and `expand` ask for them.
 * @param items the text of a JSON array with `count` records, which need an `id`
 */
export async function shaped(
  resource: Resource,
  { contractorId }: Pick<Actor, 'contractorId'>,
  { items, count }: { items: string; count: number },
  { fields, expand }: Record<string, unknown>,
): Promise<string> {
  const kept = typeof fields === 'string' ? fields : undefined
  return await shapeItems(
    await database(),
    resource.source,
    { contractorId, items, count },
    kept,
    chosen(resource, expand),
  )
}
