/** What a page is given of its address: names with one value or several. */
export type SearchParams = Promise<Record<string, string | string[] | undefined>>

/** The named parts of an address's query that are there, each with its first value; blank counts as absent. */
export async function parametersOf(searchParams: SearchParams, names: readonly string[]) {
  const given = await searchParams
  const found: Record<string, string> = {}
  for (const name of names) {
    const value = [given[name]].flat()[0]?.trim()
    if (value) found[name] = value
  }
  return found
}

/** A path with a query of what is there. */
export function hrefOf(path: string, parameters: Record<string, string | undefined>): string {
  const present = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined)
  const query = new URLSearchParams(present).toString()
  return query === '' ? path : `${path}?${query}`
}
