/** The approximate length of a snippet in characters; words stay whole. */
const LENGTH = 300
const BEFORE = 60

// Most texts are plain English, where normalizing each word would take most of the time of a snippet.
const IS_ASCII = /^[\0-\x7f]*$/
const plain = (word: string) =>
  IS_ASCII.test(word) ? word.toLowerCase() : word.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '')
const wordsOf = (text: string) => text.matchAll(IS_ASCII.test(text) ? /[a-z0-9]+/gi : /[\p{L}\p{N}\p{M}]+/gu)

/** Reports whether a word has a given Postgres stem: `studies` and `study` have `studi`, `shingles` has `shingl`. */
function hasStem(word: string, stem: string): boolean {
  if (word.length > stem.length + 8) return false
  return word.startsWith(stem) || (stem.endsWith('i') && word.startsWith(`${stem.slice(0, -1)}y`))
}

type Match = { at: number; stem: string }

function matchesIn(text: string, stems: string[]): Match[] {
  const matches: Match[] = []
  for (const { 0: word, index } of wordsOf(text)) {
    const written = plain(word)
    const stem = stems.find((stem) => hasStem(written, stem))
    if (stem !== undefined) matches.push({ at: index, stem })
  }
  return matches
}

/** Returns where the window with the most different stems begins; the first window wins a tie. */
function bestStart(matches: Match[]): number {
  let best = { at: 0, count: 0 }
  for (const [i, { at }] of matches.entries()) {
    const within = new Set<string>()
    for (let j = i; j < matches.length; j++) {
      const match = matches[j]
      if (!match || match.at > at + LENGTH - BEFORE) break
      within.add(match.stem)
    }
    if (within.size > best.count) best = { at, count: within.size }
  }
  return best.at
}

/** Returns about 300 characters of a text, where the most query words (as stems) occur, or its beginning when none occur. */
export function snippetOf(text: string, stems: string[]): string {
  const even = text.replace(/\s+/gu, ' ').trim()
  if (even.length <= LENGTH) return even
  const match = bestStart(matchesIn(even, stems))
  const wanted = Math.min(Math.max(0, match - BEFORE), even.length - LENGTH)
  const from = wanted === 0 ? 0 : even.indexOf(' ', wanted) + 1 || wanted
  const space = even.lastIndexOf(' ', from + LENGTH)
  const to = from + LENGTH >= even.length ? even.length : space > from ? space : from + LENGTH
  return `${from > 0 ? '… ' : ''}${even.slice(from, to).toWellFormed()}${to < even.length ? ' …' : ''}`
}
