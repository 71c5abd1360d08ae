import { elementsOf, readElement } from '@/lib/core/header'

type Range = { type: string; q: number }

function rangesOf(accept: string | null): Range[] {
  return elementsOf(accept).map((element) => {
    const { value: type, parameters } = readElement(element)
    const q = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1)
    return { type, q: Number.isNaN(q) ? 0 : q }
  })
}

/**
 * Returns a type's weight, from the range that matches it most specifically (RFC 9110, 12.5.1). `named` is 2 for an exact match, 1
 * for its main type.
 */
function wish(ranges: Range[], type: string): { q: number; named: number } {
  const kind = `${type.split('/')[0]}/*`
  for (const [name, named] of [[type, 2] as const, [kind, 1] as const, ['*/*', 0] as const]) {
    const range = ranges.find((range) => range.type === name)
    if (range) return { q: range.q, named }
  }
  return { q: 0, named: 0 }
}

/** Reports whether an Accept header accepts all of these types. */
export function accepts(accept: string | null, ...types: string[]): boolean {
  const ranges = rangesOf(accept)
  return types.every((type) => wish(ranges, type).q > 0)
}

/** Returns the name of the media type that an Accept header prefers; undefined when it has no preference among them. */
export function preferredOf(
  accept: string | null,
  types: readonly (readonly [name: string, type: string])[],
): string | undefined {
  const ranges = rangesOf(accept)
  const wishes = types
    .map(([name, type]) => ({ name, ...wish(ranges, type) }))
    .filter(({ named, q }) => named > 0 && q > 0)
  return wishes.sort((a, b) => b.q - a.q || b.named - a.named)[0]?.name
}

/**
 * Reports whether an Accept header prefers JSON to HTML: it gives JSON more weight, or the same weight but names it more specifically, as
 * programs do that list `application/json` and then anything. Without a preference (curl, a probe) it is HTML.
 */
export function prefersJson(accept: string | null | undefined): boolean {
  if (!accept) return false
  const ranges = rangesOf(accept)
  const [json, html] = [wish(ranges, 'application/json'), wish(ranges, 'text/html')]
  return json.q > html.q || (json.q === html.q && json.q > 0 && json.named > html.named)
}

/** Reports whether an Accept header names HTML and gives it at least the weight of JSON, as browsers do and programs do not. */
export function asksForHtml(accept: string | null | undefined): boolean {
  if (!accept) return false
  const ranges = rangesOf(accept)
  const [json, html] = [wish(ranges, 'application/json'), wish(ranges, 'text/html')]
  return html.named > 0 && html.q > 0 && html.q >= json.q
}
