import type { Books } from './books'

/** The truth, from the books. A label of a figure and every name of an item are words that a person would use. */
export type Truth =
  | { kind: 'figures'; figures: Record<string, number> }
  /** A list of items, each with all the names it goes by (name, number, id). `ordered`: the sequence counts too. */
  | { kind: 'list'; items: readonly (readonly string[])[]; ordered?: boolean }
  | { kind: 'day'; day: string }
  /** Texts that must all be said. */
  | { kind: 'text'; said: readonly string[] }
  /** A change to be made; `done` looks into the books afterwards. */
  | { kind: 'change'; done(): Promise<boolean> }

/** The form of an answer, which whoever asks knows as well: figures by their labels, a list, a day, a text, or a change. */
export type Form = { kind: 'figures'; labels: readonly string[] } | { kind: Exclude<Truth['kind'], 'figures'> }

export type Answer =
  | { kind: 'figures'; figures: Record<string, number | undefined> }
  | { kind: 'list'; items: readonly string[] }
  | { kind: 'day'; day: string | undefined }
  | { kind: 'text'; text: string }
  | { kind: 'change' }

export const TOPICS = [
  'receivables',
  'billing',
  'leads',
  'schedule',
  'projects',
  'estimates',
  'payments',
  'margins',
  'materials',
  'permits',
  'documents',
  'writes',
] as const
export type Topic = (typeof TOPICS)[number]

/** A question as it is put to an agent, and its truth. Both come from the books, so names and figures are never typed in. */
export type Question = {
  id: string
  topic: Topic
  put(books: Books): Promise<{ text: string; truth: Truth }>
}

/** Returns the required form of an answer. */
export const formOf = (truth: Truth): Form =>
  truth.kind === 'figures' ? { kind: 'figures', labels: Object.keys(truth.figures) } : { kind: truth.kind }

/** Reports whether nothing is true: an empty list can be had from any tool that finds nothing, so such a question shows little. */
export const isEmpty = (truth: Truth): boolean =>
  (truth.kind === 'list' && truth.items.length === 0) ||
  (truth.kind === 'figures' && Object.values(truth.figures).every((figure) => figure === 0))
