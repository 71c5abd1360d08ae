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

/** The bidirectional controls (Unicode `Bidi_Control`), and the tag characters, which spell out text nobody sees. */
const INVISIBLE = /\p{Bidi_Control}|[\u{e0000}-\u{e007f}]/gu

const LINE_END = /\r\n?/g
/** All of C0, DEL and C1 but tab and line feed. */
const CONTROL = /(?![\t\n])\p{Cc}/gu

/**
 * A text without ANSI sequences, control, bidirectional and tag characters, and without halves of surrogate pairs, which no
 * JSON in UTF-8 can carry. Cleaning twice changes nothing more.
 */
export function cleanText(text: string): string {
  // What is invisible goes first: it could stand within a sequence and hide it.
  const visible = text.toWellFormed().replace(INVISIBLE, '')
  return visible.replace(ANSI, '').replace(LINE_END, '\n').replace(CONTROL, '')
}

function cleanValue(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (Array.isArray(value)) return value.map(cleanValue)
  return value !== null && typeof value === 'object' ? cleanAnswer({ ...value }) : value
}

/** An answer with every string in it cleaned by {@link cleanText}, at any depth; names of fields are ours and stay. Changes nothing in place. */
export function cleanAnswer(answer: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, cleanValue(value)]))
}

/** What is unseen, as JSON text writes it: escaped, or raw where JSON does not ask for an escape. */
const UNSEEN_IN_JSON = /\\[bfru]|\p{Cc}|\p{Bidi_Control}|[\u{e0000}-\u{e007f}]/u

/**
 * Whether JSON text surely holds nothing that {@link cleanAnswer} would take out: then it may leave as it is, amounts with the
 * digits the database wrote. Errs to the safe side, so what is not sure is parsed and cleaned.
 */
export const isCleanJson = (text: string): boolean => !UNSEEN_IN_JSON.test(text)
