import * as z from 'zod'
import { database } from '@/db/client'
import {
  type BookItem,
  contractorCurrency,
  listMaterialItems,
  listMaterialPrices,
  type Observation,
} from '@/db/queries/materials'
import { unitAmountOf, unitCostOf } from '@/lib/core/money'
import { dayOf } from '@/lib/core/time'
import { PRICES_PER_ITEM, quoteOf } from '@/lib/knowledge/materials/quote'
import { MOST_ITEMS, searchItems } from '@/lib/knowledge/materials/search'
import { Currency } from '@/lib/resources/fields'
import { defineOperation } from '../define'
import { Day } from '../reports/fields'
import { BOOK_INPUT, Offers, offersOf, SEEN, unitCostRange } from './fields'

const LIMIT = { error: 'must be a whole number from 1 to 25' }

/** Finds items of the contractor's price book by name, with their prices. */
export const searchMaterials = defineOperation({
  name: 'search_materials',
  title: 'Search the price book',
  description:
    'Finds items of this contractor’s price book by name, key or trade, typing errors allowed, the best first, each with low, expected ' +
    'and high unit cost, what each supplier asks, the cheapest first, and the days the prices were seen. An item that is not found has no price: do not make one up; one in ahead has its first price later. ' +
    'To price quantities or a take-off use price_project with the item’s key.',
  access: 'read:materials',
  effect: 'read',
  input: z
    .object({
      query: z.string().trim().min(1).max(200).describe('Words of the item, such as architectural shingle'),
      trade: z.string().min(1).max(100).optional().describe('Only items of this trade, such as roofing'),
      ...BOOK_INPUT,
      limit: z.int(LIMIT).min(1, LIMIT).max(25, LIMIT).default(10).describe('Items in the answer'),
    })
    .strict(),
  output: z.object({
    asOf: z.iso.date(),
    currency: Currency,
    items: z.array(
      z.object({
        item: z.string().describe('The key to price it by'),
        name: z.string(),
        trade: z.string().nullable(),
        unit: z.string(),
        ...SEEN,
        suppliers: Offers,
        score: z.number().describe('Likeness to the query, 0 to 1'),
      }),
    ),
    ahead: z
      .array(z.object({ item: z.string(), name: z.string(), unit: z.string(), unitCost: z.number(), from: Day }))
      .describe('Items found whose first price is dated after asOf: what they cost from that day on'),
    more: z.int().describe('Items found but not told; raise limit or use more words'),
    complete: z
      .boolean()
      .describe(`False when the book has more than ${MOST_ITEMS} items, so that not all were searched`),
  }),
  example: {
    asOf: '2026-11-20',
    currency: 'USD',
    items: [
      {
        item: 'shingle-architectural',
        name: 'Architectural shingles',
        trade: 'roofing',
        unit: 'bundle',
        unitCost: { low: 38.17, expected: 39.7, high: 41.32 },
        prices: 4,
        oldest: '2026-08-16',
        newest: '2026-11-02',
        stale: false,
        suppliers: [
          { supplier: 'Stones River Building Supply', region: 'Nashville', unitCost: 38.17, day: '2026-11-02' },
          { supplier: 'Cumberland Roofing Depot', region: 'Nashville', unitCost: 41.23, day: '2026-10-30' },
        ],
        score: 0.958,
      },
    ],
    ahead: [],
    more: 0,
    complete: true,
  },
  tool: {
    category: 'materials',
    example: { query: 'archtectural shingel' },
    untrusted: ['name', 'supplier', 'suppliers'],
  },
  run: async ({ actor, now }, { query, trade, region, currency: asked, asOf = dayOf(now), limit }) => {
    const db = await database()
    const { contractorId } = actor
    const currency = asked ?? (await contractorCurrency(db, contractorId))
    const known = await listMaterialItems(db, { contractorId, asOf, region, limit: MOST_ITEMS + 1 })
    const wanted = known
      .slice(0, MOST_ITEMS)
      .filter((item) => item.currency === currency && (!trade || item.trade?.toLowerCase() === trade.toLowerCase()))
    const found = await searchItems(wanted, query)
    const shown = found.slice(0, limit)
    const items = shown.map(({ item }) => item)
    const book = { contractorId, items, asOf, region, perItem: PRICES_PER_ITEM }
    const { seen, ahead } = await listMaterialPrices(db, book)
    const of = (item: BookItem) => (price: Observation) =>
      price.item === item.item && price.unit === item.unit && price.currency === currency
    return {
      asOf,
      currency,
      items: shown.flatMap((found) => {
        const quote = quoteOf(seen.filter(of(found)), asOf)
        return quote
          ? [{ ...found, ...quote, unitCost: unitCostRange(quote.unitCost), suppliers: offersOf(quote) }]
          : []
      }),
      ahead: shown.flatMap((found) => {
        const first = seen.some(of(found)) ? undefined : ahead.find(of(found))
        return first ? [{ ...found, unitCost: unitAmountOf(unitCostOf(first.cost)), from: first.day }] : []
      }),
      more: found.length - shown.length,
      complete: known.length <= MOST_ITEMS,
    }
  },
})
