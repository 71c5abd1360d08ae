/**
 * Words with which people ask, as against words for what they ask about: `find papers describing …`, `I am interested in …`. They are
 * seldom in texts, so their rarity alone would weigh them like a subject. Postgres leaves out `the`, `what` and the like by itself.
 */
const ASKING = new Set(
  [
    'any anything article articles available concerning could deal dealing deals describe described describes describing etc',
    'find get give include including interested interest like look looking many may might much must need paper papers particular',
    'particularly especially please possible regarding related relating several show tell us use used uses using various want',
    'whether would also',
  ].flatMap((line) => line.split(' ')),
)

/** Reports whether a query word, in every form that the query has of it, only asks. */
export const isAsking = (words: readonly string[]): boolean => words.every((word) => ASKING.has(word))
