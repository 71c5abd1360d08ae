/** A request as a row of the log. `at` is an ISO timestamp; `keyName` falls back to the key's id. */
export type LogRow = {
  id: string
  at: string
  method: string
  path: string
  endpoint: string
  mcpMethod: string | null
  status: number
  errorCode: string | null
  keyName: string
  address: string
  durationMs: number
}

/** A response to the log's live view: rows since its cursor, oldest first, and the next cursor. */
export type Tail = { rows: LogRow[]; cursor: string; more: boolean }

/** The path it polls, with its page's contractor, cursor and filters. */
export const TAIL_PATH = '/logs/tail'

const isText = (value: unknown): value is string => typeof value === 'string'
const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value)
const isNumber = (value: unknown): value is number => typeof value === 'number'
const fieldsOf = (value: unknown): Record<string, unknown> => (value instanceof Object ? { ...value } : {})

function rowOf(value: unknown): LogRow[] {
  const { id, at, method, path, endpoint, mcpMethod, status, errorCode, keyName, address, durationMs } = fieldsOf(value)
  const areTexts = isText(id) && isText(at) && isText(method) && isText(path) && isText(endpoint)
  if (!areTexts || !isText(keyName) || !isText(address)) return []
  if (!isTextOrNull(mcpMethod) || !isTextOrNull(errorCode) || !isNumber(status) || !isNumber(durationMs)) return []
  return [{ id, at, method, path, endpoint, mcpMethod, status, errorCode, keyName, address, durationMs }]
}

/** Parses a response of {@link TAIL_PATH}; undefined when it is not one. */
export function readTail(body: unknown): Tail | undefined {
  const { rows, cursor, more } = fieldsOf(body)
  if (!Array.isArray(rows) || !isText(cursor) || typeof more !== 'boolean') return undefined
  return { rows: rows.flatMap(rowOf), cursor, more }
}

/** The number of rows the live view keeps on the page; older ones are on the next page. */
export const MOST_SHOWN = 200

/**
 * Adds new rows on top, the newest first. The live view's cursor stays behind rows that may still be written, so some rows arrive
 * twice; duplicates are recognized by their id.
 */
export function withNew(shown: LogRow[], received: LogRow[]): { rows: LogRow[]; added: number } {
  const known = new Set(shown.map(({ id }) => id))
  const fresh = received.filter(({ id }) => !known.has(id))
  const order = (a: LogRow, b: LogRow) => (a.at === b.at ? (a.id < b.id ? 1 : -1) : a.at < b.at ? 1 : -1)
  return { rows: [...fresh, ...shown].sort(order).slice(0, MOST_SHOWN), added: fresh.length }
}
