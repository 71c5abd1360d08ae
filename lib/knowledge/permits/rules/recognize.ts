import { NOT_MEANT, WORK_WORDS } from './words'
import { WORK_TYPE_NAMES, type WorkType } from './work-types'

/**
 * A kind of work, and which words of our table were found in which field. Holds only words from the table, never the text around
 * them.
 */
export type Recognized = { workType: WorkType; matched: { field: string; word: string }[] }

const escaped = (phrase: string) => phrase.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
const wholeWord = (phrase: string) => new RegExp(`(?<![a-z0-9-])${escaped(phrase)}(?![a-z0-9-])`)

const EXCEPTIONS = new RegExp(NOT_MEANT.map(escaped).join('|'), 'g')
const TABLE = WORK_TYPE_NAMES.map((workType) => ({
  workType,
  words: WORK_WORDS[workType].map((word) => ({ word, pattern: wholeWord(word) })),
}))

/** Ignores case and white space. Excluded phrases become a bar, which no phrase contains. */
const plain = (text: string) => text.toLowerCase().replace(/\s+/g, ' ').replace(EXCEPTIONS, '|')

/**
 * Recognizes kinds of work in text by a fixed table of words, so the same text always gives the same answer. Finish work counts
 * only when nothing larger is found, because nearly every job ends with paint.
 * @param fields texts keyed by field name
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
