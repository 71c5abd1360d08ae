const ESC = String.fromCharCode(0x1b)
const BEL = String.fromCharCode(0x07)
const c1 = (code: number) => String.fromCharCode(code)

/**
 * ECMA-48 in its 7-bit and 8-bit forms: strings with their terminator (OSC, DCS, SOS, PM, APC), control sequences, and other
 * escapes. A string without terminator loses only its introducer. No part runs past another introducer, so time stays linear.
 */
const ANSI = new RegExp(
  [
    `(?:${ESC}[\\]PX^_]|[${c1(0x90)}${c1(0x98)}${c1(0x9d)}-${c1(0x9f)}])[^${BEL}${ESC}${c1(0x80)}-${c1(0x9f)}]*(?:${BEL}|${ESC}\\\\|${c1(0x9c)})`,
    `(?:${ESC}\\[|${c1(0x9b)})[0-?]*[ -/]*[@-~]`,
    `${ESC}[ -/]*[0-~]`,
  ].join('|'),
  'g',
)

/** The bidirectional controls (Unicode `Bidi_Control`), and the tag characters, which hide text from readers. */
const INVISIBLE = /\p{Bidi_Control}|[\u{e0000}-\u{e007f}]/gu

const LINE_END = /\r\n?/g
/** All of C0, DEL and C1 except tab and line feed. */
const CONTROL = /(?![\t\n])\p{Cc}/gu

/**
 * Text without ANSI sequences, control, bidirectional and tag characters, and without lone surrogates, which JSON in UTF-8 cannot
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
  return value !== null && typeof value === 'object' ? cleanAnswer({ ...value }) : value
}

/** A copy of an answer with every string in it cleaned by {@link cleanText}, at any depth; field names are ours and stay. */
export function cleanAnswer(answer: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, cleanValue(value)]))
}

/** Characters to clean, as JSON text writes them: escaped, or raw where JSON allows it. */
const UNSEEN_IN_JSON = /\\[bfru]|\p{Cc}|\p{Bidi_Control}|[\u{e0000}-\u{e007f}]/u

/**
 * Whether JSON text certainly holds nothing that {@link cleanAnswer} would remove; then it can leave unchanged, with amounts in the
 * database's own digits. When in doubt this is false, and the text is parsed and cleaned.
 */
export const isCleanJson = (text: string): boolean => !UNSEEN_IN_JSON.test(text)
