/** A word of a text as the tables hold words, or the end of a clause or sentence. */
export type Token = { word: string } | { end: 'clause' | 'sentence' }

const PIECES = /[a-z0-9]+(?:\.[0-9][a-z0-9]*)?|[.;!?\n,:()[\]+&/]/g
const SENTENCE = new Set(['.', ';', '!', '?', '\n'])
/** Short forms after which a full stop ends no sentence. */
const SHORT = new Set([
  'sq',
  'ft',
  'min',
  'max',
  'approx',
  'st',
  'ave',
  'lb',
  'gal',
  'incl',
  'bldg',
  'apt',
  'dr',
  'rd',
  'sf',
  'lf',
  'ht',
])
const JOINED: Record<string, string> = { '+': 'and', '&': 'and' }

/** Returns a word without its plural: sheds, porches, batteries. The tables' words pass through it too, so any form serves that is the same for both. */
function singular(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || word.endsWith('ss')) return word
  if (word.endsWith('ies')) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1)
  if (/(?:sh|ch|x|ss|zz)es$/.test(word)) return word.slice(0, -2)
  return word.slice(0, -1)
}

const last = (tokens: readonly Token[]): string => {
  const token = tokens.at(-1)
  return token && 'word' in token ? token.word : ''
}

/**
 * Splits a text into words in lower case without plurals, and into the marks that end clauses and sentences. Hyphens and quotes
 * separate words (`re-roof` is `re roof`), a dash between spaces ends a clause; `w/` is with; a slash between words joins them. Takes time linear in the text.
 */
export function tokensOf(text: string): Token[] {
  const lower = text
    .toLowerCase()
    .replaceAll('w/o', ' without ')
    .replaceAll('w/', ' with ')
    .replace(/(\d)(['"]?) by (?=\d)/g, '$1$2 x ')
    .replace(/\s[-–—]+\s/g, ' , ')
    .replace(/['’`]s?/g, (mark) => (mark.length > 1 ? ' ' : ''))
  const tokens: Token[] = []
  for (const [piece] of lower.matchAll(PIECES)) {
    const joined = JOINED[piece]
    if (joined !== undefined) tokens.push({ word: joined })
    else if (piece === '/') tokens.push({ word: 'and' })
    else if (piece === '.' && SHORT.has(last(tokens))) continue
    else if (SENTENCE.has(piece)) tokens.push({ end: 'sentence' })
    else if (/^[a-z0-9]/.test(piece)) tokens.push({ word: singular(piece) })
    else tokens.push({ end: 'clause' })
  }
  return tokens
}
