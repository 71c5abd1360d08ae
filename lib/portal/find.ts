/** Something the palette found beyond the pages: where it is, what it is called, and what tells it apart. */
export type Found = { href: string; name: string; about: string; kind: string }

export const FIND_PATH = '/find'

/** Texts shorter than this name too much. */
export const SHORTEST_SEARCH = 2

const isText = (value: unknown): value is string => typeof value === 'string'

/** Reads the answer of {@link FIND_PATH}; what it does not know is left out. */
export function readFound(body: unknown): Found[] {
  const items: unknown = Object(body).items
  if (!Array.isArray(items)) return []
  return items.flatMap((item: unknown) => {
    const { href, name, about, kind } = Object(item)
    return isText(href) && isText(name) && isText(about) && isText(kind) ? [{ href, name, about, kind }] : []
  })
}
