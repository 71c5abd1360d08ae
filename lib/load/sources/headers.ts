import { plain } from '../columns'
import type { Fill, Mapping } from './mapping'

/** Every header that a fill reads. */
export function headersOf(fill: Fill): string[] {
  if (typeof fill === 'string') return [fill]
  if ('join' in fill) return fill.join
  if ('first' in fill) return fill.first
  if ('before' in fill) return [fill.before]
  if ('after' in fill) return [fill.after]
  if ('address' in fill) return fill.address
  if ('absolute' in fill) return [fill.absolute]
  return 'subtract' in fill ? [...fill.subtract] : []
}

/** Every header that a mapping can read, as {@link plain} words. */
export function readBy({ fills, kinds, totals, lines }: Mapping): Set<string> {
  const own = [kinds?.column, totals?.column, lines?.key, lines?.sum, lines?.total, lines?.amount, lines?.tax]
  const filled = Object.values(fills).flatMap((fields) => Object.values(fields).flatMap(headersOf))
  return new Set([...own.flatMap((name) => name ?? []), ...filled].map(plain))
}
