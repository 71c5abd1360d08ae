/** A JSON object as received, whose fields have not been checked yet. */
export type JsonObject = { [name: string]: unknown }

/** Reports whether a value is a JSON object, not an array. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Parses a text as JSON; undefined when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Control characters except tab and line feed, and those that change text direction: they could disguise data as our own text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const INVISIBLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Escapes invisible characters (`\u202e`), so that untrusted text can be shown. */
export const visible = (text: string): string =>
  text.replace(INVISIBLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Formats a value as indented JSON with invisible characters escaped, see {@link visible}. */
export const pretty = (value: unknown): string => visible(JSON.stringify(value, null, 2) ?? '')

/** The tokens of JSON: strings, other values, and punctuation. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[^\s"{}[\],:]+|[{}[\],:]/g

const OPENING = new Set(['{', '['])
const CLOSING = new Set(['}', ']'])

/**
 * Indents JSON text without changing its values: parsing and serializing it would turn 907.20 into 907.2. Text that is not JSON stays
 * as it is. Invisible characters are escaped, see {@link visible}.
 */
export function indented(text: string): string {
  if (parseJson(text) === undefined) return visible(text)
  let depth = 0
  let before = ''
  let written = ''
  for (const [piece] of text.matchAll(TOKENS)) {
    if (CLOSING.has(piece)) depth--
    const isOnNewLine = CLOSING.has(piece) ? !OPENING.has(before) : OPENING.has(before) || before === ','
    if (isOnNewLine) written += `\n${'  '.repeat(depth)}`
    written += piece === ':' ? ': ' : piece
    if (OPENING.has(piece)) depth++
    before = piece
  }
  return visible(written)
}
