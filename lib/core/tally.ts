import { shared } from '@/lib/core/shared'

/** The things that are counted where they happen; kinds come from a short, fixed list. */
export type Tallied = 'limit refusals' | 'leads'

const counts = shared<Map<Tallied, Map<string, number>>>('tallies', () => new Map())

/** Counts one event. */
export function tally(what: Tallied, kind: string): void {
  const kinds = counts().get(what) ?? new Map<string, number>()
  counts().set(what, kinds.set(kind, (kinds.get(kind) ?? 0) + 1))
}

/** Returns how often each kind was counted since this process began. */
export const tallies = (what: Tallied): ReadonlyMap<string, number> => counts().get(what) ?? new Map()
