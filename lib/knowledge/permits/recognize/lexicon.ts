import { WORK_TYPE_NAMES, type WorkType } from '../rules/work-types'
import {
  ACTS,
  type Act,
  DENIALS,
  DENIALS_AFTER,
  EXISTING,
  FILLERS,
  JOINS,
  LINKS,
  NEUTRAL,
  PLACES,
} from './grammar-words'
import { HEADS, NOT_MEANT, PAPERS } from './not-meant'
import { THINGS } from './things'
import { type Token, tokensOf } from './tokens'
import { WORK_WORDS } from './words'

/** The meanings of a thing with what is done to it. */
export type Readings = Partial<Record<Act, WorkType>>

/** The role of a phrase of the tables in a sentence. */
export type Sense =
  | { is: 'work'; workType: WorkType }
  | { is: 'thing'; readings: Readings }
  | { is: 'act'; act: Act }
  | {
      is:
        | 'place'
        | 'link'
        | 'denial'
        | 'denial_after'
        | 'existing'
        | 'join'
        | 'filler'
        | 'other'
        | 'unknown'
        | 'not_meant'
        | 'not_work'
    }

/** A phrase found in a text: the table's phrase, never the text's. */
export type Found = { phrase: string; sense: Sense }

const isAct = (name: string): name is Act => Object.hasOwn(ACTS, name)

const all = (phrases: readonly string[], sense: Sense): Found[] => phrases.map((phrase) => ({ phrase, sense }))

/** The phrases of all tables. Later groups win where two hold the same one: what names work outranks what joins words. */
const PHRASES: Found[] = [
  ...all(NEUTRAL, { is: 'other' }),
  ...all(FILLERS, { is: 'filler' }),
  ...all(JOINS, { is: 'join' }),
  ...all(PLACES, { is: 'place' }),
  ...all(LINKS, { is: 'link' }),
  ...all(EXISTING, { is: 'existing' }),
  ...all(DENIALS, { is: 'denial' }),
  ...all(DENIALS_AFTER, { is: 'denial_after' }),
  ...Object.keys(ACTS)
    .filter(isAct)
    .flatMap((act) => all(ACTS[act], { is: 'act', act })),
  ...THINGS.flatMap(({ words, when }) => all(words, { is: 'thing', readings: when })),
  ...WORK_TYPE_NAMES.flatMap((workType) => all(WORK_WORDS[workType], { is: 'work', workType })),
  ...all([...NOT_MEANT, ...PAPERS], { is: 'not_meant' }),
  ...all(HEADS, { is: 'not_work' }),
]

const wordsOf = (text: string): string[] => tokensOf(text).flatMap((token) => ('word' in token ? [token.word] : []))

/** Phrases by their words, joined by a space. */
const SENSES: ReadonlyMap<string, Found> = new Map(PHRASES.map((found) => [wordsOf(found.phrase).join(' '), found]))

/** The most words of a phrase that begins with a word: shorter phrases first, so that the longest is kept. */
const LONGEST: ReadonlyMap<string, number> = new Map(
  PHRASES.map(({ phrase }) => wordsOf(phrase))
    .sort((a, b) => a.length - b.length)
    .map((words) => [words[0] ?? '', words.length]),
)

/** Numbers, sizes, short forms and participles: none of them is a thing. */
const NAMES_NOTHING = /^(?:[0-9].*|.{1,2}|.+ed)$/

/** The phrase that names nothing, and a word of no table, which may. */
const OTHER: Found = { phrase: '', sense: { is: 'other' } }
const UNKNOWN: Found = { phrase: '', sense: { is: 'unknown' } }

/** Returns the longest phrase of the tables that begins at a token, and how many tokens it takes. */
function longestAt(tokens: readonly Token[], at: number): { found: Found; length: number } {
  const first = tokens[at]
  if (!first || !('word' in first)) return { found: OTHER, length: 1 }
  const most = LONGEST.get(first.word) ?? 0
  const words: string[] = []
  let best = { found: NAMES_NOTHING.test(first.word) ? OTHER : UNKNOWN, length: 1 }
  for (let i = at; i < tokens.length && words.length < most; i++) {
    const token = tokens[i]
    if (!token || !('word' in token)) break
    words.push(token.word)
    const found = SENSES.get(words.join(' '))
    if (found) best = { found, length: words.length }
  }
  return best
}

/** A clause: what stands in it, whether a sentence ends after it, and whether a mark alone, no joining word, leads to it. */
export type Clause = { parts: Found[]; ends: boolean; listed: boolean }

/** Reads a text into clauses of phrases. Each token is looked at no more often than the longest phrase has words. */
export function clausesOf(text: string): Clause[] {
  const tokens = tokensOf(text)
  const clauses: Clause[] = []
  let parts: Found[] = []
  let listed = true
  const close = (ends: boolean) => {
    const last = clauses.at(-1)
    if (parts.length > 0) clauses.push({ parts, ends, listed })
    else if (last && ends) last.ends = true
    if (parts.length > 0) listed = true
    parts = []
  }
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at]
    if (token && 'end' in token) {
      close(token.end === 'sentence')
      at++
      continue
    }
    const { found, length } = longestAt(tokens, at)
    if (found.sense.is === 'join') {
      close(false)
      listed = false
    } else if (found.sense.is !== 'filler') parts.push(found)
    at += length
  }
  close(true)
  return clauses
}
