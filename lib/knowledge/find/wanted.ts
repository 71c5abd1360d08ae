import { parsePhone } from '@/lib/core/contact'
import { wordsIn } from './words'

/** What somebody may mean by a text: each part is looked for where it can be found. */
export type Wanted = {
  /** A record's or request's own id. */
  id?: string
  /** What an email address begins with. */
  email?: string
  /** The end of a telephone number, reversed as the index has it. */
  phone?: string
  /** What people quote of an invoice's, estimate's, payment's or job's number; `only` when the text says of which. */
  number?: { digits: string; only?: NumberKind }
  words: string[]
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
  job: 'job',
  project: 'job',
  lead: 'job',
}
/** Words beside a number that say nothing of which. */
const BESIDE = new Set(['no', 'nr', 'number', 'num'])

const ID = /^[a-z]{3}_[\w-]{6,120}$/i
const EMAIL = /^[^\s@]+@[^\s@]*$/
const PHONE = /^\+?[\d\s().-]{4,24}$/
/** Fewer digits than a telephone number's last four end too many of them. */
const SHORTEST_PHONE = 4

const isNumber = (word: string) => /\d/.test(word)

/** A number with at most the words that say of what: `INV-2026-0042`, `#42`, `job 11`. */
function numberIn(words: string[]): Wanted['number'] {
  const kinds = words.flatMap((word) => KINDS[word] ?? [])
  const numbers = words.filter(isNumber)
  if (numbers.length === 0 || words.some((word) => !isNumber(word) && !BESIDE.has(word) && !KINDS[word]))
    return undefined
  const digits = /(\d+)\D*$/.exec(numbers.join(' '))?.[1]?.replace(/^0+/, '')
  if (!digits) return undefined
  const [only] = kinds
  return { digits: digits.slice(0, 40), ...(only && { only }) }
}

/** The digits that a telephone number ends in, from its last on. */
function phoneIn(text: string): string | undefined {
  if (!PHONE.test(text)) return undefined
  const digits = (parsePhone(text) ?? text).replace(/\D/g, '')
  return digits.length < SHORTEST_PHONE ? undefined : [...digits].reverse().join('')
}

/** Reads what somebody typed, or an agent was told. At most six words count. */
export function readWanted(given: string): Wanted {
  const text = given.trim().replace(/^#\s*/, '')
  if (ID.test(text)) return { id: text, words: wordsIn(text).slice(0, 6) }
  if (EMAIL.test(text)) return { email: text.toLowerCase(), words: [] }
  const words = wordsIn(text)
  const [phone, number] = [phoneIn(text), numberIn(words)]
  return { words: words.slice(0, 6), ...(phone && { phone }), ...(number && { number }) }
}
