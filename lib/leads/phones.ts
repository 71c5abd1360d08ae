import { parseEmail, phoneParts } from '@/lib/core/contact'
import { partsBetween } from '@/lib/core/text'

/** A limit longer than several numbers with their extensions. */
const LONGEST = 200

/** The separators people write between two numbers in one field. */
const BETWEEN = /[/;,|\n]|\bor\b|\band\b/i

/** The fewest digits of what may be a number of another country, written without its code. */
const FEWEST_DIGITS = 7

/** Reports whether a text that cannot be read as a phone number may still be one that a person can dial. */
export const mayBeDialed = (text: string): boolean =>
  text.length <= 60 && text.replace(/\D/g, '').length >= FEWEST_DIGITS

/**
 * The email address of a field, and the others in it, as lines for the notes. A text without a usable address is left as it is, for whoever
 * checks it.
 */
export function readEmail(text: string | undefined): { email: string | undefined; aside: string[] } {
  if (text === undefined || text.length > LONGEST || parseEmail(text)) return { email: text, aside: [] }
  const [first, ...others] = text.split(/[\s,;|/<>()"]/).filter((piece) => parseEmail(piece))
  return { email: first ?? text, aside: others.map((other) => `Other email: ${other}`) }
}

/**
 * The phone number of a field, and what else it says, as lines for the notes: an extension, or a second number. A text without a
 * usable number is left as it is, for whoever checks it.
 */
export function readPhone(text: string | undefined): { phone: string | undefined; aside: string[] } {
  if (text === undefined || text.length > LONGEST) return { phone: text, aside: [] }
  const whole = phoneParts(text)
  if (whole) {
    return { phone: text, aside: whole.extension === undefined ? [] : [`Phone extension: ${whole.extension}`] }
  }
  const pieces = partsBetween(text, BETWEEN)
  const first = pieces.find((piece) => phoneParts(piece))
  if (first === undefined) return { phone: text, aside: [] }
  return {
    phone: first,
    aside: pieces.filter((piece) => piece !== first && piece !== '').map((piece) => `Other phone: ${piece}`),
  }
}
