import { z } from 'zod'
import type { ListColumn, ListSource } from '@/db/queries/list'
import { MOST_SORTED } from '@/db/queries/list-shape'
import type { Actor } from '@/lib/auth/actor'
import { grouped } from '@/lib/core/grouped'
import { fieldOfLink, type Resource } from '@/lib/resources/define'
import { Amount, Currency } from '@/lib/resources/fields'
import { resourceCalled } from '@/lib/resources/registry'
import { countedIn } from './counted'
import { defineOperation, JsonText } from './define'
import { keptPage } from './kept-page'
import { INCREMENTAL, narrowing } from './list-input'
import { listReader } from './list-page'
import { API_VERSION } from './lists'

const VERSION = `"apiVersion":"${API_VERSION}"`

const TOOL_LIMIT = { error: 'must be a whole number from 1 to 25' }

/** The names that are shown beside ids, such as `customerName`, with what tells whether the key may read them. */
function namesOf(resource: Resource) {
  return resource.links.flatMap((link) => {
    const other = resourceCalled(link.to)
    const id = fieldOfLink(resource, link)
    if (id === undefined || !('name' in other.columns)) return []
    const { table } = other.source
    // `|| ''` leaves the primary key as the only index.
    const column = `(select o.name from ${table} o where o.id = l.${link.column.name} and o.contractor_id || '' = $1)`
    return [
      {
        field: `${link.to}Name`,
        scope: other.scope,
        column: { field: `${link.to}Name`, column, kind: 'text', nullable: true } as const,
      },
    ]
  })
}

/** Puts each name behind the id it belongs to. */
function withNames(columns: ListColumn[], names: ListColumn[]): ListColumn[] {
  return columns.flatMap((column) => [
    column,
    ...names.filter(({ field }) => field.replace('Name', 'Id') === column.field),
  ])
}

/**
 * Returns a function that gives a resource's source as agents are shown it: with names beside the ids, as far as the key may read
 * whose names they are. Each set of names has its own source, made once.
 */
export function toldSources(resource: Resource): (actor: Pick<Actor, 'scopes'>) => ListSource {
  const names = namesOf(resource)
  const told = Object.entries(resource.tool.told ?? {}).map(([field, { sql, kind }]) => ({
    field,
    column: sql,
    kind,
    nullable: true,
  }))
  const made = new Map<string, ListSource>()
  return ({ scopes }) => {
    const shown = names.filter(({ scope }) => scopes.has(scope)).map(({ column }) => column)
    const variant = ['told', ...shown.map(({ field }) => field)].join(' ')
    const known = made.get(variant)
    if (known) return known
    const columns = [...withNames(resource.source.columns, shown), ...told]
    const source = { ...resource.source, columns, variant, tellsState: true } as const
    made.set(variant, source)
    return source
  }
}

/** What one of a resource's records is for agents. */
export function toldOutput(resource: Resource): z.ZodObject {
  const names = namesOf(resource).map(({ field }) => [field, z.string().optional()] as const)
  const told = Object.entries(resource.tool.told ?? {}).map(([field, { schema }]) => [field, schema] as const)
  return resource.output.extend({ ...Object.fromEntries(names), ...Object.fromEntries(told) })
}

/** The example of a resource as agents are shown it. */
export function toldExample(resource: Resource): Record<string, unknown> {
  const names = resource.links.map(({ to }) => [`${to}Name`, resourceCalled(to).example.name])
  const told = Object.entries(resource.tool.told ?? {}).map(([field, { example }]) => [field, example])
  return toldOutput(resource).parse({ ...resource.example, ...Object.fromEntries([...names, ...told]) })
}

/** The fields of records as agents are shown them that strangers wrote. */
export const untrustedOf = (resource: Resource): string[] => [
  ...(resource.tool.untrusted ?? []),
  ...namesOf(resource).map(({ field }) => field),
]

function totalOf({ tool: { sums } }: Resource) {
  if (!sums) return {}
  const amounts = Object.keys(sums).filter((name) => name !== 'currency')
  const line = z.object({ currency: Currency, ...Object.fromEntries(amounts.map((name) => [name, Amount])) })
  return { total: z.array(line).nullish().describe('Sums of all that is found, for each currency') }
}

/**
 * A resource's list for agents: short pages, any order, names beside ids, and on the first page how many there are and what they
 * sum up to, because adding up pages costs a model more than asking.
 */
export function listTool(resource: Resource) {
  const { tool } = resource
  const sourceFor = toldSources(resource)
  const read = listReader(resource, keptPage)
  return defineOperation({
    name: `tell_${resource.name}`,
    title: `List ${resource.name}`,
    description: tool.description,
    access: resource.scope,
    effect: 'read',
    input: z
      .object({
        limit: z.int(TOOL_LIMIT).min(1, TOOL_LIMIT).max(25, TOOL_LIMIT).default(10).describe('Items per page'),
        updatedAfter: INCREMENTAL.updatedAfter.describe('Only changed after this moment'),
        pageToken: INCREMENTAL.pageToken.describe('nextPageToken of the page before'),
        ...narrowing(resource),
      })
      .strict(),
    output: z.object({
      apiVersion: z.literal(API_VERSION),
      count: z
        .int()
        .nullish()
        .describe(`How many are found; null beyond ${grouped(MOST_SORTED)}, absent on later pages`),
      ...totalOf(resource),
      items: z.array(toldOutput(resource)),
      nextPageToken: z.string().nullable().describe('Send it as pageToken for the next page; null on the last one'),
    }),
    example: { apiVersion: API_VERSION, count: 1, items: [toldExample(resource)], nextPageToken: null },
    tool: {
      name: `list_${resource.name}`,
      category: tool.category,
      example: { limit: 5 },
      untrusted: untrustedOf(resource),
    },
    run: async (ctx, input) => {
      const { items, next, filters, sort, state } = await read(ctx, input, sourceFor(ctx.actor))
      const parts = [VERSION]
      if (input.pageToken === undefined) {
        const query = { contractorId: ctx.actor.contractorId, filters, sort }
        const { count, total } = await countedIn(state, resource.source, tool.sums, query)
        parts.push(`"count":${count}`, ...(tool.sums ? [`"total":${total}`] : []))
      }
      return new JsonText(
        `{${[...parts, `"items":${items}`, `"nextPageToken":${JSON.stringify(next ?? null)}`].join(',')}}`,
      )
    },
  })
}
