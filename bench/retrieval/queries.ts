import { makeRandom, word } from './made'

const random = makeRandom(7)
const pick = (from: number, to: number) => word(from + Math.floor(random() * (to - from)))
const common = () => pick(0, 40)
const mistyped = (from: number, to: number) => pick(from, to).replace(/(?<=^..)/, 'x')
const many = (count: number, make: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => make(at)).join(' ')

/**
 * Types of queries, by the ranks of their words among 30,000. The forty most frequent words occur in 15 to 90 percent of the
 * chunks.
 */
export const QUERIES: Record<string, () => string> = {
  'one rare word': () => pick(5_000, 20_000),
  'one common word': common,
  'three words, mixed': () => [common(), pick(50, 1_000), pick(1_000, 10_000)].join(' '),
  'six words, mixed': () =>
    [common(), common(), pick(50, 200), pick(200, 1_000), pick(1_000, 5_000), pick(5_000, 20_000)].join(' '),
  'six common words': () => many(6, common),
  'thirty words, mixed': () =>
    many(30, (at) => (at % 3 === 0 ? common() : at % 3 === 1 ? pick(50, 1_000) : pick(1_000, 10_000))),
  'a typing error': () => `${mistyped(200, 5_000)} ${pick(50, 1_000)}`,
  'forty typing errors': () => many(40, () => mistyped(200, 5_000)).slice(0, 400),
  'quoted words': () => `"${common()} ${common()}" ${pick(50, 1_000)}`,
}
