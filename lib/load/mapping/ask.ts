import { answerTo, keyOf, type Question } from '../questions'
import type { Table } from '../tables/table'
import { profileOf } from './content'
import { findTarget, type Mapped, TARGETS } from './fields'
import type { Assigned, Proposed } from './propose'
import { kindKey } from './shape'
import { isOfOthers, nameFits, wordsIn } from './words'

/** The share of a column's cells that make it one of a kind. */
const MOST = 0.8

/** Names of amounts that are parts of a total, and of what documents are not about. */
const PARTS = [
  'net',
  'vat',
  'tax',
  'subtotal',
  'discount',
  'rate',
  'quantity',
  'unit',
  'tip',
  'fee',
  'deposit',
  'gst',
  'hst',
  'pst',
]

const YES_NO = ['yes', 'no', 'y', 'n', 'true', 'false']

/** The choices that people made for columns, by the key of the question. */
export const answeredColumns = (header: string[], answers: Readonly<Record<string, string>>): Assigned[] =>
  header.flatMap((column) => {
    const answer = answerTo(answers, `column:${keyOf(column)}`)
    if (answer === undefined) return []
    return [{ column, field: answer === 'ignore' || answer === 'none' ? null : (findTarget(answer)?.field ?? null) }]
  })

/**
 * Returns what a person said the rows of a table are, or the likeliest; asks where two fit and nobody chose a field of either.
 * @param fitting what the rows can be, the likeliest first
 */
export function askKind(
  file: string,
  { header, format }: Table,
  fitting: readonly [Mapped, ...Mapped[]],
  chosen: readonly Assigned[],
  answers: Readonly<Record<string, string>>,
): { subject: Mapped; asked: Question[] } {
  const [likeliest, ...others] = fitting
  const all = [...fitting]
  const key = kindKey(header)
  const subject =
    all.find((each) => each === answerTo(answers, key)) ??
    all.find((each) => chosen.some(({ field }) => field !== null && findTarget(field)?.resource === each))
  if (subject || others.length === 0) return { subject: subject ?? likeliest, asked: [] }
  const columns = header.map((column) => column.trim()).filter(Boolean)
  const question = `Are the rows of ${file} ${all.join(' or ')}? Its columns fit both: ${columns.join(', ').slice(0, 200)}.`
  return {
    subject: likeliest,
    asked: [{ kind: 'kind', key, file, line: format.headerRow, column: null, value: null, question, choices: all }],
  }
}

/** Asks for what a column of money, days or yes and no is, where nothing that is read says so. */
export function askColumns(file: string, table: Table, proposed: Proposed[], rows: string[][]): Question[] {
  const asked = proposed.flatMap(({ column, field, confidence }, at): Question[] => {
    const words = wordsIn(column)
    if (field !== null || confidence === 1 || column.trim() === '') return []
    if (isOfOthers(words) || words.some((word) => PARTS.includes(word))) return []
    const cells = rows.map((row) => (row[at] ?? '').trim()).filter(Boolean)
    const what = contentOf(cells)
    if (what === undefined) return []
    const question = `What is the column “${column}”? It has ${what}, such as “${cells[0]?.slice(0, 40)}”, and nothing is read from it. Name a field, or none to leave it out.`
    const choices = ['none', ...TARGETS.map((target) => target.field)]
    return [
      {
        kind: 'columns',
        key: `column:${keyOf(column)}`,
        file,
        line: table.format.headerRow,
        column,
        value: cells[0]?.slice(0, 100) ?? null,
        question,
        choices,
      },
    ]
  })
  return [...asked, ...secondTable(file, rows, proposed)]
}

/** Returns what the cells of a column are where that matters to books: amounts, days, or yes and no. */
function contentOf(cells: string[]): string | undefined {
  const { filled, are } = profileOf(cells)
  if (filled === 0) return undefined
  if (are.date / filled >= MOST) return 'days'
  const isWritten = cells.some((cell) => /[$€£]|[.,]\d{2}$/.test(cell))
  if (isWritten && are.money / filled >= MOST) return 'amounts'
  const isYesNo = cells.every((cell) => YES_NO.includes(cell.toLowerCase())) && new Set(cells).size > 1
  return isYesNo ? 'yes and no' : undefined
}

/** Asks for a file of its own for a second table below the first: a row of names of columns, where documents stand. */
function secondTable(file: string, rows: string[][], proposed: Proposed[]): Question[] {
  const width = proposed.length
  const at = rows.findIndex((cells) => {
    const filled = cells.map((cell) => cell.trim()).filter(Boolean)
    if (filled.length < 3 || filled.length < width / 2 || filled.some((cell) => /\d/.test(cell))) return false
    const named = filled.filter((cell) => TARGETS.some((target) => nameFits(cell, target, target.resource) >= 0.85))
    return named.length >= 3
  })
  const cells = rows[at]
  if (!cells) return []
  const names = cells.map((cell) => cell.trim()).filter(Boolean)
  const question = `Does a second table begin at the row “${names.join(', ').slice(0, 120)}”? Its columns are others than those of the header. Put each table into a file of its own, and load both.`
  return [
    {
      kind: 'columns',
      key: 'second table',
      file,
      line: null,
      column: names[0] ?? null,
      value: names.join(', ').slice(0, 100),
      question,
      choices: [],
    },
  ]
}
