import { env } from './env'
import { OperatorError } from './operator-error'
import { atSource } from './source-map'

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
