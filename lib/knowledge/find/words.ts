/** Signs that part words, and marks that belong to none, as `find_text` in the database knows them. */
const MARKS = /[\u0300-\u036f'\u2019]+/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: the ranges are the database's.
const SIGNS = /[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f]+/g

/** The words of a text as the index has them: lower case, no accents, no signs. */
export function wordsIn(text: string): string[] {
  const plain = text.normalize('NFKD').replace(MARKS, '').toLowerCase().replace(SIGNS, ' ').trim()
  return plain === '' ? [] : plain.split(' ')
}
