import type { LeadField } from '../submission'

export type JsonObject = Record<string, unknown>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The fields a sender's body can contain: our fields, a full name in one field, and the requested service. */
export type DraftField = LeadField | 'fullName' | 'service'

/**
 * A sender's body in our field names, not validated yet: the values, and the path of each. `kind` is `lead`, or `test` and
 * `ignored` for what makes no project.
 */
export type Draft = {
  kind: 'lead' | 'test' | 'ignored'
  values: Partial<Record<DraftField, string>>
  from: Partial<Record<DraftField, string>>
  /** The paths that were not used; without it, the names of the body that no field came from. */
  unread?: string[]
  /** The reason why the lead itself is not in the body, and where to get it: the sender only announces it. */
  announces?: string
}

/** A sender: how to recognize and read its bodies. Pure functions: no requests, no state. */
export type LeadSource = {
  /** The name used in the URL, and as the prefix of the sender's own ids. */
  name: string
  title: string
  recognizes(body: JsonObject): boolean
  /** The leads of a body that holds several. */
  split?(body: JsonObject): JsonObject[]
  /** The most leads that one body may hold, well under the limit of leads in a minute; one where it is left out. */
  most?: number
  /** Reports whether this is no lead but only says that there is one. However many a body announces, it is kept as one delivery. */
  isNotice?(body: JsonObject): boolean
  read(body: JsonObject): Draft
  /** True when its leads are answered there, so that one with an id needs no phone number or email address. */
  relays?: true
  /** The sender's way of signing a body: the header with `sha256=` and the HMAC-SHA256 of its bytes, in this encoding. */
  signature?: { header: string; encoding: 'hex' | 'base64' }
  /** The sender's own secret, if its body carries one. */
  secret?(body: JsonObject): string | undefined
}

/** The most leads that one body of those senders may hold that send several, or whose leads a tool passes on. */
export const SEVERAL = 20

/** The value at a path of names joined by dots. */
export function valueAt(body: unknown, path: string): unknown {
  let value = body
  for (const name of path.split('.')) value = Object(value)[name]
  return value
}

/** What programs write where they have no value. */
const ABSENT = /^(?:undefined|null|)$/

/** A value as text; blank, missing and structured values give undefined. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return ABSENT.test(value.trim()) ? undefined : value.trim()
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

/** The entries of a table by field. TypeScript forgets the keys of a literal table; nothing else is asserted. */
export const fieldEntries = <V>(table: Partial<Record<DraftField, V>>) => Object.entries(table) as [DraftField, V][]

/** A draft from a table of paths: for each field the first path that holds text. */
export function draftFrom(body: JsonObject, paths: Partial<Record<DraftField, string[]>>): Draft {
  const draft: Draft = { kind: 'lead', values: {}, from: {} }
  for (const [field, candidates] of fieldEntries(paths)) {
    const found = candidates.find((path) => textOf(valueAt(body, path)) !== undefined)
    if (found !== undefined) set(draft, field, textOf(valueAt(body, found)), found)
  }
  return draft
}

/** Puts a value into a draft; undefined leaves the field absent. */
export function set(draft: Draft, field: DraftField, value: string | undefined, from: string): void {
  if (value === undefined) return
  draft.values[field] = value
  draft.from[field] = from
}

/** Appends lines to the notes. */
export function addNotes(draft: Draft, lines: (string | undefined)[], from: string): void {
  const text = lines.filter((line) => line !== undefined).join('\n')
  if (text === '') return
  const { notes } = draft.values
  draft.values.notes = notes === undefined ? text : `${notes}\n${text}`
  draft.from.notes = draft.from.notes === undefined ? from : `${draft.from.notes}, ${from}`
}

/** A sender's questions and answers, one line each. */
export function answersOf(value: unknown): string[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((entry) => {
    const [question, answer] = [textOf(Object(entry).question), textOf(Object(entry).answer)]
    return answer === undefined ? [] : [question === undefined ? answer : `${question}: ${answer}`]
  })
}
