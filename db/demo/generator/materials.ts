import { ANCHOR } from './dates'
import { BUILDING, ELECTRICAL, LATER, type Priced, REMODELING } from './price-list'
import { Random } from './random'

/** An observed price: one row of `materials.csv`. */
export type MaterialPrice = {
  item: string
  name: string
  trade: string
  unit: string
  cents: number
  supplier: string
  date: number
  region: string
}

/** A contractor's suppliers, with their prices as a percentage of the list price. */
export type Suppliers = { region: string; names: [name: string, percent: number][]; list: Priced[]; seed: number }

export const CUMBERLAND_SUPPLIERS: Suppliers = {
  region: 'Nashville, TN',
  names: [
    ['Stones River Building Supply', 100],
    ['Harpeth Lumber & Roofing', 104],
  ],
  list: [...BUILDING, ...REMODELING, ...LATER],
  seed: 608_270,
}
export const LAKESHORE_SUPPLIERS: Suppliers = {
  region: 'Madison, WI',
  names: [
    ['Monona Electric Supply', 100],
    ['Yahara Building Center', 107],
  ],
  list: [...ELECTRICAL, ...BUILDING],
  seed: 608_271,
}

/** Days before the export when price lists arrived. One item in twelve has had no new price since spring. */
const LISTS = [312, 205, 96, 18]

/** Generates each supplier's prices from four lists, which drift up one or two percent per list, oldest first. */
export function makeMaterials({ region, names, list, seed }: Suppliers): MaterialPrice[] {
  const random = new Random(seed)
  const prices: MaterialPrice[] = []
  for (const [item, name, trade, unit, cents] of list) {
    const lists = random.chance(1 / 12) ? LISTS.slice(0, 2) : LISTS
    for (const [supplier, percent] of random.chance(0.7) ? names : names.slice(0, 1)) {
      for (const [i, days] of lists.entries()) {
        const share = percent * (94 + 2 * i + random.int(-1, 1))
        prices.push({
          item,
          name,
          trade,
          unit,
          cents: Math.round((cents * share) / 10_000),
          supplier,
          date: ANCHOR - days,
          region,
        })
      }
    }
  }
  return prices.sort((a, b) => a.date - b.date || (a.item < b.item ? -1 : a.item > b.item ? 1 : 0))
}
