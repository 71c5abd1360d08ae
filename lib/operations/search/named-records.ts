import type { Actor } from '@/lib/auth/actor'
import { recordsFor } from './find-records'

/** The kinds of records that a text search names. */
export const NAMED_TYPES = ['customer', 'project', 'lead', 'invoice', 'payment', 'estimate'] as const
type NamedType = (typeof NAMED_TYPES)[number]

/** A record among the hits of a text search; `score` is how well it matches, 0 to about 1. */
export type NamedRecord = {
  id: string
  type: NamedType
  title: string
  snippet: string
  score: number
  link: null
  untrusted: boolean
}

/** A longer text describes something; it is not a name. */
const LONGEST = 80
const MOST_WORDS = 6
/** The minimum match of a record: nearly every word exactly, or one word with a typo in a query whose words no text has as typed. */
const LEAST_FIT = 0.8
const LEAST_FIT_OF_TYPO = 0.55
const MOST = 5
/** A text that more projects or leads match, such as `roof replacement`, names a kind of work rather than one of them. */
const FEW = 5
const LOOKED_AT = 25

const isWork = (type: string) => type === 'project' || type === 'lead'
const isNamed = (type: string): type is NamedType => NAMED_TYPES.some((each) => each === type)

type FoundRecords = Awaited<ReturnType<typeof recordsFor>>['records']

/** Looks a query up among the records that an actor may read; nothing when it is too long to be a name, a street or a number. */
export const lookUpRecords = async (actor: Actor, query: string): Promise<FoundRecords> =>
  query.length > LONGEST || query.split(/\s+/).length > MOST_WORDS
    ? []
    : (await recordsFor(actor, query, LOOKED_AT)).records

/**
 * Returns the records whose name, street or number a query is, the best first: `wagner project`, `INV-2026-0042`, `1204 Oak Street`. Empty
 * when it is about something else. `isMistyped` says that no text has its words as they were typed.
 */
export function namedRecords(records: FoundRecords, isMistyped: boolean): NamedRecord[] {
  const found = records.filter(({ fit }) => fit >= (isMistyped ? LEAST_FIT_OF_TYPO : LEAST_FIT))
  const isKindOfWork = found.length > FEW && found.every(({ type }) => isWork(type))
  if (isKindOfWork) return []
  return found.slice(0, MOST).flatMap(({ type, id, title, facts, fit }) =>
    isNamed(type)
      ? {
          id,
          type,
          title,
          snippet: facts.map(({ name, value }) => `${name}: ${value}`).join('; '),
          score: fit,
          link: null,
          untrusted: type === 'lead',
        }
      : [],
  )
}
