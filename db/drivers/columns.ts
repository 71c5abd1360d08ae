import type { Value } from './driver'

/** A column of an answer, and how its type is read from Postgres' text. */
export type Column = { name: string; parse(text: string): unknown }

/** Returns a row as an object by column name. */
export function rowOf(columns: Column[], texts: (string | null)[]): object {
  const row: Record<string, unknown> = {}
  for (const [i, { name, parse }] of columns.entries()) {
    const text = texts[i]
    row[name] = text === null || text === undefined ? null : parse(text)
  }
  return row
}

/** Returns a parameter in Postgres' text format. */
export const asText = (value: Value): string | null => (value === null ? null : String(value))
