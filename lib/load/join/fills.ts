import { centsOf, parseMoney } from '@/lib/core/money'
import { oneLine, partsBetween } from '@/lib/core/text'
import { plain } from '../columns'
import type { Fill } from '../sources/mapping'
import { type Notation, plainAmount } from '../values'

/** A record of a table: its cells, cleaned, and the heading of the group it stands in. */
export type Cells = { cells: string[]; heading: string }
export type Filler = (record: Cells) => string

/** The facts of its file that a filler needs. */
export type Filling = { index: ReadonlyMap<string, number>; notation: Notation }

/** Returns where each header stands, by its plain name; of two columns with the same name, the first. */
export function indexOf(header: string[]): Map<string, number> {
  const index = new Map<string, number>()
  for (const [i, name] of header.entries()) if (!index.has(plain(name))) index.set(plain(name), i)
  return index
}

/** Reads a cell as an amount: `1250.00`; undefined when it is none. */
export const amountIn = (cell: string, { decimals }: Pick<Notation, 'decimals'>) =>
  parseMoney(plainAmount(cell, decimals))

/** Cents as an amount: -1234n is `-12.34`. */
export function asAmount(cents: bigint): string {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0')
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** Cents as an amount in a file's own notation, as its cells have them: -1234n is `-12,34`. */
export const amountAsWritten = (cents: bigint, { decimals }: Pick<Notation, 'decimals'>): string =>
  asAmount(cents).replace('.', decimals)

/** The postal code at the end of a line, with the country. */
const POSTAL = / (\d{5}(?:-\d{4})?|[A-Z]\d[A-Z] ?\d[A-Z]\d)(?: (?:US|USA|United States|Canada))?$/

/** The state that stands before it, with the comma between it and its city. */
const STATE = /,? ([A-Za-z]{2}|[A-Z][A-Za-z ]{3,20}),?$/

/** Returns the city, state and postal code of a line; undefined when it does not end in them. */
function placeOf(text: string): Record<'city' | 'state' | 'zip', string> | undefined {
  const line = oneLine(text)
  const postal = POSTAL.exec(line)
  const before = line.slice(0, postal?.index)
  const state = STATE.exec(before)
  return postal && state
    ? { city: before.slice(0, state.index), state: state[1] ?? '', zip: postal[1] ?? '' }
    : undefined
}

/** The parts of an address in one cell: lines, or one line with commas; what cannot be told apart stays the street. */
export function addressParts(text: string): Record<'street' | 'city' | 'state' | 'zip', string> {
  const lines = partsBetween(text, /\n|,(?=[^,]*,[^,]*$)/).filter(Boolean)
  for (let last = lines.length - 1; last >= 0; last--) {
    const place = placeOf(lines[last] ?? '')
    if (place) return { street: lines.slice(0, last).join(', '), ...place }
  }
  return { street: lines.join(', '), city: '', state: '', zip: '' }
}

/** Returns the function that fills a field from a record. Headers that the file does not have count as blank. */
export function filler(fill: Fill, filling: Filling): Filler {
  const { index, notation } = filling
  const cell = (name: string): Filler => {
    const at = index.get(plain(name))
    return at === undefined ? () => '' : ({ cells }) => cells[at] ?? ''
  }
  if (typeof fill === 'string') return cell(fill)
  if ('text' in fill) return () => fill.text
  if ('heading' in fill) return ({ heading }) => heading
  if ('join' in fill) {
    const parts = fill.join.map(cell)
    return (record) =>
      parts
        .map((part) => part(record))
        .filter(Boolean)
        .join(' ')
  }
  if ('first' in fill) {
    const parts = fill.first.map(cell)
    return (record) => parts.map((part) => part(record)).find(Boolean) ?? fill.otherwise ?? ''
  }
  if ('firstOf' in fill) {
    const parts = fill.firstOf.map((each) => filler(each, filling))
    return (record) => parts.map((part) => part(record)).find(Boolean) ?? ''
  }
  if ('before' in fill) {
    const whole = cell(fill.before)
    return (record) => whole(record).split(fill.mark)[0]?.trim() ?? ''
  }
  if ('after' in fill) {
    const whole = cell(fill.after)
    return (record) => whole(record).split(fill.mark).slice(1).join(fill.mark).trim()
  }
  if ('address' in fill) {
    const lines = fill.address.map(cell)
    return (record) => addressParts(addressIn(lines.map((line) => line(record))))[fill.part]
  }
  if ('absolute' in fill) {
    const amount = cell(fill.absolute)
    return (record) => {
      const read = amountIn(amount(record), notation)
      return (read === undefined ? amount(record) : amountAsWritten(centsOf(read), notation)).replace(/^-/, '')
    }
  }
  const [total, part] = fill.subtract.map(cell)
  return (record) => {
    const [all, less] = [amountIn(total?.(record) ?? '', notation), amountIn(part?.(record) || '0', notation)]
    return all === undefined || less === undefined ? '' : amountAsWritten(centsOf(all) - centsOf(less), notation)
  }
}

/** Returns an address: several columns are either the lines of one address, or each an address, of which the first counts. */
function addressIn(texts: string[]): string {
  const filled = texts.filter(Boolean)
  return filled.some((text) => text.includes('\n')) ? (filled[0] ?? '') : filled.join('\n')
}
