import { type TakeoffLine, tidy } from './define'

/** A quantity of an item, summed over all its uses. */
export type Wanted = { item: string; name: string | null; quantity: number; unit: string }

/** Combines several take-offs into one order: one entry per item and unit, in order of first appearance. */
export function orderOf(lines: TakeoffLine[]): Wanted[] {
  const totals = new Map<string, Wanted>()
  for (const { key, item, orderQuantity, orderUnit } of lines) {
    const known = totals.get(`${key} ${orderUnit}`)
    if (known) known.quantity = tidy(known.quantity + orderQuantity)
    else totals.set(`${key} ${orderUnit}`, { item: key, name: item, quantity: orderQuantity, unit: orderUnit })
  }
  return [...totals.values()]
}
