import { phoneParts } from '@/lib/core/contact'

/** Longer than several numbers with their extensions. */
const LONGEST = 200

/** What people write between two numbers in one field. */
const BETWEEN = /\s*(?:[/;,|\n]|\bor\b|\band\b)\s*/i

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
  const pieces = text.split(BETWEEN)
  const first = pieces.find((piece) => phoneParts(piece))
  if (first === undefined) return { phone: text, aside: [] }
  return {
    phone: first,
    aside: pieces.filter((piece) => piece !== first && piece !== '').map((piece) => `Other phone: ${piece}`),
  }
}
