import { createHmac, timingSafeEqual } from 'node:crypto'
import { database } from '@/db/client'
import { listPage } from '@/db/queries/list'
import type { Filter, ListSource, Page, Position, Sort } from '@/db/queries/list-types'
import type { Actor } from '@/lib/auth/actor'
import { env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import type { Resource } from '@/lib/resources/define'
import type { Context } from './define'
import { filtersInForce, sortOf } from './filters'

/** A position in a list, and the token's expiry (epoch seconds). */
type Payload = { at: string; id: string; exp: number }

/** The values that a token is bound to. A token used anywhere else is rejected. */
export type TokenBinding = { resource: string; contractorId: string; keyId: string; filters: Record<string, string> }

const LIFETIME_SECONDS = 24 * 60 * 60

/** The binding is part of the signature only; the token itself contains no ids of contractors or keys. */
function sign(secret: string, payload: string, { resource, contractorId, keyId, filters }: TokenBinding): string {
  const bound = JSON.stringify([payload, resource, contractorId, keyId, Object.entries(filters).sort()])
  return createHmac('sha256', secret).update(bound).digest('base64url')
}

/** Compares text, because several base64url spellings encode the same bytes and only ours is accepted. */
function equal(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Returns an opaque token for the position after an item: HMAC-SHA256 over the position and its binding; valid for 24 hours. */
export function issuePageToken(
  secret: string,
  place: { at: string; id: string },
  binding: TokenBinding,
  now: Date,
): string {
  const payload: Payload = {
    at: place.at,
    id: place.id,
    exp: Math.floor(now.getTime() / 1000) + LIFETIME_SECONDS,
  }
  const encoded = Buffer.from(JSON.stringify(payload)).toString('base64url')
  return `${encoded}.${sign(secret, encoded, binding)}`
}

function refuse(message: string): never {
  throw new ServiceError('bad_request', message, { fields: [{ field: 'pageToken', message }] })
}

/**
 * Returns the position a token stands for.
 * @param secrets the current secret first, then the previous one while secrets rotate
 * @throws ServiceError `bad_request` when the token was changed, is bound elsewhere, or has expired
 */
export function readPageToken(
  secrets: readonly (string | undefined)[],
  token: string,
  binding: TokenBinding,
  now: Date,
) {
  const [encoded = '', signature = '', ...rest] = token.split('.')
  const genuine = secrets.some((secret) => secret !== undefined && equal(signature, sign(secret, encoded, binding)))
  if (!genuine || rest.length > 0) {
    refuse(
      'The page token does not belong to this request. Use nextPageToken unchanged, with the same key, endpoint and filters.',
    )
  }
  const payload: Payload = JSON.parse(Buffer.from(encoded, 'base64url').toString())
  if (payload.exp * 1000 <= now.getTime())
    refuse('The page token has expired. Begin the walk again; tokens are valid for 24 hours.')
  return { at: payload.at, id: payload.id }
}

/** Reports whether this server issues page tokens. */
export const tokensOn = () => env().tokenSecrets[0] !== undefined

/** Returns the secrets that sign page tokens. @throws ServiceError `bad_request` when this server has none */
export function requireTokens(): readonly (string | undefined)[] {
  if (tokensOn()) return env().tokenSecrets
  const message = 'Page tokens are not enabled on this server, so none can be used. Leave pageToken out.'
  throw new ServiceError('bad_request', message, { fields: [{ field: 'pageToken', message }] })
}

/** Returns the start. Both bounds are lower bounds, so using only the later one keeps the index scan to one range. */
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

/** A page as it was read, and what it was read by. `ends` has the members of the answer that lead on from it. */
export type ReadPage = {
  items: string
  count: number
  version: string
  state: string | null
  filters: Filter[]
  sort: Sort | undefined
  /** The page token of the next page. */
  next: string | undefined
  /** True when there are more records, and no token. */
  isCut: boolean
  ends: string
}

/** Parses what a list was asked for into what the database is asked, its filters and its place among them, and asks it for the page. */
export type PageReader = (ctx: Context, input: Record<string, unknown>, source: ListSource) => Promise<ReadPage>

function tokenFor(place: NonNullable<Page['last']>, binding: TokenBinding, now: Date): string | undefined {
  const [secret] = env().tokenSecrets
  return secret && issuePageToken(secret, place, binding, now)
}

/** Returns filters with that for a name or a number, where one is asked for. */
async function withNamed(resource: Resource, actor: Actor, filters: Filter[], text: unknown): Promise<Filter[]> {
  if (typeof text !== 'string') return filters
  // Loaded where a name is asked for, which lists of the data API are not.
  const { filterNamed } = await import('./named')
  return [...filters, await filterNamed(await database(), resource, actor, { text, filters })]
}

/** Reads a resource onward by signed tokens, in any order: whoever walks it misses nothing that changes meanwhile. */
export function byTokens(resource: Resource): PageReader {
  const definitions = Object.entries(resource.filters)
  const bound = ['updatedAfter', 'sort', 'query', ...Object.keys(resource.filters)]

  return async ({ actor, now }, input, source) => {
    const { updatedAfter, pageToken } = presentStrings(input, ['updatedAfter', 'pageToken'])
    const binding: TokenBinding = {
      resource: resource.name,
      contractorId: actor.contractorId,
      keyId: actor.kind === 'key' ? actor.keyId : actor.kind,
      filters: presentStrings(input, bound),
    }
    const place = pageToken === undefined ? undefined : readPageToken(requireTokens(), pageToken, binding, now)
    const given = filtersInForce(definitions, input)
    const filters = await withNamed(resource, actor, given, input.query)
    const sort = sortOf(resource, input.sort)
    // In another order the moment of change is a filter like others, and not a place.
    const since = { column: 'updated_at', operator: '>', value: updatedAfter ?? '' } as const
    const page = await listPage(await database(), source, {
      contractorId: actor.contractorId,
      limit: Number(input.limit),
      after: sort ? place : startOf(place, updatedAfter),
      filters: sort && updatedAfter !== undefined ? [...filters, since] : filters,
      sort,
    })
    const next = page.last && tokenFor(page.last, binding, now)
    const { items, count, version, state } = page
    // Named one by one: a spread made an object that outlived its request in old memory (docs/performance/lists.md).
    return {
      items,
      count,
      version,
      state,
      filters: updatedAfter === undefined ? filters : [...filters, since],
      sort,
      next,
      isCut: page.last !== undefined && next === undefined,
      ends: `"nextPageToken":${JSON.stringify(next ?? null)}`,
    }
  }
}
