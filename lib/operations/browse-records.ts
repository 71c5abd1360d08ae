import { z } from 'zod'
import { type Database, database } from '@/db/client'
import { browsePage, namesOf } from '@/db/queries/browse'
import type { Position } from '@/db/queries/list'
import { fieldOfLink, type Resource } from '@/lib/resources/define'
import { resourceCalled } from '@/lib/resources/registry'
import { defineOperation } from './define'
import { filtersInForce } from './filters'

/** A place in a list: a record's moment of change and its id, as one text. */
const PLACE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_([\w-]{1,80})$/
const Place = z
  .string()
  .regex(PLACE, 'is no place of this list; go on from the first page')
  .transform((text): Position => {
    const [, at = '', id = ''] = PLACE.exec(text) ?? []
    return { at, id }
  })

const Item = z.record(z.string(), z.unknown())
type Item = z.output<typeof Item>

const placeOf = (item: Item | undefined): string | null => (item ? `${item.updatedAt}_${item.id}` : null)

/** The field that people call a record by, if its resource has one. */
const NAME_FIELDS = ['name', 'number']

/** What the records that some items belong to are called, by their ids. */
async function namesFor(db: Database, resource: Resource, contractorId: string, items: Item[]) {
  const found = await Promise.all(
    resource.links.map(async (link) => {
      const [other, field] = [resourceCalled(link.to), fieldOfLink(resource, link)]
      const label = NAME_FIELDS.find((name) => name in other.columns)
      const column = label && other.columns[label]
      const ids = field ? [...new Set(items.map((item) => item[field]))].filter((id) => typeof id === 'string') : []
      return column && ids.length > 0 ? namesOf(db, other.source, column.name, { contractorId, ids }) : []
    }),
  )
  return Object.fromEntries(found.flat().map(({ id, name }) => [id, name]))
}

/**
 * A page of a resource for people: by when its records last changed, the newest first unless asked otherwise, back and forth. Integrations
 * walk the list instead, which misses nothing that changes while they do.
 */
export function browseOperation(resource: Resource) {
  const filters = Object.entries(resource.filters).filter(([, { beyondForm }]) => !beyondForm)
  return defineOperation({
    name: `browse_${resource.name}`,
    title: `Browse ${resource.name}`,
    description: `The contractor’s ${resource.name} by when they last changed, with the names of what they belong to.`,
    access: resource.scope,
    effect: 'read',
    input: z.object({
      ...Object.fromEntries(filters.map(([name, { schema }]) => [name, schema.optional()])),
      order: z.enum(['newest', 'oldest']).default('newest'),
      after: Place.optional().describe('next of a page: what follows it'),
      before: Place.optional().describe('previous of a page: what leads to it'),
      limit: z.int().min(1).max(100).default(50),
    }),
    output: z.object({
      items: z.array(resource.output),
      names: z.record(z.string(), z.string()).describe('What the records are called that the items belong to, by id'),
      previous: z.string().nullable(),
      next: z.string().nullable(),
    }),
    example: { items: [resource.example], names: {}, previous: null, next: null },
    run: async ({ actor: { contractorId } }, { order, after, before, limit, ...given }) => {
      const db = await database()
      const page = await browsePage(db, resource.source, {
        contractorId,
        limit,
        // The page before is read away from where one stands, and turned around.
        down: (order === 'newest') === (before === undefined),
        from: before ?? after,
        filters: filtersInForce(filters, given),
      })
      const read = z.array(Item).parse(JSON.parse(page.items))
      const items = before ? read.reverse() : read
      const [isPast, isMore] = before ? [page.more, true] : [after !== undefined, page.more]
      return {
        items,
        names: await namesFor(db, resource, contractorId, items),
        previous: isPast ? placeOf(items[0]) : null,
        next: isMore ? placeOf(items.at(-1)) : null,
      }
    },
  })
}
