import { z } from 'zod'
import { database } from '@/db/client'
import { countFound, estimateFound } from '@/db/queries/count'
import { getItem } from '@/db/queries/list'
import { MOST_SORTED } from '@/db/queries/list-shape'
import type { Actor } from '@/lib/auth/actor'
import { ServiceError } from '@/lib/core/errors'
import { grouped } from '@/lib/core/grouped'
import type { Resource } from '@/lib/resources/define'
import { FILTER_NAMES, RESOURCES } from '@/lib/resources/registry'
import { absent } from './absent'
import { defineOperation, JsonText } from './define'
import { detailFields, INCLUDE, sourceFor } from './details'
import { COMMON, COUNT, INCREMENTAL, narrowing } from './list-input'
import { listReader, tokensOn } from './list-page'
import { asksForShape, expandedFields, scopesOfExpand, shaped, shaping } from './shape'
import { pageVersions, versionOfText } from './version'

/** The version in every list response (specification 9.1). */
export const API_VERSION = 'v1' as const

/** The names in `query.common` of the metadata document (specification 2.6). */
export const COMMON_PARAMETERS = ['contractorId', 'limit', 'updatedAfter']

/** Every query parameter that any list accepts. */
export const LIST_PARAMETERS: readonly string[] = [
  ...Object.keys(COMMON),
  ...Object.keys(INCREMENTAL),
  ...FILTER_NAMES,
  'sort',
  'include',
  'fields',
  'expand',
  'count',
]

const NARROWING = new Map(RESOURCES.map((resource) => [resource.name, Object.keys(narrowing(resource))]))

/** Returns the parameters a resource's list accepts under the current settings, in the order of the documents. */
export function listParameters({ name, pagesWithoutTokens }: Resource): string[] {
  const paging = pagesWithoutTokens || tokensOn() ? ['updatedAfter', 'pageToken'] : []
  return ['contractorId', 'limit', ...paging, ...(NARROWING.get(name) ?? []), 'include', 'fields', 'expand', 'count']
}

/** Checks `contractorId`. @throws ServiceError `forbidden` when it is not the actor's contractor */
export function requireOwn(actor: Actor, contractorId: unknown): void {
  if (contractorId === undefined || contractorId === actor.contractorId) return
  throw new ServiceError(
    'forbidden',
    'This key belongs to another contractor. Leave contractorId out, or use a key of that contractor.',
  )
}

type Page = Awaited<ReturnType<ReturnType<typeof listReader>>>

/** Returns the number of records a list finds as members of its answer: counted up to a bound, and estimated beyond it. */
async function counted({ name, source }: Resource, { contractorId }: Actor, { filters, sort }: Page): Promise<string> {
  const query = { contractorId, filters, sort }
  const { count } = await countFound(await database(), source, undefined, query)
  const told = count ?? (await estimateFound(await database(), source, name, query))
  return `"count":${told},"countIsExact":${count !== null},`
}

/** `GET /<resource>`: one page of a resource (specification 2.1, 4.1), with what is asked for beyond it. */
export function listOperation(resource: Resource) {
  const read = listReader(resource)
  const versionOf = pageVersions(resource)
  return defineOperation({
    name: `list_${resource.name}`,
    title: `List ${resource.name}`,
    description: `The contractor’s ${resource.name}, least recently updated first unless sorted otherwise.`,
    access: resource.scope,
    effect: 'read',
    limit: 'dataApi',
    input: z.object({ ...COMMON, ...INCREMENTAL, ...narrowing(resource), ...INCLUDE, ...shaping(resource), ...COUNT }),
    output: z.object({
      apiVersion: z.literal(API_VERSION),
      count: z.int().optional().describe('With count=true: how many records the list finds, over all pages'),
      countIsExact: z
        .boolean()
        .optional()
        .describe(`With count=true: false when count is an estimate, beyond ${grouped(MOST_SORTED)}`),
      items: z.array(resource.output.extend(detailFields(resource)).extend(expandedFields(resource))),
      nextPageToken: z.string().nullable().describe('Send it as pageToken for the next page; null on the last one'),
    }),
    example: { apiVersion: API_VERSION, items: [resource.example], nextPageToken: null },
    http: { method: 'GET', path: `/${resource.name}`, at: 'data', versioned: true },
    parameters: () => listParameters(resource),
    alsoNeeds: ({ expand }) => scopesOfExpand(resource, expand),
    run: async (ctx, input) => {
      requireOwn(ctx.actor, input.contractorId)
      const page = await read(ctx, input, sourceFor(resource, ctx.actor, input.include))
      const { next } = page
      const isPlain = !input.count && !input.include && !asksForShape(input)
      const count = input.count ? await counted(resource, ctx.actor, page) : ''
      const items = asksForShape(input) ? await shaped(resource, ctx.actor, page, input) : page.items
      // A page token works for the key that got it.
      const holder = ctx.actor.kind === 'key' ? ctx.actor.keyId : ctx.actor.kind
      const told = versionOf(page, ctx.now) + (next === undefined ? '' : `-${holder.slice(-8)}`)
      const version = isPlain ? told : `${told}-${versionOfText(count + items)}`
      const token = next === undefined ? 'null' : `"${next}"`
      return new JsonText(`{"apiVersion":"${API_VERSION}",${count}"items":${items},"nextPageToken":${token}}`, {
        version,
        next,
      })
    },
  })
}

/** `GET /<resource>/{id}`: one record; `gone` when it was deleted. Another contractor's is `not_found`, as if it did not exist. */
export function getOperation(resource: Resource) {
  return defineOperation({
    name: `get_${resource.singular}`,
    title: `Get one ${resource.singular}`,
    description: `One ${resource.singular} of the contractor by its id.`,
    access: resource.scope,
    effect: 'read',
    limit: 'dataApi',
    input: z.object({
      id: z.string().min(1).max(100).describe('As the list gives it'),
      contractorId: COMMON.contractorId,
      ...INCLUDE,
      ...shaping(resource),
    }),
    output: resource.output.extend(detailFields(resource)).extend(expandedFields(resource)),
    example: resource.example,
    http: { method: 'GET', path: `/${resource.name}/{id}`, at: 'data', versioned: true },
    alsoNeeds: ({ expand }) => scopesOfExpand(resource, expand),
    run: async ({ actor }, { id, contractorId, ...asked }) => {
      requireOwn(actor, contractorId)
      const db = await database()
      const record = { contractorId: actor.contractorId, id }
      const item = await getItem(db, sourceFor(resource, actor, asked.include), record)
      if (item === undefined) throw await absent(db, resource, record, `/${resource.name}`)
      const shown = asksForShape(asked)
        ? await shaped(resource, actor, { items: `[${item}]`, count: 1 }, asked)
        : undefined
      const text = shown?.slice(1, -1) ?? item
      return new JsonText(text, { version: versionOfText(text) })
    },
  })
}
