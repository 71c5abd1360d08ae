/** JSON as received: an object whose fields have not been checked yet. */
export type JsonObject = { [name: string]: unknown }

/** Whether a value is a JSON object, and no list. */
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

/** Control characters but tab and line feed, and those that turn the direction of what follows: they could make data look like our words. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** A text with what cannot be seen written out (`\u202e`), for showing what strangers wrote. */
export const visible = (text: string): string =>
  text.replace(UNSEEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** A value as indented JSON, safe to show, see {@link visible}. */
export const pretty = (value: unknown): string => visible(JSON.stringify(value, null, 2) ?? '')

/** A text, or a mark between texts: the pieces JSON is made of. */
const PIECES = /"(?:[^"\\]|\\.)*"|[^\s"{}[\],:]+|[{}[\],:]/g

const OPENING = new Set(['{', '['])
const CLOSING = new Set(['}', ']'])

/**
 * JSON text indented for reading and otherwise unchanged: parsing and serializing it would turn 907.20 into 907.2. Text that is not
 * JSON stays as it is. Safe to show, see {@link visible}.
 */
export function indented(text: string): string {
  if (parseJson(text) === undefined) return visible(text)
  let depth = 0
  let before = ''
  let written = ''
  for (const [piece] of text.matchAll(PIECES)) {
    if (CLOSING.has(piece)) depth--
    const isOnNewLine = CLOSING.has(piece) ? !OPENING.has(before) : OPENING.has(before) || before === ','
    if (isOnNewLine) written += `\n${'  '.repeat(depth)}`
    written += piece === ':' ? ': ' : piece
    if (OPENING.has(piece)) depth++
    before = piece
  }
  return visible(written)
}
