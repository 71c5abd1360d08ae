import * as z from 'zod'
import { type Database, database } from '@/db/client'
import {
  contractorCurrency,
  listMaterialItems,
  listMaterialPrices,
  type ProjectMaterials,
  projectMaterials,
} from '@/db/queries/materials'
import { ServiceError } from '@/lib/core/errors'
import { hasThousandths } from '@/lib/core/money'
import { dayOf } from '@/lib/core/time'
import { isLabor, laborInBook, laborOf } from '@/lib/knowledge/materials/labor'
import { type MissingLine, NOT_IN_BOOK, priceProject as price, type ToPrice } from '@/lib/knowledge/materials/price'
import { PRICES_PER_ITEM, type Range } from '@/lib/knowledge/materials/quote'
import { MOST_ITEMS, searchItems } from '@/lib/knowledge/materials/search'
import { AssembliesBrief, Confirmed, TakeoffInput, takeoffs } from '@/lib/knowledge/materials/takeoff'
import { orderOf } from '@/lib/knowledge/materials/total'
import { Currency } from '@/lib/resources/fields'
import { resources } from '@/lib/resources/registry'
import { notThere } from '../absent'
import { type Context, defineOperation } from '../define'
import { BOOK_INPUT, MoneyRange, moneyRange, SEEN, unitCostRange } from './fields'

/** An example answer of price_project: 45 bundles at 39.70 = 1,786.50, + 20 % = 357.30, tax 9.25 % of the materials = 165.25. */
const PRICED_PROJECT = {
  asOf: '2026-11-20',
  currency: 'USD',
  lines: [
    {
      item: 'shingle-architectural',
      quantity: 45,
      name: 'Architectural shingles',
      unit: 'bundle',
      unitCost: { low: 38.17, expected: 39.7, high: 41.32 },
      prices: 4,
      oldest: '2026-08-16',
      newest: '2026-11-02',
      stale: false,
      suppliers: ['Stones River Building Supply'],
      total: { low: 1717.65, expected: 1786.5, high: 1859.4 },
    },
  ],
  missing: [
    { item: 'drip-edge-10ft', quantity: 17, name: 'Drip edge, 10 ft', unit: 'each', reason: 'not in the price book' },
  ],
  stale: [],
  materials: { low: 1717.65, expected: 1786.5, high: 1859.4 },
  labor: { low: 0, expected: 0, high: 0 },
  markup: { low: 343.53, expected: 357.3, high: 371.88 },
  tax: { low: 158.88, expected: 165.25, high: 171.99 },
  total: { low: 2220.06, expected: 2309.05, high: 2403.27 },
  notIncluded: [
    'labor: the price book has no labor-roofing',
    'equipment, delivery and disposal',
    'permits and fees',
    'overhead beyond the markup given',
  ],
  assumptions: ['Three bundles make a square; four nails a shingle, six in high wind.'],
  notCounted: ['ice barrier at the eaves, where ice dams form', 'valleys'],
}

/** The most lines of a project's list that one answer prices. */
const MOST_STORED = 500

/**
 * Returns a project with its loaded material list.
 * @throws ServiceError `not_found` when the contractor has no such project, `bad_request` when the list is too long to price at
 * once
 */
async function storedList({ actor }: Context, projectId: string): Promise<ProjectMaterials> {
  const query = { contractorId: actor.contractorId, projectId, limit: MOST_STORED + 1 }
  const found = await projectMaterials(await database(), query)
  if (!found) throw notThere(resources.projects, projectId, 'list_projects')
  if (found.lines.length > MOST_STORED)
    throw new ServiceError(
      'bad_request',
      `The project’s list has more than ${MOST_STORED} lines. Give parts of it as lines instead.`,
    )
  return found
}

const DECIMALS = 'must have at most three decimals'
const Percent = z.number().min(0).max(500).refine(hasThousandths, DECIMALS).default(0)

const LineInput = z
  .object({
    item: z
      .string()
      .min(1)
      .max(100)
      .transform((key) => key.trim().toLowerCase().replace(/\s+/g, '-'))
      .describe('The item’s key, as search_materials gives it'),
    quantity: z.number().positive().max(1_000_000).refine(hasThousandths, DECIMALS),
    unit: z.string().min(1).max(20).optional().describe('That of the newest price when left out'),
  })
  .strict()

const Wanted = {
  item: z.string(),
  quantity: z.number(),
}

const NOTHING = {
  given: 'There is nothing to price. Give lines, assemblies or a projectId.',
  listed:
    'No list of materials is loaded for this project (project-materials.csv). Give lines or assemblies with it or instead.',
}

/** The costs of a job that no sum holds. */
function notIncluded(
  without: string[],
  lines: { item: string }[],
  { markupPercent, taxPercent }: { markupPercent: number; taxPercent: number },
): string[] {
  const hasLabor = without.length > 0 || lines.some(({ item }) => isLabor(item))
  return [
    ...(hasLabor ? without : ['labor']),
    'equipment, delivery and disposal',
    'permits and fees',
    markupPercent > 0 ? 'overhead beyond the markup given' : 'overhead and profit: no markup was given',
    ...(taxPercent > 0 ? [] : ['sales tax: no percent was given']),
  ]
}

const rangeOf = (range: Range | null) => range && moneyRange(range)

/** The most lines for which like items are looked up, and how many are named. */
const [MOST_LOOKED_UP, MOST_LIKE] = [5, 3]

/** Names the most like items of the price book beside lines whose key it does not have. */
async function withLikely(
  db: Database,
  missing: MissingLine[],
  book: { contractorId: string; asOf: string; region: string | undefined },
): Promise<(MissingLine & { didYouMean?: string[] })[]> {
  const unknown = missing.filter(({ reason }) => reason.startsWith(NOT_IN_BOOK)).slice(0, MOST_LOOKED_UP)
  if (unknown.length === 0) return missing
  const items = (await listMaterialItems(db, { ...book, limit: MOST_ITEMS })).slice(0, MOST_ITEMS)
  const like = new Map<MissingLine, string[]>()
  for (const line of unknown) {
    const found = await searchItems(items, line.item)
    like.set(line, [...new Set(found.map(({ item }) => item))].slice(0, MOST_LIKE))
  }
  return missing.map((line) => {
    const didYouMean = like.get(line) ?? []
    return didYouMean.length === 0 ? line : { ...line, didYouMean }
  })
}

/** Prices materials from the contractor's own price book. */
export const priceProject = defineOperation({
  name: 'price_project',
  title: 'Price a project’s materials',
  description:
    'What materials cost by this contractor’s own price book: of lines (item keys from search_materials), assemblies, a project’s ' +
    'loaded list of materials, or several of these. Low, expected and high, line by line with the days of the prices; markup and tax as ' +
    'given, exact to the cent. What has no price is in missing and in no sum; a sum of nothing is null. stale names items whose prices ' +
    'are older than 180 days, notIncluded what no sum holds (labor unless the book prices labor-<kind>): tell the user all.',
  access: 'read:materials',
  effect: 'read',
  input: z
    .object({
      projectId: z
        .string()
        .min(1)
        .max(100)
        .optional()
        .describe('Whose loaded list of materials is priced; needs read:projects too'),
      lines: z.array(LineInput).max(100).default([]).describe('Items'),
      assemblies: AssembliesBrief.optional().describe('Pieces of work, with the fields of estimate_takeoff'),
      units: TakeoffInput.shape.units.describe('Of assemblies'),
      confirmed: Confirmed.describe('As in estimate_takeoff'),
      markupPercent: Percent.describe('Added to the materials’ cost'),
      taxPercent: Percent.describe('Sales tax'),
      taxOn: z
        .enum(['materials', 'materials_and_markup'])
        .default('materials')
        .describe('The contractor’s cost or the customer’s price'),
      ...BOOK_INPUT,
    })
    .strict(),
  output: z.object({
    asOf: z.iso.date(),
    currency: Currency.describe('Of all sums (ISO 4217)'),
    project: z
      .object({
        id: z.string(),
        name: z.string(),
        status: z.string(),
        totalAmount: z.number().describe('The contract’s sum, in the contractor’s own currency'),
        listed: z.int().describe('Lines of its list of materials'),
      })
      .optional()
      .describe('When projectId was given'),
    lines: z.array(
      z.object({
        ...Wanted,
        name: z.string(),
        unit: z.string(),
        ...SEEN,
        suppliers: z.array(z.string()),
        total: MoneyRange.describe('Unit cost x quantity'),
      }),
    ),
    missing: z
      .array(
        z.object({
          ...Wanted,
          name: z.string().nullable(),
          unit: z.string().nullable(),
          reason: z.string(),
          didYouMean: z
            .array(z.string())
            .optional()
            .describe('The most like items of the price book, where it has none of this key'),
        }),
      )
      .describe('What has no price and is in no sum'),
    stale: z.array(z.string()).describe('Items priced from before the last 180 days'),
    materials: MoneyRange.nullable().describe('Sum of the lines; null, as markup and tax, when none has a price'),
    labor: MoneyRange.nullable().describe(
      'Of labor-… items of the price book; neither marked up nor taxed; null when none has a price',
    ),
    markup: MoneyRange.nullable(),
    tax: MoneyRange.nullable(),
    total: MoneyRange.nullable().describe('materials + labor + markup + tax; null when nothing has a price'),
    notIncluded: z.array(z.string()).describe('Costs that no sum holds'),
    assumptions: z.array(z.string()).describe('Of the take-offs'),
    notCounted: z.array(z.string()).describe('What the assemblies need too and the sums do not hold'),
  }),
  example: PRICED_PROJECT,
  tool: {
    category: 'materials',
    example: { assemblies: [{ kind: 'roofing', length: 40, width: 30, rise: 6 }], markupPercent: 20, taxPercent: 9.25 },
    untrusted: ['name', 'suppliers'],
  },
  alsoNeeds: ({ projectId }) => (projectId === undefined ? [] : ['read:projects']),
  run: async (
    ctx,
    { projectId, lines, assemblies = [], units, confirmed, region, currency: asked, asOf = dayOf(ctx.now), ...terms },
  ) => {
    const stored = projectId === undefined ? undefined : await storedList(ctx, projectId)
    const found = takeoffs({ assemblies, units, confirmed })
    const materials: ToPrice[] = [
      ...(stored?.lines ?? []),
      ...lines.map(({ item, quantity, unit = null }) => ({ item, name: null, quantity, unit })),
      ...orderOf(found.flatMap((each) => each.lines)),
    ]
    if (materials.length === 0) throw new ServiceError('bad_request', NOTHING[stored ? 'listed' : 'given'])
    const db = await database()
    const { contractorId } = ctx.actor
    const currency = asked ?? (await contractorCurrency(db, contractorId))
    const work = assemblies.flatMap((each, at) =>
      found.slice(at, at + 1).map(({ lines }) => laborOf(each, lines, units)),
    )
    const items = [...materials, ...work.flat()].map(({ item }) => item)
    const prices = await listMaterialPrices(db, { contractorId, items, asOf, region, perItem: PRICES_PER_ITEM })
    const labor = laborInBook(work, prices.seen, currency)
    const priced = price([...materials, ...labor.lines], prices, { ...terms, currency, asOf, region })
    return {
      asOf,
      currency,
      ...(stored && { project: { ...stored.project, listed: stored.lines.length } }),
      lines: priced.lines.map((line) => ({
        ...line,
        unitCost: unitCostRange(line.unitCost),
        total: moneyRange(line.total),
      })),
      missing: await withLikely(db, priced.missing, { contractorId, asOf, region }),
      stale: priced.lines.filter(({ stale }) => stale).map(({ item }) => item),
      materials: rangeOf(priced.materials),
      labor: rangeOf(priced.labor),
      markup: rangeOf(priced.markup),
      tax: rangeOf(priced.tax),
      total: rangeOf(priced.total),
      notIncluded: notIncluded(labor.without, priced.lines, terms),
      assumptions: [...new Set(found.flatMap((each) => each.assumptions))],
      notCounted: [...new Set(found.flatMap((each) => each.notCounted))],
    }
  },
})
