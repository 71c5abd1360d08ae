import { InvalidParams } from './invalid-params'

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
