import type { Understood } from './understand'
import { bestField, dayIn, isRow, type Leaf, leavesOf, listsIn, overlap, precision, type Row } from './values'
import { closeness, stemsOf } from './words'

const SUM = /\b(total|sum|worth|amount|value|cost|net)\b/i

/** Reports whether a label of a question asks how many there are: its noun stands behind `how many`. */
function isCount(label: string, text: string): boolean {
  const counted = new Set((text.match(/how many [^,?]*/gi) ?? []).flatMap(stemsOf))
  return !SUM.test(label) && stemsOf(label).some((word) => closeness(word, counted) > 0)
}

/** Ranks how well the name of a number fits a label, and how usual the name is. */
function nameRank(
  path: readonly string[],
  asked: ReadonlySet<string>,
  question: Understood,
  counts: boolean,
): { named: number; usual: number } {
  const name = path.at(-1) ?? ''
  const above = path
    .slice(0, -1)
    .filter((part) => !part.startsWith('#'))
    .join(' ')
  const named =
    Math.max(0, precision(name, asked)) * 3 + overlap(above, asked) * 0.5 + overlap(name, question.words) * 0.3
  const usual = counts ? (/^(count|n)$/.test(name) ? 3 : 0) : /^(amount|total|expected|unpaid)$/i.test(name) ? 0.6 : 0
  return { named, usual }
}

/** Ranks how well a number in an answer fits a label: its name, where it stands, the row it is in, the period that row is for. */
function figureRank(data: unknown, { path }: Leaf, label: string, question: Understood, counts: boolean): number {
  const asked = new Set(stemsOf(label))
  const sums = path[0] === 'total' || path.at(-1) === 'total'
  const inRow = !sums && path.some((part) => part.startsWith('#'))
  const { named, usual } = nameRank(path, asked, question, counts)
  const rowed = inRow && distinguishes(data, path, asked) ? overlap(rowLabel(data, path), asked) * 2 : 0
  if (named + rowed + usual === 0) return Number.NEGATIVE_INFINITY
  const ends = question.end !== undefined && !counts
  const summed = sums && !counts && !ends ? 1.5 : 0
  const extreme = ends && isExtreme(data, path, question) ? 2.5 : 0
  const placed = entityFit(data, path, question) + periodFit(data, path, label, question) - (inRow ? 0.5 : 0)
  return named + rowed + usual + summed + extreme + placed
}

/** Numbers that may be what a label asks for, the likeliest first: fields by name, how many rows there are, what they add up to. */
export function figuresFor(label: string, data: unknown, question: Understood): number[] {
  const counts = isCount(label, question.text)
  const candidates = leavesOf(data).flatMap((leaf) => {
    const { value } = leaf
    if (typeof value !== 'number' || (counts && !Number.isInteger(value))) return []
    const rank = figureRank(data, leaf, label, question, counts)
    return Number.isFinite(rank) ? [{ value, rank }] : []
  })
  const goesOn = leavesOf(data).some(
    ({ path, value }) => path.length === 1 && /^next/.test(path[0] ?? '') && typeof value === 'string',
  )
  for (const { path, rows } of goesOn ? [] : listsIn(data)) {
    if (path[0] === 'total') continue
    if (counts) candidates.push({ value: rows.length, rank: 0.4 })
    const measure = counts ? undefined : bestField(rows, question, (value) => typeof value === 'number')
    if (measure !== undefined)
      candidates.push({ value: rows.reduce((sum, row) => sum + Number(row[measure] ?? 0), 0), rank: 0.1 })
  }
  return candidates.sort((a, b) => b.rank - a.rank).map(({ value }) => value)
}

/** Reports whether the row of a path is one of those that the words single out among its neighbors. */
function distinguishes(data: unknown, path: readonly string[], words: ReadonlySet<string>): boolean {
  const last = path.findLastIndex((part) => part.startsWith('#'))
  if (last === -1) return false
  const list = listsIn(data).find((one) => one.path.join('.') === path.slice(0, last).join('.'))
  const texts = list?.rows.map((row) => textOf(row)) ?? [rowLabel(data, path)]
  const most = Math.max(...texts.map((text) => overlap(text, words)))
  const own = overlap(rowLabel(data, path), words)
  return own > 0 && own === most && (texts.length === 1 || texts.some((text) => overlap(text, words) < most))
}

/** Ranks the row of whoever is asked about above the other rows and the sums of a list that names many. */
function entityFit(data: unknown, path: readonly string[], { entity }: Understood): number {
  if (entity === undefined) return 0
  const named = (row: Row | undefined) => textOf(row).toLowerCase().includes(entity.toLowerCase())
  if (!listsIn(data).some(({ rows }) => rows.some(named))) return 0
  return named(rowAt(data, path)) ? 3 : -2
}

/** Reports whether a number is the greatest of its field in its list, or the least, as asked for. */
function isExtreme(data: unknown, path: readonly string[], { end }: Understood): boolean {
  const last = path.findLastIndex((part) => part.startsWith('#'))
  const name = path.at(-1) ?? ''
  const list = listsIn(data).find((one) => one.path.join('.') === path.slice(0, Math.max(0, last)).join('.'))
  if (last === -1 || path[0] === 'total' || !list) return false
  const values = list.rows.map((row) => Number(row[name])).filter(Number.isFinite)
  return (
    values.length > 0 &&
    Number(rowAt(data, path)?.[name]) === (end === 'least' ? Math.min(...values) : Math.max(...values))
  )
}

const textOf = (row: Row | undefined) =>
  Object.values(row ?? {})
    .filter((value) => typeof value === 'string')
    .join(' ')

/** The row a path leads into. */
function rowAt(data: unknown, path: readonly string[]): Row | undefined {
  const last = path.findLastIndex((part) => part.startsWith('#'))
  let at: unknown = data
  for (const part of path.slice(0, last + 1))
    at = Array.isArray(at) ? at[Number(part.slice(1))] : isRow(at) ? at[part] : undefined
  return last === -1 ? undefined : isRow(at) ? at : undefined
}

const rowLabel = (data: unknown, path: readonly string[]) => textOf(rowAt(data, path))

/** A row that is itself one of the periods the question names fits the label that says that period. */
function periodFit(data: unknown, path: readonly string[], label: string, question: Understood): number {
  const row = rowAt(data, path)
  const [from, to] = [dayIn(row?.from), dayIn(row?.to)]
  const of = question.ranges.find(({ said }) => said.toLowerCase().includes(label.toLowerCase())) ?? question.ranges[0]
  return of && from === of.from && to !== undefined && to === of.to ? 4 : 0
}
