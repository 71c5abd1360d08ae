import { plain } from '../columns'
import type { Fill, Mapping } from './mapping'

/** Returns every header that a fill reads. */
export function headersOf(fill: Fill): string[] {
  if (typeof fill === 'string') return [fill]
  if ('join' in fill) return fill.join
  if ('first' in fill) return fill.first
  if ('firstOf' in fill) return fill.firstOf.flatMap(headersOf)
  if ('before' in fill) return [fill.before]
  if ('after' in fill) return [fill.after]
  if ('address' in fill) return fill.address
  if ('absolute' in fill) return [fill.absolute]
  return 'subtract' in fill ? [...fill.subtract] : []
}

/** Returns every header that a mapping can read, as {@link plain} words. */
export function readBy({ fills, types, billedWhen, voidedIn, totals, lines }: Mapping): Set<string> {
  const own = [
    types?.column,
    billedWhen?.column,
    voidedIn,
    totals?.column,
    lines?.key,
    lines?.sum,
    lines?.total,
    lines?.amount,
    lines?.tax,
    ...(lines?.priced ?? []),
  ]
  const filled = Object.values(fills).flatMap((fields) => Object.values(fields).flatMap(headersOf))
  return new Set([...own.flatMap((name) => name ?? []), ...filled].map(plain))
}
