import { NOT_MEANT, WORK_WORDS } from './words'
import { WORK_TYPE_NAMES, type WorkType } from './work-types'

/** A kind of work with the words of our table that were found, and where. The words are ours, never the text around them. */
export type Recognized = { workType: WorkType; matched: { field: string; word: string }[] }

const escaped = (phrase: string) => phrase.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
const wholeWord = (phrase: string) => new RegExp(`(?<![a-z0-9-])${escaped(phrase)}(?![a-z0-9-])`)

const EXCEPTIONS = new RegExp(NOT_MEANT.map(escaped).join('|'), 'g')
const TABLE = WORK_TYPE_NAMES.map((workType) => ({
  workType,
  words: WORK_WORDS[workType].map((word) => ({ word, pattern: wholeWord(word) })),
}))

/** Case and white space do not count. What is not meant becomes a bar, which is in no phrase. */
const plain = (text: string) => text.toLowerCase().replace(/\s+/g, ' ').replace(EXCEPTIONS, '|')

/**
 * The kinds of work that texts speak of, by a fixed table of words: the same text always gives the same answer. Finish work counts only
 * where nothing larger is found, as nearly every job ends with paint.
 * @param fields texts by the name of their field
 */
export function recognize(fields: Record<string, string | null>): Recognized[] {
  const texts = Object.entries(fields).flatMap(([field, text]) => (text ? [{ field, text: plain(text) }] : []))
  const found = TABLE.flatMap(({ workType, words }) => {
    const matched = texts.flatMap(({ field, text }) =>
      words.filter(({ pattern }) => pattern.test(text)).map(({ word }) => ({ field, word })),
    )
    return matched.length > 0 ? [{ workType, matched }] : []
  })
  const larger = found.filter(({ workType }) => workType !== 'finish_work')
  return larger.length > 0 ? larger : found
}
