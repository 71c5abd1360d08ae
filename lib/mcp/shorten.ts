/** The maximum length of an answer as JSON text, because more would flood a model's context. In UTF-16 code units, as clients count. */
export const MOST_CHARACTERS = 25_000

type Answer = Record<string, unknown>

/** A shortened answer: `text` is `answer` as JSON, within the limit whenever cutting can achieve it; `hint` is set when anything was omitted. */
export type Shortened = { answer: Answer; text: string; hint?: string }

type Listed = { field: string; items: readonly unknown[] }

/** Returns the top-level array that takes the most text; undefined when no array has an item to omit. */
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

/** Returns how many items fit; 0 when not even the first does. */
function fitting(answer: Answer, array: Listed, most: number): number {
  let [fits, tooMany] = [0, array.items.length]
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >> 1
    if (JSON.stringify(cutTo(answer, array, middle)).length <= most) fits = middle
    else tooMany = middle
  }
  return fits
}

/** Says how to get what was omitted, depending on the kind of answer. */
function hintFor(answer: Answer, { field, items }: Listed, count: number, most: number): string {
  const bound = most.toLocaleString('en-US')
  const shown = `Only the first ${count} of ${items.length} in ${field} are told: with all of them the answer is over ${bound} characters.`
  if (count === 0) return `${shown} Narrow the question with the tool’s other arguments.`
  if ('nextPageToken' in answer)
    return `${shown} To go on, call again with the same arguments and limit ${count}, and then with the nextPageToken that gives; or narrow the question with the tool’s filters.`
  return `${shown} For the rest narrow the question: fewer days, one customer or one project at a time.`
}

/**
 * Returns an answer of at most `most` characters as JSON text. A longer one is cut at whole items of its longest top-level array,
 * then of the next longest if needed. The first items stay in order, so the answer still fits its output schema. Without an array
 * left to cut, the text stays too long, because half an object would be no answer. Does not modify its input.
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
