import * as z from 'zod'
import { InvalidParams } from './invalid-params'

/** The most that a page token skips, as the operations take it. */
const MOST = 100_000

const tokenOf = (skip: number): string => Buffer.from(`skip:${skip}`).toString('base64url')

/** The number that a page token skips; undefined for what is none of these tokens. */
function skipOf(token: string): number | undefined {
  const [, skip] = /^skip:(\d{1,6})$/.exec(Buffer.from(token, 'base64url').toString()) ?? []
  return skip !== undefined && Number(skip) <= MOST ? Number(skip) : undefined
}

const PageToken = z
  .string()
  .max(100)
  .refine((token) => skipOf(token) !== undefined, 'must be a nextPageToken that this tool gave')
  .optional()
  .describe('nextPageToken of the page before')

/** The arguments of a tool whose operation skips what was told: a page token instead. */
export const pagedInput = (input: z.ZodObject): z.ZodObject =>
  input.omit({ skip: true }).extend({ pageToken: PageToken })

/** The answer of such a tool. */
export function pagedOutput(output: z.ZodType): z.ZodObject {
  if (!(output instanceof z.ZodObject)) throw new Error('only an object is told page by page')
  return output.extend({ nextPageToken: z.string().nullable().describe('For the next page; null on the last one') })
}

/** The operation's input of a tool's parsed arguments. */
export function skippingInput({
  pageToken,
  ...input
}: Record<string, unknown>): { skip: number } & Record<string, unknown> {
  return { ...input, skip: typeof pageToken === 'string' ? (skipOf(pageToken) ?? 0) : 0 }
}

const Page = z.looseObject({ more: z.int() })

/** The answer with the token of the page after the one that skipped so many, where there is one. */
export function withNextPage(json: string, list: string, skip: number): string {
  const answer = Page.parse(JSON.parse(json))
  const { [list]: items } = answer
  const told = Array.isArray(items) ? items.length : 0
  const next = answer.more > 0 && told > 0 && skip + told <= MOST ? tokenOf(skip + told) : null
  return `${json.slice(0, -1)},"nextPageToken":${JSON.stringify(next)}}`
}

/** The maximum number of entries in one answer of a protocol list. */
const PAGE_SIZE = 50

const MARK = 'from:'

/** An opaque place in a list. It holds no secret and grants nothing, so it is not signed. */
const cursorOf = (list: string, from: number) => Buffer.from(`${list} ${MARK}${from}`).toString('base64url')

/** The place a cursor names. @throws InvalidParams for a cursor that this list never gave */
function placeOf(list: string, cursor: string, length: number): number {
  const text = Buffer.from(cursor.slice(0, 200), 'base64url').toString()
  const from = Number(text.slice(text.indexOf(MARK) + MARK.length))
  if (Number.isInteger(from) && from > 0 && from < length && cursorOf(list, from) === cursor) return from
  throw new InvalidParams(
    `The cursor names no page of ${list}. Send a nextCursor of this list unchanged, or leave it out to begin again.`,
  )
}

/**
 * Returns one page of a list of the protocol (MCP 2025-11-25, pagination): its entries, and the cursor of the next page unless this is the
 * last. What a list holds changes with a deployment or a key's scopes; a cursor beyond its end is refused, and the client begins again.
 */
export function pageOf<T>(
  list: string,
  all: readonly T[],
  cursor: string | undefined,
  size = PAGE_SIZE,
): { entries: T[]; nextCursor?: string } {
  const from = cursor === undefined ? 0 : placeOf(list, cursor, all.length)
  if (from === 0 && all.length <= size) return { entries: [...all] }
  const end = from + size
  return { entries: all.slice(from, end), ...(end < all.length ? { nextCursor: cursorOf(list, end) } : {}) }
}
