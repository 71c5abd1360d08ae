/** How a view writes amounts, days and quantities: in the host's language where it names one that the browser knows. */
export type Words = {
  money(amount: number, currency: string): string
  number(value: number): string
  /** A day such as `2026-11-20`. */
  day(day: string): string
}

function known(locale: string | undefined): string | undefined {
  try {
    return locale === undefined ? undefined : Intl.getCanonicalLocales(locale)[0]
  } catch {
    return undefined
  }
}

/** The words of a language; those of American English where the host names none. */
export function wordsIn(locale?: string): Words {
  const language = known(locale) ?? 'en-US'
  const days = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' })
  const numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 2 })
  const amounts = new Map<string, Intl.NumberFormat>()
  const amountsIn = (currency: string) => {
    const kept = amounts.get(currency) ?? new Intl.NumberFormat(language, { style: 'currency', currency })
    amounts.set(currency, kept)
    return kept
  }
  return {
    money: (amount, currency) => amountsIn(currency).format(amount),
    number: (value) => numbers.format(value),
    day: (day) => {
      const at = new Date(day)
      return Number.isNaN(at.getTime()) ? day : days.format(at)
    },
  }
}
