import * as z from 'zod'
import { database } from '@/db/client'
import { type BrowsePlace, type BrowseSort, browsePage } from '@/db/queries/browse'
import type { Filter, ListSource } from '@/db/queries/list-types'
import { ServiceError } from '@/lib/core/errors'
import { jsonOf } from '@/lib/core/json'
import { parseInstant } from '@/lib/core/time'
import { FilterDay } from '@/lib/resources/fields'
import { pageLimit } from './list-input'

/** A place in a list: a record's value in its order, its id, and how many come up to it. */
const Place = z.tuple([z.string().max(2000), z.string().regex(/^[\w-]{1,80}$/), z.int().min(0)])
type Place = z.output<typeof Place>

const FORMS: Record<BrowseSort['type'], (key: string) => boolean> = {
  text: (key) => !key.includes('\0'),
  numeric: (key) => /^-?\d{1,15}(\.\d{1,6})?$/.test(key),
  date: (key) => FilterDay.safeParse(key).success,
  timestamptz: (key) => parseInstant(key) !== undefined,
}

const placeText = (place: Place) => Buffer.from(JSON.stringify(place)).toString('base64url')

export const refuse = (field: string, message: string) =>
  new ServiceError('bad_request', `${field}: ${message}`, { fields: [{ field, message }] })

/** Reads a place of an order. @throws ServiceError `bad_request` when it is none of it */
function readPlace(field: string, text: string, { type }: BrowseSort): Place {
  const noPlace = refuse(field, 'is no place of this list; go on from the first page')
  const given = Place.safeParse(jsonOf(Buffer.from(text, 'base64url').toString()))
  if (given.success && FORMS[type](given.data[0])) return given.data
  throw noPlace
}

/** Parameters for going back and forth. */
export const PLACES = {
  after: z.string().max(4000).optional().describe('next of a page: what follows it'),
  before: z.string().max(4000).optional().describe('previous of a page: what leads to it'),
  limit: pageLimit(100, 50),
}

/** Members of an answer that lead on from a page. */
export const ENDS = {
  first: z.int().describe('The number of the first item among all that is found; 0 where there is none'),
  previous: z.string().nullable(),
  next: z.string().nullable(),
}

const Items = z.array(z.unknown())

/** The order and the place that a list is asked for. */
export type Asked = {
  sort: string
  limit: number
  query?: string | undefined
  after?: string | undefined
  before?: string | undefined
}

/** Reads a page, the one after a place or the one that leads to it, and where it stands among all. */
export async function readPage(
  source: ListSource,
  { contractorId, filters, many, sort }: { contractorId: string; filters: Filter[]; many: boolean; sort: BrowseSort },
  { sort: name, limit, after, before }: Asked,
) {
  const [field, text] = before === undefined ? ['after', after] : ['before', before]
  const place = text === undefined ? undefined : readPlace(field, text, sort)
  const isBack = before !== undefined
  const from: BrowsePlace | undefined = place && { key: place[0], id: place[1] }
  // The page before is read away from where one stands, and turned around.
  const down = name.startsWith('-') !== isBack
  const page = await browsePage(await database(), source, { contractorId, limit, sort, down, from, filters, many })
  const items = isBack ? JSON.stringify(Items.parse(JSON.parse(page.items)).reverse()) : page.items
  const [start, end] = isBack ? [page.last, page.first] : [page.first, page.last]
  const first = isBack ? Math.max(1, (place?.[2] ?? 1) - page.count) : (place?.[2] ?? 0) + 1
  const [isPast, isMore] = isBack ? [page.more, true] : [place !== undefined, page.more]
  const tell = (at: BrowsePlace | null, is: boolean, rank: number) =>
    at && is ? placeText([at.key, at.id, rank]) : null
  return {
    items,
    first: page.count === 0 ? 0 : first,
    previous: tell(start, isPast, first),
    next: tell(end, isMore, first + page.count - 1),
  }
}
