import * as z from 'zod'
import { amountOf, unitAmountOf } from '@/lib/core/money'
import { type Quote, type Range, STALE_DAYS } from '@/lib/knowledge/materials/quote'
import { CurrencyInput, Day, DayInput } from '../reports/fields'

/** A price range, exact to the cent. */
export const MoneyRange = z.object({ low: z.number(), expected: z.number(), high: z.number() })

/** Converts ten thousandths of a unit cost to an answer's amount. */
export const unitCostRange = ({ low, expected, high }: Range): z.output<typeof MoneyRange> => ({
  low: unitAmountOf(low),
  expected: unitAmountOf(expected),
  high: unitAmountOf(high),
})

/** Converts cents to an answer's amount. */
export const moneyRange = ({ low, expected, high }: Range): z.output<typeof MoneyRange> => ({
  low: amountOf(low),
  expected: amountOf(expected),
  high: amountOf(high),
})

/** Selects prices of the price book. */
export const BOOK_INPUT = {
  region: z.string().min(1).max(100).optional().describe('Only prices seen in this region'),
  currency: CurrencyInput.describe('ISO 4217; the contractor’s own when left out'),
  asOf: DayInput.optional().describe('Only prices seen up to this day (UTC); today when left out'),
}

/** The sources of a price. */
export const SEEN = {
  unitCost: MoneyRange.describe(
    `Least and greatest price seen in the last ${STALE_DAYS} days, and the median of each supplier’s newest as expected`,
  ),
  prices: z.int().describe('Prices that were used'),
  oldest: Day.describe('The first day of those prices'),
  newest: Day.describe('The last day of those prices'),
  stale: z.boolean().describe(`Whether even the newest price is older than ${STALE_DAYS} days`),
}

/** What each supplier asks for an item. */
export const Offers = z
  .array(
    z.object({
      supplier: z.string().nullable(),
      region: z.string().nullable(),
      unitCost: z.number(),
      day: Day.describe('When this price was seen'),
    }),
  )
  .describe('The newest price of each supplier and region, the cheapest first')

/** Converts a quote's offers to an answer's. */
export const offersOf = ({ offers }: Quote): z.output<typeof Offers> =>
  offers.map((offer) => ({
    supplier: offer.supplier,
    region: offer.region,
    unitCost: unitAmountOf(offer.cost),
    day: offer.day,
  }))
