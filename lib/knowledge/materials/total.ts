import { roundUp, type TakeoffLine, tidy } from './define'

/** A quantity of an item, summed over all its uses. */
export type Wanted = { item: string; name: string | null; quantity: number; unit: string }

/** What an item takes before rounding, by the step in which it is sold: tiles of two boxes are two orders. */
type Sum = Omit<Wanted, 'quantity'> & { bySteps: Map<number, number> }

/**
 * Combines several take-offs into one order: one entry per item and unit, in order of first appearance. What is sold whole is rounded up
 * once for all of them, because one bag serves several rooms.
 */
export function orderOf(lines: TakeoffLine[]): Wanted[] {
  const sums = new Map<string, Sum>()
  for (const { key, item, orderUnit, exact, step } of lines) {
    const at = `${key} ${orderUnit}`
    const sum = sums.get(at) ?? { item: key, name: item, unit: orderUnit, bySteps: new Map() }
    sum.bySteps.set(step, (sum.bySteps.get(step) ?? 0) + exact)
    sums.set(at, sum)
  }
  return [...sums.values()].map(({ bySteps, item, name, unit }) => {
    const quantities = [...bySteps].map(([step, exact]) => roundUp(exact, step))
    return { item, name, quantity: tidy(quantities.reduce((total, each) => total + each, 0)), unit }
  })
}
