import { env } from './env'

const MOST_TEXT = 500
const MOST_FRAMES = 20
const MOST_CAUSES = 3
const REMOVED = '[removed]'

/** What gives a right or names a person, wherever it stands in a text. */
const PATTERNS: [RegExp, string][] = [
  [/plb(?:_|%5f)(?:live|test)(?:_|%5f)[0-9a-z]+/gi, REMOVED],
  [/:\/\/[^\s/@]+@/g, `://${REMOVED}@`],
  [/\b(bearer|basic)\s+[\w.~+/=-]+/gi, `$1 ${REMOVED}`],
  [
    /\b(authorization|x-api-key|cookie|set-cookie|\w*(?:password|secret|token|api_?key))(["']?\s*[:=]\s*)(?:"[^"]*"|'[^']*'|[^\s,;&}]+)/gi,
    `$1$2${REMOVED}`,
  ],
  // An address of a person holds no slash and ends in letters, unlike node_modules/@scope/package and package@1.2.3 in a stack.
  [/[^\s@"'<>(),;:/\\]+@[^\s@"'<>(),;:/\\]+\.\p{L}[\p{L}\d-]+/gu, REMOVED],
]

/** The service's own secrets; none where the settings themselves are what is wrong. */
function ownSecrets(): string[] {
  try {
    const { tokenSecrets, authSecret, metricsToken, cronSecret, limitStore, embeddings } = env()
    const all = [...tokenSecrets, authSecret, metricsToken, cronSecret, limitStore?.token, embeddings?.apiKey]
    return all.filter((text) => text !== undefined)
  } catch {
    return []
  }
}

/** A text as it may stand in a log: one line, of bounded length, without keys, secrets, passwords and e-mail addresses. */
export function safeText(text: string): string {
  let safe = text.slice(0, MOST_TEXT * 4)
  for (const secret of ownSecrets()) safe = safe.replaceAll(secret, REMOVED)
  for (const [pattern, instead] of PATTERNS) safe = safe.replace(pattern, instead)
  return safe.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').slice(0, MOST_TEXT)
}

/** Whether a message quotes what came in: JSON's and the database's faults of data do; elsewhere quotes hold our own names. */
const quotesInput = (fault: Error, code: unknown) =>
  fault instanceof SyntaxError || (typeof code === 'string' && /^(22...|42601|P0...)$/.test(code))

function messageOf(fault: Error, code: unknown): string {
  // Drizzle writes a statement's values behind its text.
  const text = fault.message.split('\nparams:')[0] ?? ''
  return safeText(quotesInput(fault, code) ? text.replace(/"[^"]*"|'[^']*'/g, '"…"').replace(/, ".*$/s, '') : text)
}

/** A fault as a log line has it. The class is the error's name; `table`, `column` and `constraint` are the database's. */
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

/** Bundles shorten the names of classes, so an error's own name comes first where it has one. */
const className = (fault: Error) =>
  (/^error$/i.test(fault.name) ? named(fault.constructor.name) : named(fault.name)) ?? 'Error'

/** Lines of a stack that name a place; the message above them is told separately, and cleaned. */
const framesOf = (stack = '') =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, MOST_FRAMES)
    .map((line) => safeText(line.trim()))

/** What a log may tell of anything thrown: never a value that came in, however deep the causes go. */
export function safeFault(fault: unknown, depth = 0): SafeFault {
  if (!(fault instanceof Error)) return { class: typeof fault, message: safeText(String(fault)) }
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
