import { centsOf } from '@/lib/core/cents'
import { parseMoney } from '@/lib/core/money'
import { plain } from '../columns'
import type { Fill } from '../sources/mapping'
import { type Notation, plainAmount } from '../values'

/** A record of a table: its cells, cleaned, and the heading of the group it stands in. */
export type Cells = { cells: string[]; heading: string }
export type Filler = (record: Cells) => string

/** What a filler needs to know of its file. */
export type Filling = { index: ReadonlyMap<string, number>; notation: Notation }

/** Where each header stands, by its plain name; of two columns with the same name, the first. */
export function indexOf(header: string[]): Map<string, number> {
  const index = new Map<string, number>()
  for (const [i, name] of header.entries()) if (!index.has(plain(name))) index.set(plain(name), i)
  return index
}

/** Reads a cell as an amount: `1250.00`; undefined when it is none. */
export const amountIn = (cell: string, { decimals }: Notation) => parseMoney(plainAmount(cell, decimals))

/** Cents as an amount: -1234n is `-12.34`. */
export function asAmount(cents: bigint): string {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0')
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** Cents as an amount in a file's own notation, as its cells have them: -1234n is `-12,34`. */
export const amountAsWritten = (cents: bigint, { decimals }: Notation): string => asAmount(cents).replace('.', decimals)

const PLACE =
  /^(.*?),?\s+([A-Za-z]{2}|[A-Z][A-Za-z ]{3,20}?),?\s+(\d{5}(?:-\d{4})?|[A-Z]\d[A-Z] ?\d[A-Z]\d)(?:\s+(?:US|USA|United States|Canada))?$/

/** The parts of an address in one cell: lines, or one line with commas; what cannot be told apart stays the street. */
function addressParts(text: string): Record<'street' | 'city' | 'state' | 'zip', string> {
  const lines = text
    .split(/\n|,(?=[^,]*,[^,]*$)/)
    .map((line) => line.trim())
    .filter(Boolean)
  for (let last = lines.length - 1; last >= 0; last--) {
    const [, city = '', state = '', zip = ''] = PLACE.exec(lines[last] ?? '') ?? []
    if (zip === '') continue
    return { street: lines.slice(0, last).join(', '), city, state, zip }
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

/** Several columns are either the lines of one address, or each an address, of which the first counts. */
function addressIn(texts: string[]): string {
  const filled = texts.filter(Boolean)
  return filled.some((text) => text.includes('\n')) ? (filled[0] ?? '') : filled.join('\n')
}
