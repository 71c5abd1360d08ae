import { ServiceError } from './errors'

/** A nesting deeper than any sender needs; the bound keeps recursive code from overflowing the stack. */
const MAX_DEPTH = 32

const fault = (message: string) =>
  new ServiceError('bad_request', `The body ${message}`, { fields: [{ field: 'body', message }] })

const [QUOTE, BACKSLASH, OBJECT, OBJECT_END, ARRAY, ARRAY_END] = [0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d]

/**
 * Refuses what `JSON.parse` accepts although its meaning is ambiguous: a name given twice in one object (RFC 8259, section 4,
 * leaves open which counts), and unbounded nesting. The text is known to be JSON, so only strings and brackets matter.
 */
function checkStructure(text: string): void {
  const open: (Set<string> | undefined)[] = []
  const enter = (names: Set<string> | undefined) => {
    if (open.length >= MAX_DEPTH) throw fault(`is nested deeper than ${MAX_DEPTH} levels; flatten it.`)
    open.push(names)
  }
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === OBJECT) enter(new Set())
    else if (code === ARRAY) enter(undefined)
    else if (code === OBJECT_END || code === ARRAY_END) open.pop()
    else if (code === QUOTE) {
      const end = endOfString(text, i)
      const names = open.at(-1)
      if (names && isName(text, end)) addName(names, textIn(text.slice(i, end)))
      i = end - 1
    }
  }
}

/** The index after the string that begins at `from`. */
function endOfString(text: string, from: number): number {
  let i = from + 1
  for (; text.charCodeAt(i) !== QUOTE; i++) if (text.charCodeAt(i) === BACKSLASH) i++
  return i + 1
}

/** The text that a string of JSON stands for. */
const textIn = (string: string): string => (string.includes('\\') ? JSON.parse(string) : string.slice(1, -1))

function addName(names: Set<string>, name: string): void {
  if (name === '__proto__') throw fault('has a field named __proto__; leave it out.')
  if (names.has(name)) throw fault(`has the field ${shown(name)} twice in one object; send it once.`)
  names.add(name)
}

/** Reports whether the string that ends before `after` names a field: a colon follows. */
function isName(text: string, after: number): boolean {
  let i = after
  while (text[i] === ' ' || text[i] === '\n' || text[i] === '\r' || text[i] === '\t') i++
  return text[i] === ':'
}

const shown = (name: string) => JSON.stringify(name.slice(0, 40).toWellFormed())

/** Postgres stores no NUL and UTF-8 no lone surrogate. A text that would not come back unchanged is refused. */
function checkText(text: string): void {
  if (text.includes('\0')) throw fault('has a NUL character in a text; remove it.')
  if (!text.isWellFormed()) throw fault('has a lone surrogate in a text, which is not a character; remove it.')
}

/** The fields that Zod compares with a number, whatever they are. */
const COMPARED = ['length', 'size']

/**
 * Refuses values that cannot be stored, and what JavaScript cannot compare: an object with a `toString` of its own.
 * @param check what refuses a text
 */
function checkValues(value: unknown, check: (text: string) => void, isCompared = false): void {
  if (typeof value === 'string') check(value)
  if (typeof value === 'number' && !Number.isFinite(value)) throw fault('has a number that is too large.')
  if (value === null || typeof value !== 'object') return
  if (isCompared && Object.hasOwn(value, 'toString'))
    throw fault('has a length or a size that cannot be compared; send it as a number or a text.')
  for (const [name, inner] of Object.entries(value)) {
    check(name)
    checkValues(inner, check, isCompared || COMPARED.includes(name))
  }
}

/**
 * Parses JSON whose every text can be stored and returned unchanged.
 * @throws ServiceError `bad_request` when it is not JSON, ambiguous, or holds a text that cannot be stored
 */
export function parseStrictValue(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw fault(
      text.trim() === '' ? 'is empty; send a JSON object.' : 'is not valid JSON; check quotes, commas and brackets.',
    )
  }
  checkStructure(text)
  // Only an escape can stand for what a text of JSON cannot hold itself.
  checkValues(value, text.includes('\\u') || !text.isWellFormed() ? checkText : () => {})
  return value
}

/** Returns what a text from outside says in JSON; undefined where {@link parseStrictValue} refuses it. */
export function jsonOf(text: string): unknown {
  try {
    return parseStrictValue(text)
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** Calls {@link parseStrictValue} for an object. @throws ServiceError `bad_request`, also when it is JSON but not an object */
export function parseStrictJson(text: string): Record<string, unknown> {
  const value = parseStrictValue(text)
  if (!isObject(value)) throw fault('is not a JSON object; send one object with named fields.')
  return value
}

/** An object without its null fields: senders write null where they have no value. */
const withoutNulls = (value: Record<string, unknown>): Record<string, unknown> =>
  Object.values(value).includes(null)
    ? Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null))
    : value

/** The same at every depth: null fields go, values of arrays stay. For JSON whose depth is bounded, as {@link parseStrictJson} bounds it. */
export function withoutNullsWithin(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNullsWithin)
  if (typeof value !== 'object' || value === null) return value
  const left: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(value)) if (field !== null) left[name] = withoutNullsWithin(field)
  return left
}

/** Calls {@link parseStrictJson}, and leaves null fields out. */
export const parseJsonObject = (text: string): Record<string, unknown> => withoutNulls(parseStrictJson(text))

/** The longest text within JSON that is read as JSON itself. */
const LONGEST_TEXT = 100_000

/** Returns the value of a text that is JSON of the kind its opening bracket says; everything else as it is. */
export function parsedText(given: unknown, opening: '[' | '{'): unknown {
  if (typeof given !== 'string' || given.length > LONGEST_TEXT || !given.trimStart().startsWith(opening)) return given
  return jsonOf(given) ?? given
}
