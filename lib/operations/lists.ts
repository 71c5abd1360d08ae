import { z } from 'zod'
import { database } from '@/db/client'
import { type Filter, getItem, listPage, type Position } from '@/db/queries/list'
import type { Actor } from '@/lib/auth/actor'
import { env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import type { Resource } from '@/lib/resources/define'
import { FILTER_NAMES } from '@/lib/resources/registry'
import { type Context, defineOperation, JsonText } from './define'
import { COMMON, INCREMENTAL } from './list-input'
import { listTool } from './list-tool'
import { issuePageToken, readPageToken, type TokenBinding } from './page-token'

/** The version in every list response (specification 9.1). */
export const API_VERSION = 'v1' as const

/** The names in `query.common` of the metadata document (specification 2.6). */
export const COMMON_PARAMETERS = ['contractorId', 'limit', 'updatedAfter']

/** Every query parameter that any list accepts. */
export const LIST_PARAMETERS: readonly string[] = [...Object.keys(COMMON), ...Object.keys(INCREMENTAL), ...FILTER_NAMES]

const tokensOn = () => env().tokenSecrets[0] !== undefined

/** Returns the parameters a resource's list accepts under the current settings, in the order of the documents. */
export function listParameters(resource: Resource): string[] {
  const paging = resource.pagesWithoutTokens || tokensOn() ? ['updatedAfter', 'pageToken'] : []
  return ['contractorId', 'limit', ...paging, ...Object.keys(resource.filters)]
}

/** Checks `contractorId`. @throws ServiceError `forbidden` when it is not the actor's contractor */
function requireOwn(actor: Actor, contractorId: string | undefined): void {
  if (contractorId === undefined || contractorId === actor.contractorId) return
  throw new ServiceError(
    'forbidden',
    'This key belongs to another contractor. Leave contractorId out, or use a key of that contractor.',
  )
}

/** Returns the secrets that sign page tokens. @throws ServiceError `bad_request` when this server has none */
export function requireTokens(): readonly (string | undefined)[] {
  if (tokensOn()) return env().tokenSecrets
  const message = 'Page tokens are not enabled on this server, so none can be used. Leave pageToken out.'
  throw new ServiceError('bad_request', message, { fields: [{ field: 'pageToken', message }] })
}

/** Both bounds are lower bounds, so using only the later one keeps the index scan to one range. */
function startOf(place: Position | undefined, updatedAfter: string | undefined): Position | undefined {
  if (!place || !updatedAfter) return place ?? (updatedAfter === undefined ? undefined : { updatedAt: updatedAfter })
  return updatedAfter > place.updatedAt ? { updatedAt: updatedAfter } : place
}

function presentStrings(input: Record<string, unknown>, names: string[]): Record<string, string> {
  const present: Record<string, string> = {}
  for (const name of names) {
    const value = input[name]
    if (typeof value === 'string') present[name] = value
  }
  return present
}

/** `GET /<resource>`: one page of a resource (specification 2.1, 4.1). */
export function listOperation(resource: Resource) {
  const filterNames = Object.keys(resource.filters)
  const bound = ['updatedAfter', ...filterNames]
  const filterSchemas = Object.entries(resource.filters).map(
    ([name, filter]) => [name, filter.schema.optional()] as const,
  )

  const definitions = Object.entries(resource.filters).map(([name, { column, operator }]) => ({
    name,
    column: column.name,
    operator,
  }))
  const filtersInForce = (given: Record<string, string>): Filter[] => {
    const inForce: Filter[] = []
    for (const { name, column, operator } of definitions) {
      const value = given[name]
      if (value !== undefined) inForce.push({ column, operator, value })
    }
    return inForce
  }

  const run = async (
    { actor, now }: Context,
    input: Record<string, unknown> & { limit: number },
  ): Promise<JsonText> => {
    const { contractorId, updatedAfter, pageToken } = presentStrings(input, [
      'contractorId',
      'updatedAfter',
      'pageToken',
    ])
    requireOwn(actor, contractorId)
    const filters = presentStrings(input, filterNames)
    const binding: TokenBinding = {
      resource: resource.name,
      contractorId: actor.contractorId,
      keyId: actor.kind === 'key' ? actor.keyId : actor.kind,
      filters: presentStrings(input, bound),
    }
    const place = pageToken === undefined ? undefined : readPageToken(requireTokens(), pageToken, binding, now)
    const page = await listPage(await database(), resource.source, {
      contractorId: actor.contractorId,
      limit: input.limit,
      after: startOf(place, updatedAfter),
      filters: filtersInForce(filters),
    })
    const [secret] = env().tokenSecrets
    const next = page.last && secret ? `"${issuePageToken(secret, page.last, binding, now)}"` : 'null'
    return new JsonText(`{"apiVersion":"${API_VERSION}","items":${page.items},"nextPageToken":${next}}`)
  }

  return defineOperation({
    name: `list_${resource.name}`,
    title: `List ${resource.name}`,
    description: `The contractor’s ${resource.name}, least recently updated first.`,
    access: resource.scope,
    effect: 'read',
    limit: 'dataApi',
    input: z.object({ ...COMMON, ...INCREMENTAL, ...Object.fromEntries(filterSchemas) }),
    output: z.object({
      apiVersion: z.literal(API_VERSION),
      items: z.array(resource.output),
      nextPageToken: z.string().nullable().describe('Send it as pageToken for the next page; null on the last one'),
    }),
    example: { apiVersion: API_VERSION, items: [resource.example], nextPageToken: null },
    http: { method: 'GET', path: `/${resource.name}`, at: 'data' },
    tool: listTool(resource, Object.fromEntries(filterSchemas)),
    parameters: () => listParameters(resource),
    run,
  })
}

/** `GET /<resource>/{id}`: one record. Another contractor's is `not_found`, as if it did not exist. */
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
    }),
    output: resource.output,
    example: resource.example,
    http: { method: 'GET', path: `/${resource.name}/{id}`, at: 'data' },
    run: async ({ actor }, { id, contractorId }) => {
      requireOwn(actor, contractorId)
      const item = await getItem(await database(), resource.source, { contractorId: actor.contractorId, id })
      if (item === undefined)
        throw new ServiceError(
          'not_found',
          `There is no ${resource.singular} with this id. Take ids from /${resource.name}.`,
        )
      return new JsonText(item)
    },
  })
}
