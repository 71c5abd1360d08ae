import type { System } from './define'

/** The units of a system, as texts and answers name them: long and small lengths, and areas. */
export const UNIT: Record<System, { long: string; small: string; area: string }> = {
  imperial: { long: 'ft', small: 'in', area: 'ft2' },
  metric: { long: 'm', small: 'mm', area: 'm2' },
}

/** The metric unit of each imperial one in texts, and how many of it one is (NIST Special Publication 811, appendix B). */
const METRIC: Record<string, [unit: string, factor: number]> = {
  ft2: ['m2', 0.09290304],
  ft: ['m', 0.3048],
  in: ['mm', 25.4],
  psf: ['kPa', 0.04788026],
}
/** One or more numbers before an imperial unit (`3.5 to 14 in`, `12 ft 7 in`), and the same in metric where a text has it (`(89 mm)`). */
const IMPERIAL =
  /(?<![\w.,/])(?:(?<feet>\d{1,4}) ft (?<inches>\d{1,4}) in|(?<values>(?:\d{1,3}\/\d{1,3}|\d{1,7}(?:,\d{3}){0,2}(?:\.\d{1,6})?(?:-\d{1,3}\/\d{1,3})?)(?: (?:to|and|or|x) (?:\d{1,3}\/\d{1,3}|\d{1,7}(?:,\d{3}){0,2}(?:\.\d{1,6})?(?:-\d{1,3}\/\d{1,3})?)){0,3}) (?<unit>ft2|ft|in|psf))\b(?: \((?<metric>\d[\d.,]{0,9}(?: x \d{1,9})? (?:mm|m2|m))\))?/g
/** Each of those numbers. */
const NUMBERS = /(?:\d{1,3}\/\d{1,3}|\d{1,7}(?:,\d{3}){0,2}(?:\.\d{1,6})?(?:-\d{1,3}\/\d{1,3})?)/g

/** The value of `2,000`, `3.5`, `1/8` or `7-3/4`. */
function numberOf(text: string): number {
  const [, whole = '0', over, under = '1'] = /^(?:([\d,.]+)(?:-|$))?(?:(\d+)\/(\d+))?$/.exec(text) ?? []
  return Number(whole.replaceAll(',', '')) + (over === undefined ? 0 : Number(over) / Number(under))
}

const threeDigits = (value: number): string => String(value >= 100 ? Math.round(value) : Number(value.toPrecision(3)))

/** Returns a text that was written with imperial measures in the words of a system: with those alone, or with metric ones alone. */
export function inSystem(text: string, system: System): string {
  return text.replace(IMPERIAL, (written, ...found) => {
    const { feet, inches, values, unit = '', metric }: Record<string, string | undefined> = found.at(-1)
    if (system === 'imperial') return metric === undefined ? written : written.slice(0, -metric.length - 3)
    if (metric !== undefined) return metric
    if (values === undefined) return `${threeDigits((Number(feet) + Number(inches) / 12) * 0.3048)} m`
    const [name, factor] = METRIC[unit] ?? ['', 1]
    return `${values.replace(NUMBERS, (each) => threeDigits(numberOf(each) * factor))} ${name}`
  })
}
