import { recognize } from '@/lib/knowledge/permits/recognize/recognize'
import type { WorkType } from '@/lib/knowledge/permits/rules/work-types'
import type { Labeled } from './labels'

/** The verdict on a description: all and only what it names was recognized, something it does not name, or too little. */
export type Verdict = 'right' | 'wrong' | 'missed'
export type Scored = Labeled & { found: WorkType[]; verdict: Verdict }

/** The counts of a kind of work: in the labels, found where it is, and found where it is not. */
export type ClassScore = { workType: WorkType; labeled: number; hit: number; false: number }

/** Counts of a set. `wrong` names work that is not there with confidence; `missed` only leaves work out. */
export type Totals = { n: number; right: number; wrong: number; missed: number }

/** Puts the recognizer to one description. */
export function scoreOne(labeled: Labeled): Scored {
  const found = recognize({ description: labeled.description }).map(({ workType }) => workType)
  const strange = found.some((one) => !labeled.must.includes(one) && !labeled.may.includes(one))
  const whole = labeled.must.every((one) => found.includes(one))
  return { ...labeled, found, verdict: strange ? 'wrong' : whole ? 'right' : 'missed' }
}

export function totalsOf(scored: readonly Scored[]): Totals {
  const count = (verdict: Verdict) => scored.filter((one) => one.verdict === verdict).length
  return { n: scored.length, right: count('right'), wrong: count('wrong'), missed: count('missed') }
}

/** Scores by kind of work, for those that are labeled or found. */
export function byClass(scored: readonly Scored[]): ClassScore[] {
  const names = new Set(scored.flatMap(({ must, found }) => [...must, ...found]))
  return [...names].sort().map((workType) => ({
    workType,
    labeled: scored.filter(({ must }) => must.includes(workType)).length,
    hit: scored.filter(({ must, found }) => must.includes(workType) && found.includes(workType)).length,
    false: scored.filter(
      ({ must, may, found }) => found.includes(workType) && !must.includes(workType) && !may.includes(workType),
    ).length,
  }))
}

/**
 * Returns which kind was found for which label, where they differ: a label that was not found stands against each kind found that is not
 * labeled, or against `nothing`.
 */
export function confusions(scored: readonly Scored[]): { labeled: string; found: string; n: number }[] {
  const counts = new Map<string, number>()
  for (const pair of scored.filter(({ verdict }) => verdict !== 'right').flatMap(pairsOf))
    counts.set(pair, (counts.get(pair) ?? 0) + 1)
  return [...counts]
    .map(([key, n]) => {
      const [labeled = '', found = ''] = key.split('\t')
      return { labeled, found, n }
    })
    .sort((a, b) => b.n - a.n || a.labeled.localeCompare(b.labeled))
}

/** The pairs of a label and what was found in its stead, each joined by a tab. */
function pairsOf({ must, may, found }: Scored): string[] {
  const orNothing = (names: string[]) => (names.length > 0 ? names : ['nothing'])
  const lost = must.filter((one) => !found.includes(one))
  const strange = found.filter((one) => !must.includes(one) && !may.includes(one))
  return orNothing(lost).flatMap((label) => orNothing(strange).map((other) => `${label}\t${other}`))
}
