import { shared } from './shared'

/** What settles how a reader is shown amounts, counts, days and moments. */
export type Reader = {
  /** A BCP 47 tag; American English where it is absent or unknown. */
  locale?: string | undefined
  /** An IANA zone; UTC where it is absent. */
  zone?: string | undefined
  /** The reader's own currency (ISO 4217), written by its sign; others by their code. */
  currency?: string | undefined
}

/** Writes what people read. Days are `2026-11-20`, moments are dates; each is written in the reader's language, zone and currency. */
export type Words = {
  /** `$2,860.00` in the own currency, `EUR 2,860.00` in another one. */
  money(amount: number, currency?: string): string
  /** `$2.9K`: an amount for the axis of a picture. */
  shortMoney(amount: number, currency?: string): string
  /** `1,202`, and up to two decimals where it has them. */
  number(value: number): string
  /** `1,202 invoices`, `1 invoice`. */
  count(value: number, one: string, many?: string): string
  /** `32.5%` of a ratio of .325. */
  percent(ratio: number): string
  /** `Nov 23, 2026`; of text that is no day, the text. */
  day(day: string): string
  /** `Nov 23`, for the axis of a picture. */
  shortDay(day: string): string
  /** `Nov 2026`, of a month such as `2026-11` or a day in it. */
  month(month: string): string
  /** `12:27 PM`, or `12:27:03 PM` as in a log. */
  clock(at: Date, withSeconds?: boolean): string
  /** `Today 12:27 PM`, `Yesterday 4:05 PM`, `Nov 20, 2026, 4:05 PM`; without `now`, always with its date. */
  moment(at: Date, now?: Date, withSeconds?: boolean): string
  /** The day in the reader's zone that a moment is in: `2026-11-20`. */
  dayOf(at: Date): string
  /** `CST`, the short name of the zone at a moment. */
  zone(at: Date): string
}

function known(locale: string | undefined): string {
  try {
    return (locale === undefined ? undefined : Intl.getCanonicalLocales(locale)[0]) ?? 'en-US'
  } catch {
    return 'en-US'
  }
}

/** Keeps what is slow to make, by its key. */
function kept<Made>(make: (key: string) => Made): (key: string) => Made {
  const all = new Map<string, Made>()
  return (key) => {
    const found = all.get(key) ?? make(key)
    all.set(key, found)
    return found
  }
}

/** Spaces that a search by a plain space would not find. */
const plain = (text: string): string => text.replace(/[\u00a0\u202f]/g, ' ')

/** Returns midnight UTC of the day at the beginning of a text; undefined when there is none. */
function midnight(text: string): Date | undefined {
  const at = new Date(text.length === 7 ? `${text}-01` : text.slice(0, 10))
  return /^\d{4}-\d{2}/.test(text) && !Number.isNaN(at.getTime()) ? at : undefined
}

function make(reader: Reader): Words {
  const language = known(reader.locale)
  const { zone: timeZone = 'UTC', currency: own } = reader
  const amounts = kept((currency) => amountsIn(language, currency, { currencyDisplay: displayOf(own, currency) }))
  const short = kept((currency) =>
    amountsIn(language, currency, { notation: 'compact', minimumFractionDigits: 0, maximumFractionDigits: 1 }),
  )
  const numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 2 })
  const percents = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 })
  const stored = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' })
  const [days, shortDays, months] = [
    stored({ dateStyle: 'medium' }),
    stored({ month: 'short', day: 'numeric' }),
    stored({ month: 'short', year: 'numeric' }),
  ]
  const dates = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone })
  const clocks = new Intl.DateTimeFormat(language, { timeStyle: 'short', timeZone })
  const exact = new Intl.DateTimeFormat(language, { timeStyle: 'medium', timeZone })
  const zones = new Intl.DateTimeFormat(language, { timeZoneName: 'short', timeZone })
  const isoDays = new Intl.DateTimeFormat('en-CA', { year: 'numeric', month: '2-digit', day: '2-digit', timeZone })
  const written = (format: Intl.DateTimeFormat, text: string) => {
    const at = midnight(text)
    return at ? plain(format.format(at)) : text
  }
  const clock = (at: Date, withSeconds = false) => plain((withSeconds ? exact : clocks).format(at))
  const dayOf = (at: Date) => isoDays.format(at)
  return {
    money: (amount, currency = own ?? 'USD') => plain(amounts(currency).format(amount)),
    shortMoney: (amount, currency = own ?? 'USD') => plain(short(currency).format(amount)),
    number: (value) => plain(numbers.format(value)),
    count: (value, one, many = `${one}s`) => `${plain(numbers.format(value))} ${value === 1 ? one : many}`,
    percent: (ratio) => plain(percents.format(ratio)),
    day: (day) => written(days, day),
    shortDay: (day) => written(shortDays, day),
    month: (month) => written(months, month),
    clock,
    dayOf,
    moment: (at, now, withSeconds) => {
      const today = now && dayOf(now)
      const time = clock(at, withSeconds)
      if (today === dayOf(at)) return `Today ${time}`
      if (today && dayBefore(today) === dayOf(at)) return `Yesterday ${time}`
      return `${plain(dates.format(at))}, ${time}`
    },
    zone: (at) => zones.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? timeZone,
  }
}

const dayBefore = (day: string): string => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10)

/** The own currency needs no more than its sign; another one is told apart by its code. */
const displayOf = (own: string | undefined, currency: string) =>
  own === undefined ? 'symbol' : own === currency ? 'narrowSymbol' : 'code'

const CODE = /^[A-Z]{3}$/

function amountsIn(language: string, currency: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const style = CODE.test(currency) ? ({ style: 'currency', currency } as const) : {}
  return new Intl.NumberFormat(language, { ...style, ...options })
}

const all = shared('words', () => kept((key) => make(JSON.parse(key) as Reader)))

/** Returns the words of a reader. Those of one language, zone and currency are made once. */
export const wordsIn = ({ locale, zone, currency }: Reader = {}): Words =>
  all()(JSON.stringify({ locale: known(locale), zone, currency }))
