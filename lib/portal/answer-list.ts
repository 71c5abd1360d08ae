import { isObject, type JsonObject, visible } from './json'

/** An answer that is a list, as a table: the names of its columns, the one with most to tell first, and its rows. */
export type AnswerList = { columns: string[]; rows: JsonObject[] }

/** The most columns that a table of an answer has; the rest is in its JSON. */
const MOST_COLUMNS = 8
/** Fields that name a record, in the order in which they are looked for. */
const NAMING = ['name', 'title', 'number', 'reference', 'customer', 'id']

/** Returns the list of an answer, where it is one: an array of objects, or the longest one in an object. */
export function listOf(answer: unknown): AnswerList | undefined {
  const lists = [answer, ...(isObject(answer) ? Object.values(answer) : [])]
  const found = lists.filter((each): each is JsonObject[] => Array.isArray(each) && each.every(isObject))
  const rows = found.reduce((longest, each) => (each.length > longest.length ? each : longest), [])
  if (rows.length === 0) return undefined
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const naming = NAMING.find((name) => names.includes(name))
  const columns = naming ? [naming, ...names.filter((name) => name !== naming)] : names
  return { columns: columns.slice(0, MOST_COLUMNS), rows }
}

/** Returns a value of an answer as a cell shows it; what has parts as JSON. */
export function answerCell(value: unknown): string | number | undefined {
  if (value === undefined || value === null || typeof value === 'number') return value ?? undefined
  return visible(typeof value === 'string' ? value : JSON.stringify(value))
}
