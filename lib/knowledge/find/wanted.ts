import type { FoundRow } from '@/db/queries/find'
import { parsePhone } from '@/lib/core/contact'
import { wordsIn } from './words'

/** The possible meanings of a search text; each part is looked up in its own index. */
export type Wanted = {
  /** The id of a record or request. */
  id?: string
  /** The beginning of an email address. */
  email?: string
  /** The end of a phone number, reversed as in the index. */
  phone?: string
  /**
   * The groups of digits of an invoice, estimate, payment or job number, or of its end, without leading zeros; `only` when the text says
   * which kind.
   */
  number?: { groups: [...string[], string]; only?: NumberKind }
  words: string[]
  /** The kind of record that a word beside others names, and the others: of `wagner project`, projects and `wagner`. */
  of?: { kind: FoundRow['type']; words: string[] }
}
export type NumberKind = 'invoice' | 'estimate' | 'payment' | 'job'

const KINDS: Record<string, NumberKind> = {
  invoice: 'invoice',
  inv: 'invoice',
  bill: 'invoice',
  estimate: 'estimate',
  est: 'estimate',
  quote: 'estimate',
  payment: 'payment',
  pay: 'payment',
  check: 'payment',
  chk: 'payment',
  ck: 'payment',
  ach: 'payment',
  auth: 'payment',
  eft: 'payment',
  wire: 'payment',
  zelle: 'payment',
  ref: 'payment',
  reference: 'payment',
  job: 'job',
  project: 'job',
  lead: 'job',
}
/** Words that name a kind of record beside a name, in the singular. */
const NAMED_KINDS: Record<string, FoundRow['type']> = {
  customer: 'customer',
  client: 'customer',
  project: 'project',
  job: 'project',
  lead: 'lead',
  invoice: 'invoice',
  bill: 'invoice',
  estimate: 'estimate',
  quote: 'estimate',
  payment: 'payment',
}
/** Words beside a number that do not say which kind it is. */
const BESIDE = new Set(['no', 'nr', 'number', 'num'])

const ID = /^[a-z]{3}_[\w-]{6,120}$/i
const EMAIL = /^[^\s@]+@[^\s@]*$/
const PHONE = /^\+?[\d\s().-]{4,24}$/
/** The fewest digits; fewer match the end of too many phone numbers. */
const SHORTEST_PHONE = 4

const isNumber = (word: string) => /\d/.test(word)

/** The groups of digits in a text without the zeros they begin with: of `INV-2026-0042`, `2026` and `42`. */
export const digitGroups = (text: string): string[] =>
  [...text.matchAll(/\d+/g)].map(([digits]) => digits.slice(0, 40).replace(/^0+/, ''))

/** Reads a text that is a number, alone or with words for its kind: `INV-2026-0042`, `#42`, `job 11`. */
function numberIn(words: string[]): Wanted['number'] {
  const kinds = words.flatMap((word) => KINDS[word] ?? [])
  const numbers = words.filter(isNumber)
  if (numbers.length === 0 || words.some((word) => !isNumber(word) && !BESIDE.has(word) && !KINDS[word]))
    return undefined
  const groups = digitGroups(numbers.join(' '))
  const last = groups.pop()
  if (!last) return undefined
  const [only] = kinds
  return { groups: [...groups, last], ...(only && { only }) }
}

const kindNamed = (word: string) => NAMED_KINDS[word] ?? NAMED_KINDS[word.replace(/s$/, '')]

/** Reads a name with a word for a kind of record: `wagner project`, `invoices of Whitfield`. */
function kindIn(words: string[]): Wanted['of'] {
  const [kind] = words.flatMap((word) => kindNamed(word) ?? [])
  const others = words.filter((word) => !kindNamed(word) && word !== 'of' && word !== 'for')
  return kind && others.length > 0 ? { kind, words: others } : undefined
}

/** Returns the digits of the end of a phone number, in reverse order. */
function phoneIn(text: string): string | undefined {
  if (!PHONE.test(text)) return undefined
  const digits = (parsePhone(text) ?? text).replace(/\D/g, '')
  return digits.length < SHORTEST_PHONE ? undefined : [...digits].reverse().join('')
}

/** Reads a search text from a person or an agent. Only the first six words count. */
export function readWanted(given: string): Wanted {
  const text = given.trim().replace(/^#\s*/, '')
  if (ID.test(text)) return { id: text, words: wordsIn(text).slice(0, 6) }
  if (EMAIL.test(text)) return { email: text.toLowerCase(), words: [] }
  const words = wordsIn(text).slice(0, 6)
  const [phone, number, of] = [phoneIn(text), numberIn(wordsIn(text)), kindIn(words)]
  return { words, ...(phone && { phone }), ...(number && { number }), ...(of && { of }) }
}
