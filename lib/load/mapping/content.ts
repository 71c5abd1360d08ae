import { parseEmail, parsePhone, parseState, parseZip } from '@/lib/core/contact'
import { parseMoney } from '@/lib/core/money'
import { parseExportedDate } from '@/lib/core/time'
import { cut } from '../fault'
import { decimalsShown, plainAmount, plainDate } from '../values'
import type { Content } from './fields'

/** The profile of a column's first cells: how many of those that are not blank are of each kind. */
export type Profile = { filled: number; distinct: number; are: Record<Kind, number>; samples: string[] }

const SAMPLES = 3

const isDate = (cell: string) =>
  /\d/.test(cell) &&
  !/^\d+(\.\d+)?$/.test(cell) &&
  ['mdy' as const, 'dmy' as const].some(
    (order) => parseExportedDate(plainDate(cell, { dates: order, zone: 'UTC' })) !== undefined,
  )
const isMoney = (cell: string) =>
  /\d/.test(cell) && parseMoney(plainAmount(cell, decimalsShown(cell) ?? '.')) !== undefined

/** A phone number as most countries write their own: it begins with a zero. */
const TRUNK = /^\(?0\d[\d ().-]{7,18}$/

/** Tests of one cell. A cell can pass several: `37203` is a postal code, an id and an amount. */
const TESTS = {
  email: (cell: string) => parseEmail(cell) !== undefined,
  phone: (cell: string) =>
    cell.replace(/\D/g, '').length >= 10 && !isDate(cell) && (parsePhone(cell) !== undefined || TRUNK.test(cell)),
  date: isDate,
  money: isMoney,
  state: (cell: string) => parseState(cell) !== undefined,
  zip: (cell: string) => parseZip(cell) !== undefined,
  id: (cell: string) => /^[\w#./-]{1,40}$/.test(cell) && /\d/.test(cell) && !isDate(cell),
  place: (cell: string) => /^(?:\d+[A-Za-z]?|P\.?O\.? box)\s+\S*[A-Za-z]/i.test(cell),
  words: (cell: string) => /\p{L}{2}/u.test(cell) && parseEmail(cell) === undefined,
} satisfies Record<string, (cell: string) => boolean>

export type Kind = keyof typeof TESTS
const KINDS = Object.keys(TESTS).filter((name): name is Kind => name in TESTS)

/** The names people use for cells of a kind. */
export const KIND_NAMES: Record<Kind, string> = {
  email: 'email addresses',
  phone: 'phone numbers',
  date: 'dates',
  money: 'amounts',
  state: 'states',
  zip: 'postal codes',
  id: 'ids',
  place: 'addresses',
  words: 'words',
}

/** Returns what the cells of a column are. */
export function profileOf(cells: string[]): Profile {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '' && cell !== '-')
  const distinct = [...new Set(filled)]
  const counted = KINDS.map((kind) => [kind, filled.filter(TESTS[kind]).length] as const)
  const are = {
    email: 0,
    phone: 0,
    date: 0,
    money: 0,
    state: 0,
    zip: 0,
    id: 0,
    place: 0,
    words: 0,
    ...Object.fromEntries(counted),
  }
  return { filled: filled.length, distinct: distinct.length, are, samples: distinct.slice(0, SAMPLES).map(cut) }
}

/** The kind of cells that a field wants, where one kind shows it. */
export const WANTED: Partial<Record<Content, Kind>> = {
  date: 'date',
  money: 'money',
  phone: 'phone',
  email: 'email',
  state: 'state',
  zip: 'zip',
  id: 'id',
  place: 'place',
}

/** Returns how well cells are ids: an id has digits, and words speak against it. */
function fitOfId(share: (kind: Kind) => number): number {
  if (share('id') >= 0.8) return 1
  return share('words') > 0.5 && share('id') < 0.3 ? 0.2 : 0.5
}

/** Returns how well cells fit a field, from 0 to 1; an empty column neither fits nor contradicts. */
export function fitOf(content: Content, { filled, distinct, are }: Profile): number {
  if (filled === 0) return 0.6
  const share = (kind: Kind) => are[kind] / filled
  if (content === 'place') return 0.5 + share('place') / 2
  if (content === 'id') return fitOfId(share)
  const wanted = WANTED[content]
  if (wanted) return share(wanted)
  const amounts = share('words') < 0.5 ? share('money') : 0
  const other = Math.max(share('date'), share('email'), share('phone'), amounts)
  if (content !== 'word') return 1 - other
  if (other > 0.5) return 0
  return distinct <= 12 || distinct / filled < 0.5 ? 1 : 0.5
}
