/** What settles how a contractor's office writes: its country where it is given, otherwise what its zone and currency say. */
export type Place = { country?: string | null; timezone: string; currency: string }

/** The countries whose ways of writing dates, amounts and phones are known (ISO 3166-1). */
export const COUNTRIES = [
  'US',
  'CA',
  'GB',
  'IE',
  'AU',
  'NZ',
  'DE',
  'AT',
  'CH',
  'FR',
  'BE',
  'NL',
  'ES',
  'PT',
  'IT',
  'MX',
] as const

/** Zones that share a prefix with another country's. */
const ZONES: Record<string, string> = {
  ...Object.fromEntries(
    'Toronto Vancouver Winnipeg Halifax Edmonton St_Johns Regina Moncton Glace_Bay Goose_Bay Iqaluit Whitehorse Yellowknife Thunder_Bay Montreal Dawson Inuvik Swift_Current Rankin_Inlet Resolute Cambridge_Bay Creston Fort_Nelson Atikokan'
      .split(' ')
      .map((city) => [`America/${city}`, 'CA']),
  ),
  'Europe/London': 'GB',
  'Europe/Belfast': 'GB',
  'Europe/Dublin': 'IE',
  'Europe/Berlin': 'DE',
  'Europe/Vienna': 'AT',
  'Europe/Zurich': 'CH',
  'Europe/Paris': 'FR',
  'Europe/Madrid': 'ES',
  'Europe/Rome': 'IT',
  'Europe/Amsterdam': 'NL',
  'Europe/Brussels': 'BE',
  'Europe/Lisbon': 'PT',
  'Pacific/Auckland': 'NZ',
  'Pacific/Chatham': 'NZ',
  'Pacific/Honolulu': 'US',
}
const CURRENCIES: Record<string, string> = { USD: 'US', CAD: 'CA', GBP: 'GB', AUD: 'AU', NZD: 'NZ', CHF: 'CH' }

/** Returns a contractor's country as two letters (ISO 3166-1); undefined when neither its zone nor its currency says it. */
export function countryOf({ country, timezone, currency }: Place): string | undefined {
  if (country) return country
  const zone = ZONES[timezone] ?? (timezone.startsWith('Australia/') ? 'AU' : undefined)
  // A zone of the United States is everything of America that another country does not have, where the currency agrees.
  return zone ?? CURRENCIES[currency]
}

/**
 * The order in which a country writes the numbers of a date; undefined where both are usual, as in Canada.
 * Source: Unicode CLDR, dateFormats-numbers-gregorian, short.
 */
export function dateOrderOf(country: string | undefined): 'mdy' | 'dmy' | undefined {
  if (country === undefined || country === 'CA') return undefined
  return country === 'US' ? 'mdy' : 'dmy'
}

/** Countries that write a decimal point. Source: Unicode CLDR, numbers, decimal. */
const POINT = ['US', 'CA', 'GB', 'IE', 'AU', 'NZ', 'CH', 'MX']

/** The decimal mark that a country writes. */
export const decimalMarkOf = (country: string | undefined): '.' | ',' =>
  country === undefined || POINT.includes(country) ? '.' : ','

/** The locale in which a contractor's people are shown days and numbers, in English words: as it was set, otherwise as its country writes. */
export const localeOf = ({ locale, ...place }: Place & { locale?: string | null }): string =>
  locale ?? `en-${countryOf(place) ?? 'US'}`
