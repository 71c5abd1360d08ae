/** Characters between words, and marks to ignore; the same as in the database function `find_text`. */
const MARKS = /[\u0300-\u036f'\u2019]+/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: the ranges are the database's.
const SIGNS = /[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f]+/g

/** Splits a text into words as the index does: lower case, without accents and punctuation. */
export function wordsIn(text: string): string[] {
  const plain = text.normalize('NFKD').replace(MARKS, '').toLowerCase().replace(SIGNS, ' ').trim()
  return plain === '' ? [] : plain.split(' ')
}
