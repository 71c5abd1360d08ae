import type { Answer } from '../question'
import { figuresFor } from './figures'
import type { Understood } from './understand'
import { bestField, dayIn, inRange, leavesOf, listsIn, overlap, type Row } from './values'

/** Narrows a list as a person would where arguments could not: rows beyond the amount, without a payment since a day, the first few. */
function narrow(rows: Row[], question: Understood): Row[] {
  const { over, under, ranges, end, top } = question
  let kept = rows
  const measure = bestField(rows, question, (value) => typeof value === 'number')
  const sized = (row: Row) => Number(measure === undefined ? 0 : row[measure])
  if (over !== undefined && measure !== undefined) kept = kept.filter((row) => sized(row) > over)
  if (under !== undefined && measure !== undefined) kept = kept.filter((row) => sized(row) < under)
  const [range] = ranges
  const denied = /\bnot\b|n’t\b|n't\b/.test(question.text)
  const date = bestField(rows, question, (value) => dayIn(value) !== undefined)
  if (range && denied && date !== undefined) kept = kept.filter((row) => !inRange(dayIn(row[date]) ?? '', range))
  if (end !== undefined && top !== undefined) {
    const by = question.endOf === 'time' ? date : measure
    const value = (row: Row) => (question.endOf === 'time' ? (dayIn(row[by ?? '']) ?? '') : sized(row))
    const sorted = [...kept].sort((a, b) => (value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : 0))
    kept = (end === 'greatest' ? sorted.reverse() : sorted).slice(0, top)
  }
  return kept
}

/** Rows whose dates lie in the period, by each date they have. */
function inPeriod(rows: Row[], question: Understood): Row[][] {
  const [range] = question.ranges
  if (!range) return []
  const dates = [...new Set(rows.flatMap((row) => Object.keys(row).filter((name) => dayIn(row[name]) !== undefined)))]
  return dates
    .sort((a, b) => overlap(b, question.words) - overlap(a, question.words))
    .map((name) => rows.filter((row) => inRange(dayIn(row[name]) ?? '', range)))
}

/** Fields by which a row can be called: those of what is asked for; else its id, which no two share; else what names it. */
function callings(rows: readonly Row[], question: Understood): string[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row).filter((name) => typeof row[name] === 'string')))]
  const asks = (name: string) => overlap(name.replace(/(Id|Name)$/, ''), question.asked)
  const links = names.filter((name) => /[a-z](Id|Name)$/.test(name) && asks(name) > 0)
  if (links.length > 0) return links.sort((a, b) => asks(b) - asks(a) || a.localeCompare(b))
  const usual = ['id', 'number', 'name', 'title', 'period', 'category', 'label']
  const known = names.filter((name) => usual.includes(name) || /num$/i.test(name) || asks(name) > 0)
  const rank = (name: string) =>
    (name === 'id' ? 50 : 0) + asks(name) * 10 + (/num$/i.test(name) ? 8 : 0) - usual.indexOf(name)
  const sorted = known.sort((a, b) => rank(b) - rank(a))
  // Names may be shared: where there are ids, or numbers, they alone tell which rows are meant.
  if (names.includes('id')) return sorted.filter((name) => name === 'id' || /num(ber)?$/i.test(name))
  // A row without an id of its own is called by one in it that no other row has.
  const distinct = (name: string) => new Set(rows.map((row) => row[name])).size === rows.length
  return [...names.filter((name) => /[a-z]Id$/.test(name) && distinct(name)), ...sorted]
}

const unique = (items: string[]) => [...new Set(items)]

function* lists(data: unknown, question: Understood): Generator<Answer> {
  const found = listsIn(data)
    .filter(({ path }) => path[0] !== 'total')
    .sort((a, b) => overlap(b.path.join(' '), question.asked) - overlap(a.path.join(' '), question.asked))
  for (const { rows } of found) {
    const kinds = rows.filter(({ type }) => typeof type === 'string' && overlap(type, question.asked) > 0)
    const ways = [
      ...(kinds.length > 0 && kinds.length < rows.length ? [narrow(kinds, question)] : []),
      narrow(rows, question),
      ...(question.top === undefined ? [] : [rows.slice(0, question.top)]),
      ...inPeriod(rows, question),
      rows,
    ]
    for (const way of ways)
      for (const name of callings(rows, question)) {
        const items = way.flatMap((row) => (typeof row[name] === 'string' ? [String(row[name])] : []))
        yield { kind: 'list', items: unique(items) }
      }
  }
  if (found.length === 0 || found.every(({ rows }) => rows.length === 0)) yield { kind: 'list', items: [] }
}

/** Days in an answer, those whose field the question names first; of one field the latest or the earliest, where it asks for that. */
function daysFor(data: unknown, question: Understood): string[] {
  const sign = question.end === 'greatest' ? -1 : question.end === 'least' ? 1 : 0
  return leavesOf(data)
    .flatMap(({ path, value }) => {
      const day = dayIn(value)
      const name = path.at(-1) ?? ''
      const usual = name === 'date' ? 0.5 : /^(created|updated)At$/.test(name) ? -1 : 0
      return day === undefined
        ? []
        : [{ day, rank: overlap(name, question.words) + usual - (sign === 0 ? path.length / 100 : 0) }]
    })
    .sort((a, b) => b.rank - a.rank || sign * (a.day < b.day ? -1 : a.day > b.day ? 1 : 0))
    .map(({ day }) => day)
}

/** Yields every way to read an answer out of what a tool said, the likeliest first. */
export function* interpretations(data: unknown, text: string, question: Understood): Generator<Answer> {
  const { form } = question
  if (form.kind === 'figures') {
    const figures = form.labels.map((label) => [label, figuresFor(label, data, question)[0]] as const)
    yield { kind: 'figures', figures: Object.fromEntries(figures) }
    return
  }
  if (form.kind === 'list') yield* lists(data, question)
  else if (form.kind === 'day') for (const day of daysFor(data, question)) yield { kind: 'day', day }
  else if (form.kind === 'text') yield { kind: 'text', text }
  else yield { kind: 'change' }
}
