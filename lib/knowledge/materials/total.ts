import { type TakeoffLine, tidy } from './define'

/** So much of an item, whatever it is for. */
export type Wanted = { item: string; name: string | null; quantity: number; unit: string }

/** What several take-offs order together: one entry for each item and unit, in the order they first appear. */
export function orderOf(lines: TakeoffLine[]): Wanted[] {
  const totals = new Map<string, Wanted>()
  for (const { key, item, orderQuantity, orderUnit } of lines) {
    const known = totals.get(`${key} ${orderUnit}`)
    if (known) known.quantity = tidy(known.quantity + orderQuantity)
    else totals.set(`${key} ${orderUnit}`, { item: key, name: item, quantity: orderQuantity, unit: orderUnit })
  }
  return [...totals.values()]
}
