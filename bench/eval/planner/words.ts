/** Words that carry no meaning here. */
const EMPTY = new Set(
  (
    'a an the of to in on at for from by with and or as is are was were be been am do does did has have had how what which who whom whose when where ' +
    'i me my we us our you your it its they them their this that these those there here not no any all so than then into out up down still yet ' +
    'much many more get got give gave make made tell show list find please can could would should will shall may might about per if each only'
  ).split(' '),
)

const IRREGULAR: Record<string, string> = {
  paid: 'pay',
  won: 'win',
  lost: 'lose',
  came: 'come',
  brought: 'bring',
  sent: 'send',
  began: 'begin',
  past: 'past',
  overdue: 'overdue',
}

/** A word without the endings of English grammar, so that `invoices` and `invoiced` meet. */
export function stem(word: string): string {
  const plain = word.toLowerCase().replace(/[’']s?$/, '')
  const known = IRREGULAR[plain]
  if (known) return known
  if (plain.length < 4 || /\d/.test(plain)) return plain
  return plain
    .replace(/ies$|ied$/, 'y')
    .replace(/(x|ch|sh|ss)es$/, '$1')
    .replace(/([^s])s$/, '$1')
    .replace(/ings?$|ments?$|ed$/, '')
    .replace(/([bdgmnprt])\1$/, '$1')
    .replace(/e$/, '')
}

/** Words of a text, also within names in camel or snake case. */
export const wordsOf = (text: string): string[] =>
  text
    .replace(/([a-z])([A-Z0-9])/g, '$1 $2')
    .split(/[^\p{L}\p{N}’']+/u)
    .filter((word) => word !== '')

/** The stems of a text that carry meaning, in order. */
export const stemsOf = (text: string): string[] =>
  wordsOf(text)
    .filter((word) => !EMPTY.has(word.toLowerCase()))
    .map(stem)

/** The words that mean the same or nearly so in this trade. Words alone: nothing here knows a tool or one of its arguments. */
const ALIKE = [
  'owe owing unpaid receivables outstanding',
  'bill billed invoice invoiced',
  'job project',
  'quote estimate bid proposal quoted',
  'client customer homeowner',
  'late overdue',
  'won win',
  'lost lose',
  'finished completed complete',
  'begin start starts',
  'received came collected receive',
  'price cost',
  'margin profit less',
  'usually median typical',
  'waiting sent',
  'expires valid expire',
  'follow reminder callback',
  'pay payment paid',
  'worth contract',
  'revenue earned sales',
  'source category origin',
].map((line) => line.split(' ').map(stem))

const NEAR = 0.7

/** A stem with what is alike, each with how well it stands for it (1: the word itself). */
function alike(word: string): Map<string, number> {
  const near = ALIKE.filter((group) => group.includes(word)).flat()
  return new Map([...near.map((other) => [other, NEAR] as const), [word, 1]])
}

/** Measures how well `given` stands for any of the words: 1, less for what is alike, 0. */
export function closeness(given: string, words: ReadonlySet<string>): number {
  let best = 0
  for (const [other, share] of alike(given)) if (words.has(other)) best = Math.max(best, share)
  return best
}
