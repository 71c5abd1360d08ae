import type { Database } from '@/db/client'
import { findContractor } from '@/db/queries/contractors'
import { countryOf, localeOf } from '@/lib/core/country'
import { dayIn } from '@/lib/core/time'

/** The facts of a contractor that whoever reads its data must know: by whose days and in which currency it is. */
export type ContractorFacts = {
  name: string
  trade: string | null
  city: string | null
  state: string | null
  currency: string
  timeZone: string
  /** Two letters; null where nothing says it. */
  country: string | null
  locale: string
  /** The day it is there. */
  today: string
}

/** Returns the facts of a contractor. @throws Error when there is none, because whoever asks has a key of it */
export async function contractorFacts(db: Database, contractorId: string, now: Date): Promise<ContractorFacts> {
  const contractor = await findContractor(db.orm, contractorId)
  if (!contractor) throw new Error('a contractor that has a key is there')
  const { name, trade, city, state, currency, timezone: timeZone } = contractor
  const [country, locale] = [countryOf(contractor) ?? null, localeOf(contractor)]
  return { name, trade, city, state, currency, timeZone, country, locale, today: dayIn(timeZone, now) }
}
