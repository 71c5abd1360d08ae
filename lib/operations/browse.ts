import * as z from 'zod'
import { database } from '@/db/client'
import { countEach, namesOf, recordsState } from '@/db/queries/browse'
import { estimateFound } from '@/db/queries/count'
import { MOST_SORTED } from '@/db/queries/list-shape'
import type { Filter, ListSource } from '@/db/queries/list-types'
import type { Actor } from '@/lib/auth/actor'
import { identifierOf } from '@/lib/core/resource-names'
import { grouped } from '@/lib/core/text'
import { fieldOfLink, kindOf, type Resource } from '@/lib/resources/define'
import { type Desk, deskOf } from '@/lib/resources/desk'
import { Amount, Currency, FilterDay } from '@/lib/resources/fields'
import { resourceCalled } from '@/lib/resources/registry'
import { type Asked, ENDS, PLACES, readPage, refuse } from './browse-page'
import { countedIn } from './counted'
import { defineOperation, JsonText } from './define'
import { filtersInForce } from './filters'
import { NAMED_INPUT } from './list-input'

/** The field that people call a record by, if its resource has one. */
const NAME_FIELDS = ['name', 'number']

const Items = z.array(z.record(z.string(), z.unknown()))

/** Returns what the records are called that some items belong to, by id: the text of a JSON object, as the items are that of an array. */
async function namesBeside(resource: Resource, { contractorId }: Actor, text: string): Promise<string> {
  const [db, items] = [await database(), Items.parse(JSON.parse(text))]
  const found = await Promise.all(
    resource.links.map(async (link) => {
      const [other, field] = [resourceCalled(link.to), fieldOfLink(resource, link)]
      const label = NAME_FIELDS.find((name) => name in other.columns)
      const column = label && other.columns[label]
      const ids = field ? [...new Set(items.map((item) => item[field]))].filter((id) => typeof id === 'string') : []
      return column && ids.length > 0 ? namesOf(db, other.source, column.name, { contractorId, ids }) : []
    }),
  )
  return JSON.stringify(Object.fromEntries(found.flat().map(({ id, name }) => [id, name])))
}

/** Returns the filters that a resource's list takes from people, as parameters. Days are the contractor's. */
function filterParameters({ filters }: Resource, desk: Desk): Record<string, z.ZodType> {
  const own = Object.entries(filters).map(([name, { column, operator, schema }]) => {
    const isDay = kindOf(column) === 'instant'
    const text = operator === '>=' ? 'First day' : 'Last day'
    return [name, isDay ? FilterDay.describe(text).optional() : schema.optional()]
  })
  const more = Object.entries(desk.filters).map(([name, { schema }]) => [name, schema.optional()])
  return Object.fromEntries([...own, ...more])
}

/** Returns the filters that are given. */
function filtersOf({ filters }: Resource, desk: Desk, input: Record<string, unknown>): Filter[] {
  const definitions = Object.entries(filters)
  const days = definitions.filter(([, { column }]) => kindOf(column) === 'instant')
  const others = definitions.filter((each) => !days.includes(each))
  return [
    ...filtersInForce(others, input),
    ...days.flatMap(([name, { column, operator }]): Filter[] => {
      const value = input[name]
      if (typeof value !== 'string') return []
      return [{ column: column.name, operator: operator === '>=' ? 'from day' : 'to day', value }]
    }),
    ...Object.entries(desk.filters).flatMap(([name, { column, operator, and }]): Filter[] => {
      const value = input[name]
      return typeof value === 'string' ? [{ column, operator, value, ...(and === undefined ? {} : { and }) }] : []
    }),
  ]
}

const sourceOf = (resource: Resource, { fields }: Desk): ListSource => ({
  ...resource.source,
  variant: 'desk',
  columns: [
    ...resource.source.columns,
    ...Object.entries(fields).map(([field, { sql, kind }]) => ({ field, column: sql, kind, nullable: true })),
  ],
})

/** Counts what the other filters find in each tab of a list: one takes the place of another, and of the unpaid ones. */
async function tabsOf(source: ListSource, { statuses }: Desk, contractorId: string, filters: Filter[]) {
  if (statuses.length === 0) return {}
  const others = filters.filter(({ column }) => column !== 'status')
  const each = { column: 'status', values: statuses, most: MOST_SORTED }
  return await countEach(await database(), source, { contractorId, filters: others, ...each })
}

const TOTAL = (desk: Desk) => {
  const names = Object.keys(desk.sums ?? {}).filter((name) => name !== 'currency')
  return z.object({ currency: Currency, ...Object.fromEntries(names.map((name) => [name, Amount])) })
}

/** Returns the filters of a list with that for what somebody looks for. */
async function withQuery(resource: Resource, actor: Actor, filters: Filter[], text: string | undefined) {
  if (text === undefined) return filters
  const { filterNamed } = await import('./named')
  return [...filters, await filterNamed(await database(), resource, actor, { text, filters, open: true })]
}

/**
 * The list of a resource for people: searched, filtered by days of the contractor, sorted, back and forth, with counts of its tabs and sums of all
 * that it finds.
 */
export function browseOperation<Output extends z.ZodObject>(resource: Resource<Output>) {
  const desk = deskOf(resource)
  const source = sourceOf(resource, desk)
  const names = Object.keys(desk.sorts).flatMap((name) => [name, `-${name}`])
  const extra = Object.fromEntries(Object.entries(desk.fields).map(([field, { schema }]) => [field, schema]))
  return defineOperation({
    name: `browse_${identifierOf(resource.name)}`,
    title: `Browse ${resource.name}`,
    description: `The contractor’s ${resource.name} as its office works with them: searched, filtered by its own days, sorted, with counts and sums.`,
    access: resource.scope,
    effect: 'read',
    input: z
      .object({
        ...filterParameters(resource, desk),
        query: NAMED_INPUT.query.describe('Only what has these words, or a number that begins so'),
        sort: z
          .enum(names as [string, ...string[]])
          .default('-updated')
          .describe('- for the greatest or latest first'),
        ...PLACES,
      })
      .strict(),
    output: z.object({
      items: z.array(resource.output.extend(extra)),
      names: z.record(z.string(), z.string()).describe('What the records are called that the items belong to, by id'),
      count: z.int().describe('How many are found, over all pages'),
      countIsExact: z.boolean().describe(`False where count is an estimate, beyond ${grouped(MOST_SORTED)}`),
      total: z
        .array(TOTAL(desk))
        .nullable()
        .describe('Sums of all that is found, by currency; null beyond the most that is counted'),
      statuses: z
        .record(z.string(), z.int().nullable())
        .describe(`How many the other filters find in each status; null beyond ${grouped(MOST_SORTED)}`),
      ...ENDS,
    }),
    // The compiler cannot know the fields of an item, as each resource has others; a test holds every example to its schema.
    example: {
      items: [
        {
          ...resource.example,
          ...Object.fromEntries(Object.entries(desk.fields).map(([field, { example }]) => [field, example])),
        },
      ],
      names: {},
      count: 1,
      countIsExact: true,
      total: null,
      statuses: {},
      first: 1,
      previous: null,
      next: null,
    } as never,
    run: async ({ actor }, input) => {
      const { contractorId } = actor
      const db = await database()
      const asked = input as Asked & Record<string, unknown>
      const sort = desk.sorts[asked.sort.replace('-', '')]
      if (!sort) throw new Error(`${asked.sort} is in no list of orders`)
      const state = await recordsState(db, resource.source, contractorId)
      const filters = await withQuery(resource, actor, filtersOf(resource, desk, asked), asked.query)
      const query = { contractorId, filters, sort: undefined }
      const { count, total } = await countedIn(state, source, desk.sums, query)
      const many = count === null
      if (many && sort.walk === 'none')
        throw refuse(
          'sort',
          `more than ${grouped(MOST_SORTED)} are found, too many to sort by this; narrow the list first`,
        )
      const [page, statuses, told] = await Promise.all([
        readPage(source, { contractorId, filters, many, sort }, asked),
        tabsOf(resource.source, desk, contractorId, filters),
        many ? estimateFound(db, resource.source, resource.name, query) : count,
      ])
      const { items, first, previous, next } = page
      const beside = await namesBeside(resource, actor, items)
      const rest = { count: told, countIsExact: !many, statuses, first, previous, next }
      const sums = desk.sums && total ? total : 'null'
      return new JsonText(`{"items":${items},"names":${beside},"total":${sums},${JSON.stringify(rest).slice(1)}`)
    },
  })
}
