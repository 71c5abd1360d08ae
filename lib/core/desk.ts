import { countryOf, type Place } from './country'
import { type Words, wordsIn } from './words'

/** What a page is written by: one moment for all of it, and the contractor's zone, country, currency and words. */
export type Desk = {
  now: Date
  /** The contractor's present day: `2026-11-20`. */
  today: string
  zone: string
  currency: string
  country: string | undefined
  words: Words
}

/** Returns the desk of a contractor at a moment; of a visitor's, in UTC and American English. */
export function deskOf(place: Place | undefined, now: Date): Desk {
  const { timezone: zone, currency } = place ?? { timezone: 'UTC', currency: 'USD' }
  const country = place && countryOf(place)
  const words = wordsIn({ locale: `en-${country ?? 'US'}`, zone, currency })
  const today = words.dayOf(now)
  return { now, today, zone, currency, country, words }
}
