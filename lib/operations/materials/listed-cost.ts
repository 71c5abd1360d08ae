import type * as z from 'zod'
import { database } from '@/db/client'
import { contractorCurrency, listMaterialPrices, projectMaterials } from '@/db/queries/materials'
import { amountOf } from '@/lib/core/money'
import { dayOf } from '@/lib/core/time'
import { type PricedLine, priceProject } from '@/lib/knowledge/materials/price'
import { PRICES_PER_ITEM } from '@/lib/knowledge/materials/quote'
import type { Context } from '../define'
import type { Materials } from '../reports/contract-less-materials'

/** The most lines of a list that are priced, and how many at a time, so that others are answered in between. */
const [MOST_LINES, AT_A_TIME] = [5_000, 100]

/**
 * Returns what a project's list of materials is expected to cost today in the contractor's own currency, by the rules of price_project;
 * null without a list. Lines without a price, and those beyond the most that are priced, are in `unpriced`.
 */
export async function listedCost(
  { actor: { contractorId }, now }: Context,
  projectId: string,
): Promise<z.output<typeof Materials> | null> {
  const db = await database()
  const [found, currency] = await Promise.all([
    projectMaterials(db, { contractorId, projectId, limit: MOST_LINES + 1 }),
    contractorCurrency(db, contractorId),
  ])
  const { lines = [] } = found ?? {}
  if (lines.length === 0) return null
  const asOf = dayOf(now)
  const terms = { currency, asOf, region: undefined, markupPercent: 0, taxPercent: 0, taxOn: 'materials' as const }
  const priced: PricedLine[] = []
  for (let at = 0; at < Math.min(lines.length, MOST_LINES); at += AT_A_TIME) {
    const some = lines.slice(at, Math.min(at + AT_A_TIME, MOST_LINES))
    const items = some.map(({ item }) => item)
    const prices = await listMaterialPrices(db, {
      contractorId,
      items,
      asOf,
      region: undefined,
      perItem: PRICES_PER_ITEM,
    })
    priced.push(...priceProject(some, prices, terms).lines)
  }
  const days = priced.flatMap(({ oldest, newest }) => [oldest, newest]).sort()
  return {
    items: lines.length,
    unpriced: lines.length - priced.length,
    cost: priced.length === 0 ? null : amountOf(priced.reduce((sum, { total }) => sum + total.expected, 0n)),
    pricesFrom: days[0] ?? null,
    pricesTo: days.at(-1) ?? null,
  }
}
