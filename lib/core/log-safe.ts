import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { env } from './env'
import { OperatorError } from './errors'

/** The place in a line of a stack: what ends the file's address, line and column. */
const PLACE = /\.js:(\d{1,9}):(\d{1,9})/

/** The place that a line of a stack names in what `npm run build` bundled; undefined when it names none. */
function bundled(frame: string): { place: string; file: string; line: number; column: number } | undefined {
  const end = PLACE.exec(frame)
  const start = end ? frame.lastIndexOf('file://', end.index) : -1
  if (!end || start < 0) return undefined
  const file = `${frame.slice(start, end.index)}.js`
  if (!file.includes('/dist/') || /\s/.test(file)) return undefined
  return { place: file + end[0].slice('.js'.length), file, line: Number(end[1]), column: Number(end[2]) }
}

/** Integers per row of `<file>.places`; scripts/places.mjs writes them: line, column, source, its line. */
const ROW = 4

/** Returns the row of the last mapping at or before a place; undefined when there is none on that line. */
function rowAt(places: Int32Array, line: number, column: number): Int32Array | undefined {
  let [low, high] = [0, places.length / ROW]
  while (low < high) {
    const middle = (low + high) >> 1
    const [rowLine = 0, rowColumn = 0] = places.subarray(middle * ROW, middle * ROW + 2)
    if (rowLine < line || (rowLine === line && rowColumn <= column)) low = middle + 1
    else high = middle
  }
  const row = places.subarray((low - 1) * ROW, low * ROW)
  return low > 0 && row[0] === line ? row : undefined
}

/** Reads the tables of a bundled file; undefined when there are none. Not cached, because reading them takes well under a millisecond. */
function tablesOf(file: string): { places: Int32Array; sources: string[] } | undefined {
  try {
    const path = fileURLToPath(file)
    const bytes = Uint8Array.from(readFileSync(`${path}.places`))
    return { places: new Int32Array(bytes.buffer), sources: JSON.parse(readFileSync(`${path}.places.json`, 'utf8')) }
  } catch {
    return undefined
  }
}

/**
 * Returns a line of a stack with the file and line of the source instead of the bundle's, and any other line unchanged. It reads tables that the build
 * made from the source maps, because decoding a map here would block all requests while an error is logged.
 */
export function atSource(frame: string): string {
  const found = bundled(frame)
  const tables = found && tablesOf(found.file)
  const row = tables && rowAt(tables.places, found.line - 1, found.column - 1)
  const source = row && tables.sources[row[2] ?? -1]
  if (found === undefined || row === undefined || source === undefined) return frame
  return frame.replace(found.place, `${source.replace(/^(\.\.\/)+/, '')}:${(row[3] ?? 0) + 1}`)
}

const MOST_TEXT = 500
const MOST_FRAMES = 20
const MOST_CAUSES = 3
const REMOVED = '[removed]'

/** Credentials and personal data, anywhere in a text. */
const PATTERNS: [RegExp, string][] = [
  [/plb(?:_|%5f)(?:live|test)(?:_|%5f)[0-9a-z]+/gi, REMOVED],
  [/:\/\/[^\s/@]+@/g, `://${REMOVED}@`],
  [/\b(bearer|basic)\s+[\w.~+/=-]+/gi, `$1 ${REMOVED}`],
  [
    /\b(authorization|x-api-key|cookie|set-cookie|\w*(?:password|secret|token|api_?key))(["']?\s*[:=]\s*)(?:"[^"]*"|'[^']*'|[^\s,;&}]+)/gi,
    `$1$2${REMOVED}`,
  ],
]

/**
 * An email address has no slash before the @ and ends in letters, unlike node_modules/@scope/package and package@1.2.3 in a stack. Its
 * parts have at most 64 and 255 characters (RFC 5321, 4.5.3.1), so a long word is not read again from each of its letters.
 */
const EMAIL = /[^\s@"'<>(),;:/\\]{1,64}@[^\s@"'<>(),;:/\\]{1,255}\.\p{L}[\p{L}\d-]{1,62}/gu

/** The service's own secrets; none while the settings themselves are invalid. */
function ownSecrets(): string[] {
  try {
    const { tokenSecrets, authSecret, metricsToken, cronSecret, limitStore, embeddings, mail, quickbooks } = env()
    const all = [
      ...tokenSecrets,
      authSecret,
      metricsToken,
      cronSecret,
      limitStore?.token,
      embeddings?.apiKey,
      mail?.url,
      quickbooks.clientSecret,
      quickbooks.verifier,
    ]
    return all.filter((text) => text !== undefined)
  } catch {
    return []
  }
}

/** A text as it may appear in a log: one line, of bounded length, without keys, secrets, passwords and email addresses. */
export function safeText(text: string): string {
  let safe = text.slice(0, MOST_TEXT * 4)
  for (const secret of ownSecrets()) safe = safe.replaceAll(secret, REMOVED)
  for (const [pattern, instead] of PATTERNS) safe = safe.replace(pattern, instead)
  // Node takes twelve milliseconds to compile this pattern, which most processes never need.
  if (safe.includes('@')) safe = safe.replace(EMAIL, REMOVED)
  return safe.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').slice(0, MOST_TEXT)
}

/**
 * Reports whether a message quotes input: messages of JSON.parse and of the database's data errors do; other messages quote only our own
 * names.
 */
const quotesInput = (fault: Error, code: unknown) =>
  fault instanceof SyntaxError || (typeof code === 'string' && /^(22...|42601|P0...)$/.test(code))

function messageOf(fault: Error, code: unknown): string {
  // Drizzle appends a statement's values to its text.
  const text = fault.message.split('\nparams:')[0] ?? ''
  return safeText(quotesInput(fault, code) ? text.replace(/"[^"]*"|'[^']*'/g, '"…"').replace(/, ".*$/s, '') : text)
}

/** An error as a log line carries it. `class` is the error's name; `table`, `column` and `constraint` come from the database. */
export type SafeFault = {
  message: string
  class: string
  code?: string
  table?: string
  column?: string
  constraint?: string
  stack?: string[]
  cause?: SafeFault
}

const named = (value: unknown) => (typeof value === 'string' && /^[\w-]{1,80}$/.test(value) ? value : undefined)

/** Bundlers shorten class names, so an error's own `name` is preferred. */
const className = (fault: Error) =>
  (/^error$/i.test(fault.name) ? named(fault.constructor.name) : named(fault.name)) ?? 'Error'

/** The lines of a stack that name a place; the message above them is logged separately, cleaned. */
const framesOf = (stack = '') =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, MOST_FRAMES)
    .map((line) => safeText(atSource(line.trim())))

/** Returns what a log may hold of anything thrown: never an input value, however deep the chain of causes. */
export function safeFault(fault: unknown, depth = 0): SafeFault {
  if (!(fault instanceof Error)) return { class: typeof fault, message: safeText(String(fault)) }
  if (fault instanceof OperatorError) return { class: fault.name, message: safeText(fault.message) }
  const { code, table, column, constraint } = Object(fault)
  const details = { code: named(code), table: named(table), column: named(column), constraint: named(constraint) }
  const known = Object.entries(details).filter(([, value]) => value !== undefined)
  return {
    class: className(fault),
    message: messageOf(fault, code),
    ...Object.fromEntries(known),
    stack: framesOf(fault.stack),
    ...(fault.cause && depth < MOST_CAUSES ? { cause: safeFault(fault.cause, depth + 1) } : {}),
  }
}
