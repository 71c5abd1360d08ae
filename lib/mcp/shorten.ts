/** What an answer may come to as JSON text; more floods a model's context. Counted in UTF-16 code units, as clients do. */
export const MOST_CHARACTERS = 25_000

type Answer = Record<string, unknown>

/** `text` is `answer` as JSON, within the bound wherever cutting can bring it there; `hint` is there when anything was left out. */
export type Shortened = { answer: Answer; text: string; hint?: string }

type Listed = { field: string; items: readonly unknown[] }

/** The top-level array that makes most of the text; undefined when none has an item to leave out. */
function longestArray(answer: Answer): Listed | undefined {
  let longest: Listed | undefined
  let most = 0
  for (const [field, items] of Object.entries(answer)) {
    if (!Array.isArray(items) || items.length === 0) continue
    const { length } = JSON.stringify(items)
    if (length > most) [longest, most] = [{ field, items }, length]
  }
  return longest
}

/**
 * Returns the answer with the first `count` items of an array, with its other fields corrected: `more` also counts the omitted
 * items, `truncated` is true, and `nextPageToken` is removed, because it would skip them.
 */
function cutTo(answer: Answer, { field, items }: Listed, count: number): Answer {
  const cut: Answer = { ...answer, [field]: items.slice(0, count) }
  if (typeof answer.more === 'number') cut.more = answer.more + items.length - count
  if (typeof answer.nextPageToken === 'string') cut.nextPageToken = null
  if (answer.truncated === false) cut.truncated = true
  return cut
}

/** The most items that fit; none when even the first does not. */
function fitting(answer: Answer, array: Listed, most: number): number {
  let [fits, tooMany] = [0, array.items.length]
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >> 1
    if (JSON.stringify(cutTo(answer, array, middle)).length <= most) fits = middle
    else tooMany = middle
  }
  return fits
}

/** How to come by what was left out, from what kind of answer it is. */
function hintFor(answer: Answer, { field, items }: Listed, count: number, most: number): string {
  const bound = most.toLocaleString('en-US')
  const shown = `Only the first ${count} of ${items.length} in ${field} are told: with all of them the answer is over ${bound} characters.`
  if (count === 0) return `${shown} Narrow the question with the tool’s other arguments.`
  if ('nextPageToken' in answer)
    return `${shown} To go on, call again with the same arguments and limit ${count}, and then with the nextPageToken that gives; or narrow the question with the tool’s filters.`
  return `${shown} For the rest narrow the question: fewer days, one customer or one project at a time.`
}

/**
 * An answer of at most `most` characters as JSON text. What is longer is cut at whole items of its longest top-level array, and
 * of the next longest when that one empty is not enough; items stay in order, the first ones, so the answer still fits its
 * output schema. Without an array left to cut the text stays too long: half an object would be no answer. Changes nothing in place.
 */
export function shorten(answer: Answer, most = MOST_CHARACTERS): Shortened {
  const hints: string[] = []
  let cut = answer
  let text = JSON.stringify(cut)
  while (text.length > most) {
    const array = longestArray(cut)
    if (!array) break
    const count = fitting(cut, array, most)
    hints.push(hintFor(cut, array, count, most))
    cut = cutTo(cut, array, count)
    text = JSON.stringify(cut)
  }
  return hints.length === 0 ? { answer, text } : { answer: cut, text, hint: hints.join(' ') }
}
