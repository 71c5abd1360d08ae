import { database } from '@/db/client'
import { type ListSource, listPage, type Position } from '@/db/queries/list'
import { env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import type { Resource } from '@/lib/resources/define'
import type { Context } from './define'
import { filtersInForce, sortOf } from './filters'
import { issuePageToken, readPageToken, type TokenBinding } from './page-token'

/** Whether this server issues page tokens. */
export const tokensOn = () => env().tokenSecrets[0] !== undefined

/** Returns the secrets that sign page tokens. @throws ServiceError `bad_request` when this server has none */
export function requireTokens(): readonly (string | undefined)[] {
  if (tokensOn()) return env().tokenSecrets
  const message = 'Page tokens are not enabled on this server, so none can be used. Leave pageToken out.'
  throw new ServiceError('bad_request', message, { fields: [{ field: 'pageToken', message }] })
}

/** Both bounds are lower bounds, so using only the later one keeps the index scan to one range. */
function startOf(place: Position | undefined, updatedAfter: string | undefined): Position | undefined {
  if (!place || !updatedAfter) return place ?? (updatedAfter === undefined ? undefined : { at: updatedAfter })
  return updatedAfter > place.at ? { at: updatedAfter } : place
}

/** Returns those of some inputs that are given as text. */
export function presentStrings(input: Record<string, unknown>, names: string[]): Record<string, string> {
  const present: Record<string, string> = {}
  for (const name of names) {
    const value = input[name]
    if (typeof value === 'string') present[name] = value
  }
  return present
}

/** Parses what a list was asked for into what the database is asked, its filters and its place among them; `read` asks it for the page. */
export function listReader(resource: Resource, read = listPage) {
  const definitions = Object.entries(resource.filters)
  const bound = ['updatedAfter', 'sort', ...Object.keys(resource.filters)]

  return async (
    { actor, now }: Context,
    input: Record<string, unknown> & { limit: number },
    source: ListSource = resource.source,
  ) => {
    const { updatedAfter, pageToken } = presentStrings(input, ['updatedAfter', 'pageToken'])
    const binding: TokenBinding = {
      resource: resource.name,
      contractorId: actor.contractorId,
      keyId: actor.kind === 'key' ? actor.keyId : actor.kind,
      filters: presentStrings(input, bound),
    }
    const place = pageToken === undefined ? undefined : readPageToken(requireTokens(), pageToken, binding, now)
    const filters = filtersInForce(definitions, input)
    const sort = sortOf(resource, input.sort)
    // In another order the moment of change is a filter like others, and not a place.
    const since = { column: 'updated_at', operator: '>', value: updatedAfter ?? '' } as const
    const page = await read(await database(), source, {
      contractorId: actor.contractorId,
      limit: input.limit,
      after: sort ? place : startOf(place, updatedAfter),
      filters: sort && updatedAfter !== undefined ? [...filters, since] : filters,
      sort,
    })
    const [secret] = env().tokenSecrets
    const next = page.last && secret ? issuePageToken(secret, page.last, binding, now) : undefined
    const { items, count, version, last, state } = page
    // Named one by one: a spread made an object that outlived its request in old memory (decision 120).
    return {
      items,
      count,
      version,
      last,
      state,
      next,
      filters: updatedAfter === undefined ? filters : [...filters, since],
      sort,
    }
  }
}
