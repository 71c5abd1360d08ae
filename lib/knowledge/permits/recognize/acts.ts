import { ACTS, type Act, VERBS } from './grammar-words'
import type { Clause, Found } from './lexicon'
import { WORK_WORDS } from './words'

/** The acts, each with the phrase that says so. */
export type Acts = Map<Act, string>

/** Services about a job and not of it: what is done stands beside them (`estimate for new deck`). */
const ABOUT: readonly string[] = ['estimate', 'quote', 'consultation']

/** Acts that make of every kind of work the same or none, so they are not carried past work that says its own act. */
const TAKES_ALL: readonly Act[] = ['surface', 'service']

const ACT_WORDS: ReadonlySet<string> = new Set(Object.values(ACTS).flat())

/** Names of work that say what is done by themselves: verbs (`re-roof`), and phrases with an act in them (`panel upgrade`). */
const SAYING_ACTS: ReadonlySet<string> = new Set([
  ...VERBS,
  ...Object.values(WORK_WORDS)
    .flat()
    .filter((phrase) => phrase.split(' ').some((word) => ACT_WORDS.has(word))),
])

/** Reports whether a phrase both names work and says what is done. */
export const saysItsAct = ({ phrase, sense }: Found): boolean => sense.is === 'work' && SAYING_ACTS.has(phrase)

/** Returns what a clause says is done. What a denial takes back is not. */
export function actsIn(parts: readonly Found[]): Acts {
  const acts: Acts = new Map()
  const about: Acts = new Map()
  for (const { phrase, sense } of parts) {
    if (sense.is === 'denial') break
    if (sense.is !== 'act') continue
    const into = ABOUT.includes(phrase) ? about : acts
    if (!into.has(sense.act)) into.set(sense.act, phrase)
  }
  return acts.size > 0 || parts.some(saysItsAct) ? acts : about
}

/** Returns the acts that a joined clause says at its end of the one before it too: `deck and stairs demolition`. */
function actsBehind(next: Clause | undefined): Acts {
  const last = next?.parts.at(-1)
  const isBehind = last?.sense.is === 'act' && NOUNS_OF_ACTS.test(last.phrase)
  return next && isBehind && !next.listed && next.parts.length > 1 ? actsIn(next.parts) : new Map()
}

const NOUNS_OF_ACTS = /(?:tion|al|ment|demo)$/

/** The acts that the next clause takes over, should it have none. */
export function carriedOn(parts: readonly Found[], own: Acts, carried: Acts): Acts {
  const acts = own.size > 0 ? own : carried
  return own.size === 0 && parts.some(saysItsAct)
    ? new Map([...acts].filter(([act]) => !TAKES_ALL.includes(act)))
    : acts
}

/** The acts of a clause: its own, else those carried to it, else those behind it. A service is carried by a joining word only. */
export function actsOf(own: Acts, carried: Acts, { listed }: Clause, next: Clause | undefined): Acts {
  if (own.size > 0) return own
  if (carried.size === 0) return actsBehind(next)
  return listed ? new Map([...carried].filter(([act]) => act !== 'service')) : carried
}

/** Reports whether one of some acts is done. */
export const some = (acts: Acts, names: readonly Act[]): boolean => names.some((name) => acts.has(name))
