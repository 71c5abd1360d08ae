/** A search result in the palette: its link, its name, and what distinguishes it. */
export type Found = { href: string; name: string; about: string; kind: string }

export const FIND_PATH = '/find'

/** The minimum length, as shorter texts match too much. */
export const SHORTEST_SEARCH = 2

const isText = (value: unknown): value is string => typeof value === 'string'

/** Reads a response of {@link FIND_PATH}; unknown entries are left out. */
export function readFound(body: unknown): Found[] {
  const items: unknown = Object(body).items
  if (!Array.isArray(items)) return []
  return items.flatMap((item: unknown) => {
    const { href, name, about, kind } = Object(item)
    return isText(href) && isText(name) && isText(about) && isText(kind) ? [{ href, name, about, kind }] : []
  })
}
