import { part } from '@/lib/runtime/runtime'

/** What is counted where it happens; kinds come from a short, fixed list. */
export type Tallied = 'limit refusals' | 'leads'

const counts = part('tallies', () => new Map())

/** Counts one event. */
export function tally(what: Tallied, kind: string): void {
  const kinds = counts().get(what) ?? new Map<string, number>()
  counts().set(what, kinds.set(kind, (kinds.get(kind) ?? 0) + 1))
}

/** How often each kind was counted since this process began. */
export const tallies = (what: Tallied): ReadonlyMap<string, number> => counts().get(what) ?? new Map()
