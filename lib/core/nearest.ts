/** Returns the edit distance of two words: letters replaced, missing, extra or swapped with the next one (optimal string alignment). */
export function mistakes(a: string, b: string): number {
  let older: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      let least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + same)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (older[j - 2] ?? 0) + 1)
      row.push(least)
    }
    older = last
    last = row
  }
  return last[b.length] ?? 0
}

/** A name without case, signs and the `s` of a plural: `list_invoices`, `listInvoice` and `List-Invoices` are the same. */
export const plainName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .replace(/(?<=.{2})s$/, '')

/** The longest name that is compared letter by letter. */
const LONGEST = 60

/** Returns how far a name is from another: 0 for the same in another spelling, more for a part of it, and more still for each letter that differs. */
function distance(given: string, name: string): number {
  const [one, other] = [plainName(given), plainName(name)]
  if (one === other) return 0
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  if (short.length >= 3 && long.includes(short)) return 1 + (long.length - short.length) / 100
  return 1 + mistakes(one, other)
}

/** Returns the name that is most like a given one; undefined where none is like it. */
export function nearestTo(given: string, names: readonly string[]): string | undefined {
  if (given.length > LONGEST) return undefined
  const most = 1 + Math.max(1, Math.floor(given.length / 3))
  const [first] = names
    .map((name) => ({ name, far: distance(given, name) }))
    .filter(({ far }) => far <= most)
    .sort((a, b) => a.far - b.far)
  return first?.name
}
