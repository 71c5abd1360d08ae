/** A page's query parameters, each with one value or several. */
export type SearchParams = Promise<Record<string, string | string[] | undefined>>

/** Returns the named query parameters that are present, each with its first value. Blank counts as absent. */
export async function parametersOf(searchParams: SearchParams, names: readonly string[]) {
  const given = await searchParams
  const found: Record<string, string> = {}
  for (const name of names) {
    const value = [given[name]].flat()[0]?.trim()
    if (value) found[name] = value
  }
  return found
}

/** Returns a path with a query of the parameters that are set. */
export function hrefOf(path: string, parameters: Record<string, string | undefined>): string {
  const present = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined)
  const query = new URLSearchParams(present).toString()
  return query === '' ? path : `${path}?${query}`
}
