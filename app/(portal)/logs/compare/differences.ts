import type * as z from 'zod'
import type { getRequest } from '@/lib/operations/requests/log'

export type Found = z.output<typeof getRequest.output>
export type Difference = { name: string; a: string; b: string; differs: boolean }

const NONE = '–'

const parameters = (query: string | null): Map<string, string> =>
  new Map(
    (query ?? '')
      .split('&')
      .filter(Boolean)
      .map((part) => {
        const at = part.indexOf('=')
        return [decode(part.slice(0, at < 0 ? undefined : at)), at < 0 ? '' : decode(part.slice(at + 1))]
      }),
  )

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

const FACTS: [name: string, of: (found: Found) => string | null, always?: boolean][] = [
  ['Status', ({ status }) => String(status)],
  ['Error code', ({ errorCode }) => errorCode],
  ['Message', ({ errorMessage }) => errorMessage],
  ['Invalid fields', ({ errorFields }) => errorFields?.join(', ') || null],
  ['Method', ({ method }) => method],
  ['Path', ({ path }) => path],
  ['Operation', ({ endpoint }) => endpoint],
  ['MCP method', ({ mcpMethod }) => mcpMethod],
  ['Key', ({ key, keyId }) => (key ? `${key.name} · ${key.last4}` : keyId)],
  ['Address', ({ address }) => address],
  ['Client', ({ userAgent }) => userAgent],
  ['Duration', ({ durationMs }) => `${durationMs.toFixed(1)} ms`],
  ['Time', ({ at }) => `${at.slice(0, 23).replace('T', ' ')} UTC`],
]

/** Compares two requests field by field and parameter by parameter; values that neither has are left out. */
export function differences(a: Found, b: Found): Difference[] {
  const [ofA, ofB] = [parameters(a.query), parameters(b.query)]
  const names = [...new Set([...ofA.keys(), ...ofB.keys()])].sort()
  const all: [string, string | null, string | null][] = [
    ...FACTS.map(([name, of]): [string, string | null, string | null] => [name, of(a), of(b)]),
    ...names.map((name): [string, string | null, string | null] => [
      `Parameter ${name}`,
      ofA.get(name) ?? null,
      ofB.get(name) ?? null,
    ]),
  ]
  return all.flatMap(([name, one, other]) =>
    one === null && other === null ? [] : [{ name, a: one ?? NONE, b: other ?? NONE, differs: one !== other }],
  )
}
