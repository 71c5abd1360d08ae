/** The place where a page of a list begins: behind a row (`before` it in time, as lists are newest first), or ahead of one, on the way back. */
export type From = { before?: string | undefined; after?: string | undefined }

/**
 * A page of a list, newest first, out of rows of which one too many was read: its items, and the ids from which the pages around it go on, null
 * at either end.
 */
export function pageOf<Row extends { id: string }>(found: readonly Row[], limit: number, { before, after }: From) {
  const isMore = found.length > limit
  // On the way back the row too many is the first.
  const items = after && isMore ? found.slice(1) : found.slice(0, limit)
  const [isPast, isOnward] = after ? [isMore, true] : [before !== undefined, isMore]
  return {
    items,
    previous: isPast ? (items[0]?.id ?? null) : null,
    next: isOnward ? (items.at(-1)?.id ?? null) : null,
  }
}
