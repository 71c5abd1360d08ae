import { createHash } from 'node:crypto'
import * as z from 'zod'
import { database } from '@/db/client'
import { countFound, estimateFound } from '@/db/queries/count'
import { getItem } from '@/db/queries/list'
import type { ListSource } from '@/db/queries/list-types'
import type { Actor } from '@/lib/auth/actor'
import { ServiceError } from '@/lib/core/errors'
import { identifierOf } from '@/lib/core/resource-names'
import type { Resource } from '@/lib/resources/define'
import { FILTER_NAMES, RESOURCES, resourceCalled } from '@/lib/resources/registry'
import { absent, requirePresent } from './absent'
import { countedIn } from './counted'
import { type AnyOperation, defineOperation, JsonText } from './define'
import { detailFields, INCLUDE, sourceFor } from './details'
import { COMMON, INCREMENTAL, narrowing } from './list-input'
import { type PageReader, type ReadPage, tokensOn } from './list-page'
import { asksForShape, expandedFields, scopesOfExpand, shaped, shaping } from './shape'

/** A page token works for 24 hours, so an answer that carries one counts as new after twelve. */
const HALF_A_DAY_MS = 12 * 60 * 60 * 1000

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22)

/** The version of an answer whose text holds everything that makes it. */
const versionOfText = (text: string): string => digest(text)

/**
 * Returns how a resource's pages are versioned: by which records they hold and when those last changed, which the database has told with the
 * page, so that nothing is hashed here. What is shown of a record is part of it, so that an update of this service is a new version.
 */
function pageVersions(resource: Resource) {
  const form = digest(JSON.stringify(resource.source.columns)).slice(0, 6)
  return ({ version, count, next }: { version: string; count: number; next: string | undefined }, now: Date): string =>
    `${form}-${version.replace('-', '_')}-${count}${next === undefined ? '' : `-${Math.floor(now.getTime() / HALF_A_DAY_MS)}`}`
}

/** The version in every list response (specification 9.1). */
export const API_VERSION = 'v1' as const

/** The names in `query.common` of the metadata document (specification 2.6). */
export const COMMON_PARAMETERS = ['contractorId', 'limit', 'updatedAfter']

/** The query parameters that any list accepts. */
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

/** The audience of a list. Everything that one audience gets differently from another is in its value. */
export type Audience<Output extends z.ZodObject = z.ZodObject> = {
  verb: 'list' | 'tell'
  title: string
  description(resource: Resource): string
  input(resource: Resource): z.ZodObject
  output(resource: Resource): Output
  example(resource: Resource): z.output<Output>
  /** Returns how pages follow each other. */
  pages(resource: Resource): PageReader
  /** The fields of its records, by who asks and by `include`. */
  fields(resource: Resource): (actor: Actor, include: unknown) => ListSource
  /**
   * Counts of what is found: `asked` counts where that is asked for, and estimates what is too much to count; `first` counts and sums with
   * each first page.
   */
  counts?: 'asked' | 'first'
  /** Says of an id to filter by that is nobody’s, or of another kind, that it is, where nothing is found. */
  requiresIds?: true
  /** Tells the version of the API. */
  apiVersion?: true
  /** Returns which interfaces offer it. */
  offered?(resource: Resource): Pick<AnyOperation, 'limit' | 'http' | 'tool' | 'parameters'>
}

/** Reports whether an answer counts what its list finds: not where the audience is not told, or has been with the page before. */
const isCounted = ({ counts }: Audience, { count, pageToken }: Record<string, unknown>): boolean =>
  (counts === 'first' && pageToken === undefined) || (counts === 'asked' && Boolean(count))

/** Returns the members of an answer that count what its list finds. */
async function counted(
  { counts }: Audience,
  { name, source, tool: { sums } }: Resource,
  { contractorId }: Actor,
  { filters, sort, state }: ReadPage,
): Promise<string> {
  const query = { contractorId, filters, sort }
  if (counts === 'first') {
    const { count, total } = await countedIn(state, source, sums, query)
    return `"count":${count},${sums ? `"total":${total},` : ''}`
  }
  const { count } = await countFound(await database(), source, undefined, query)
  const told = count ?? (await estimateFound(await database(), source, name, query))
  return `"count":${told},"countIsExact":${count !== null},`
}

/** Checks the ids that a list is filtered by, where it found nothing. @throws ServiceError `not_found` for one of another kind, or that is nobody’s */
async function requireLinked(
  resource: Resource,
  { contractorId }: Actor,
  input: Record<string, unknown>,
  { count }: Pick<ReadPage, 'count'>,
): Promise<void> {
  if (count > 0) return
  for (const { to } of resource.links) {
    const id = input[`${to}Id`]
    if (typeof id === 'string') await requirePresent(await database(), resourceCalled(to), { contractorId, id })
  }
}

/** A list of a resource, as its audience has it (specification 2.1, 4.1 for the data API). */
export function listOperation<Output extends z.ZodObject>(resource: Resource, audience: Audience<Output>) {
  const read = audience.pages(resource)
  const sourceOf = audience.fields(resource)
  const offered = audience.offered?.(resource)
  const versionOf = offered?.http ? pageVersions(resource) : undefined
  const head = audience.apiVersion ? `"apiVersion":"${API_VERSION}",` : ''
  return defineOperation({
    name: `${audience.verb}_${identifierOf(resource.name)}`,
    title: `${audience.title} ${resource.name}`,
    description: audience.description(resource),
    access: resource.scope,
    effect: 'read',
    input: audience.input(resource),
    output: audience.output(resource),
    example: audience.example(resource),
    ...offered,
    alsoNeeds: ({ expand }) => scopesOfExpand(resource, expand),
    run: async ({ actor, now }, input) => {
      requireOwn(actor, input.contractorId)
      const page = await read({ actor, now }, input, sourceOf(actor, input.include))
      const { next, isCut, ends } = page
      if (audience.requiresIds) await requireLinked(resource, actor, input, page)
      const count = isCounted(audience, input) ? await counted(audience, resource, actor, page) : ''
      const items = asksForShape(input) ? await shaped(resource, actor, page, input) : page.items
      const text = `{${head}${count}"items":${items},${ends}}`
      if (!versionOf) return new JsonText(text)
      const isPlain = !input.count && !input.include && !asksForShape(input)
      // A page token works for the key that got it.
      const holder = actor.kind === 'key' ? actor.keyId : actor.kind
      const told = versionOf(page, now) + (next === undefined ? '' : `-${holder.slice(-8)}`)
      return new JsonText(text, {
        version: isPlain ? told : `${told}-${versionOfText(count + items)}`,
        next,
        isCut,
      })
    },
  })
}

/** `GET /<resource>/{id}`: one record; `gone` when it was deleted. Another contractor's is `not_found`, as if it did not exist. */
export function getOperation(resource: Resource) {
  return defineOperation({
    name: `get_${identifierOf(resource.singular)}`,
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
