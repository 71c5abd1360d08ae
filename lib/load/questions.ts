import { oneLine } from '@/lib/core/text'
import { plain } from './columns'
import { plainText } from './identity'

/**
 * What a load cannot know and does not guess: it is asked before anything is written. `key` is what an answer names; `choices` are the
 * answers that fit, where they are few.
 */
export type Question = {
  kind: 'dates' | 'words' | 'columns' | 'kind' | 'overwriting' | 'renamed'
  key: string
  file: string
  line: number | null
  column: string | null
  value: string | null
  question: string
  choices: string[]
}

/** The answers to a load's questions, by their keys. */
export type Answers = Readonly<Record<string, string>>

/** The most questions that a report names. */
export const MOST_QUESTIONS = 50

/** Returns the answer to a question; undefined where there is none. */
export const answerTo = (answers: Answers | undefined, key: string): string | undefined =>
  answers !== undefined && Object.hasOwn(answers, key) ? answers[key] : undefined

/** The key of the question what a word means: of one source and one of its columns, because another's word may mean another thing. */
export const wordKey = (source: string, column: string, word: string): string =>
  [source, column, word].map(keyOf).join(' ')

/** The key of the question whether a source's customer of this name is the one that is stored under a reference. */
export const renamedKey = (source: string, name: string, reference: string): string =>
  `renamed ${keyOf(source)} ${plainText(name)} ${reference}`

/** Returns the names of a source's customers that are new, by what people answered, each with the reference of the stored customer. */
export function renamedIn(answers: Answers | undefined, source: string): Map<string, string> {
  const renamed = new Map<string, string>()
  const begins = `renamed ${keyOf(source)} `
  for (const [key, answer] of Object.entries(answers ?? {})) {
    if (answer !== 'renamed' || !key.startsWith(begins)) continue
    const at = key.lastIndexOf(' ')
    renamed.set(key.slice(begins.length, at), key.slice(at + 1))
  }
  return renamed
}

/** Returns what a word or the name of a column is known by in questions: in lower case, without spaces and punctuation where it is English. */
export const keyOf = (text: string): string =>
  /^[\x20-\x7e]*$/.test(text) ? plain(text) || text : oneLine(text.toLowerCase())
