type Range = { type: string; q: number }

function rangesOf(accept: string): Range[] {
  return accept.split(',').map((part) => {
    const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
    const q = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1)
    return { type, q: Number.isNaN(q) ? 0 : q }
  })
}

/** How much a type is wanted, by the range that names it most exactly (RFC 9110, 12.5.1); 2: by its name, 1: by its kind. */
function wish(ranges: Range[], type: string): { q: number; named: number } {
  const kind = `${type.split('/')[0]}/*`
  for (const [name, named] of [[type, 2] as const, [kind, 1] as const, ['*/*', 0] as const]) {
    const range = ranges.find((range) => range.type === name)
    if (range) return { q: range.q, named }
  }
  return { q: 0, named: 0 }
}

/**
 * Whether an Accept header prefers JSON to HTML: it wants JSON more, or as much but names it more exactly, as programs do with
 * a list of `application/json` and anything. Who does not say (curl, a probe) is taken for a reader of pages.
 */
export function prefersJson(accept: string | null | undefined): boolean {
  if (!accept) return false
  const ranges = rangesOf(accept)
  const [json, html] = [wish(ranges, 'application/json'), wish(ranges, 'text/html')]
  return json.q > html.q || (json.q === html.q && json.q > 0 && json.named > html.named)
}

/** Whether an Accept header asks for HTML by name, at least as much as for JSON: what a browser does, and hardly a program. */
export function asksForHtml(accept: string | null | undefined): boolean {
  if (!accept) return false
  const ranges = rangesOf(accept)
  const [json, html] = [wish(ranges, 'application/json'), wish(ranges, 'text/html')]
  return html.named > 0 && html.q > 0 && html.q >= json.q
}
