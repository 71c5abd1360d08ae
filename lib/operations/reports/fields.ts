import { z } from 'zod'
import { parseDay } from '@/lib/core/time'
import { Currency } from '@/lib/resources/fields'

/** A day as reports take and give it. */
export const Day = z.iso.date()

/** A day to report on; one that the calendar does not have, or before the year 1000, is refused. */
export const DayInput = Day.refine((text) => parseDay(text) !== undefined, 'must be a day such as 2026-11-20')

/** A sum, exact to the cent. */
export const Sum = z.number()

export const Count = z.int().nonnegative()

/** Which currency to report in: sums are never made across currencies. */
export const CurrencyInput = z
  .string()
  .regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code such as USD')
  .optional()
  .describe('Count only records in this currency (ISO 4217); the contractor’s own when left out')

/** What every report says of currencies. */
export const CURRENCIES = {
  currency: Currency.describe('The currency (ISO 4217) of all sums; records in any other are not counted'),
  otherCurrencies: z
    .array(Currency)
    .describe('Currencies in which there are such records too; ask again with one of them as currency'),
}
