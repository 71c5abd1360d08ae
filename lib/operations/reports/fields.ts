import * as z from 'zod'
import type { Database } from '@/db/client'
import { contractorZone } from '@/db/queries/contractors'
import { dayIn, parseDay } from '@/lib/core/time'
import { Currency } from '@/lib/resources/fields'

/** Returns a contractor's time zone, and the day it is there. Reports count in these days; timestamps stay in UTC. */
export async function contractorDays(
  db: Database,
  contractorId: string,
  now: Date,
): Promise<{ zone: string; today: string }> {
  const zone = await contractorZone(db, contractorId)
  return { zone, today: dayIn(zone, now) }
}

/** A day in a report's input and output. */
export const Day = z.iso.date()

/** The day to report on. Rejects days that do not exist, and years before 1000. */
export const DayInput = Day.refine(
  (text) => text >= '1000' && parseDay(text) !== undefined,
  'must be a day from the year 1000 on, such as 2026-11-20',
)

/** A sum, exact to the cent. */
export const Sum = z.number()

export const Count = z.int().nonnegative()

/** The currency to report in, because amounts in different currencies are never added. */
export const CurrencyInput = z
  .string()
  .regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code such as USD')
  .optional()
  .describe('Only this currency (ISO 4217); the contractor’s own when left out')

/** A text on what the sums of an answer include, for whoever reads only the answer. */
export const Basis = z.string().describe('What the sums include, and by whose days')

/** The fields of every report about currencies. */
export const CURRENCIES = {
  currency: Currency.describe('The currency (ISO 4217) of all sums; records in any other are not counted'),
  otherCurrencies: z
    .array(Currency)
    .describe('Currencies in which there are such records too; ask again with one of them as currency'),
}
