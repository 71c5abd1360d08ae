/**
 * The escapes of ECMA-48 in its 7-bit and 8-bit forms: strings with their terminator (OSC, DCS, SOS, PM, APC), control sequences, and other
 * escapes. A string without terminator loses only its introducer. No part runs past another introducer, so time stays linear.
 */
const TERMINATED = '(?:\\x1b[\\]PX^_]|[\\x90\\x98\\x9d-\\x9f])[^\\x07\\x1b\\x80-\\x9f]*(?:\\x07|\\x1b\\\\|\\x9c)'
const SEQUENCE = '(?:\\x1b\\[|\\x9b)[0-?]*[ -/]*[@-~]'
const ANSI = new RegExp(`${TERMINATED}|${SEQUENCE}|\\x1b[ -/]*[0-~]`, 'g')

/** The bidirectional controls (Unicode `Bidi_Control`), and the tag characters, which hide text from readers. */
const INVISIBLE = /\p{Bidi_Control}|[\u{e0000}-\u{e007f}]/gu

const LINE_END = /\r\n?/g
/** The characters of C0, DEL and C1 except tab and line feed. */
const CONTROL = /(?![\t\n])\p{Cc}/gu

/**
 * Returns text without ANSI sequences, control, bidirectional and tag characters, and without lone surrogates, which JSON in UTF-8 cannot
 * carry. Idempotent.
 */
export function cleanText(text: string): string {
  // Invisible characters go first, because one inside a sequence would hide it.
  const visible = text.toWellFormed().replace(INVISIBLE, '')
  return visible.replace(ANSI, '').replace(LINE_END, '\n').replace(CONTROL, '')
}

function cleanValue(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (Array.isArray(value)) return value.map(cleanValue)
  if (value === null || typeof value !== 'object' || value instanceof Date) return value
  return cleanAnswer({ ...value })
}

/** A copy of an answer with every string in it cleaned by {@link cleanText}, at any depth; field names are ours and stay. */
export function cleanAnswer<T extends object>(answer: T): T
export function cleanAnswer(answer: object): object {
  return Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, cleanValue(value)]))
}

/** Characters to clean, as JSON text writes them: escaped, or raw where JSON allows it. */
const UNSEEN_IN_JSON = /\\[bfru]|\p{Cc}|\p{Bidi_Control}|[\u{e0000}-\u{e007f}]/u

/**
 * Reports whether JSON text certainly holds nothing that {@link cleanAnswer} would remove; then it can leave unchanged, with amounts in the
 * database's own digits. When in doubt this is false, and the text is parsed and cleaned.
 */
export const isCleanJson = (text: string): boolean => !UNSEEN_IN_JSON.test(text)
