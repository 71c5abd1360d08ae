import type { FileKind } from '../columns'
import { cut } from '../fault'
import type { Row } from '../rows'
import { SeenReferences } from '../seen'

/** An odd row: its place, what is odd about it, and how odd it is. */
export type Odd = { file: string; line: number; field: string; value: string | null; reason: string }
type Weighed = Odd & { weight: number }

/** The most rows shown. */
export const MOST_ODD = 10
/** The largest amounts that are compared with the file's middle one at its end. */
const CANDIDATES = 50
/** An amount is far out beyond so many times the middle one of its file, which has at least this many rows. */
const FAR_OUT = 20
const LEAST_ROWS = 20
const DAY_MS = 86_400_000
const YEAR_MS = 365.25 * DAY_MS
/** A day is odd when it is more than a year ahead, or more than twenty years back. */
const AHEAD_MS = YEAR_MS
const BACK_MS = 20 * YEAR_MS

/** The fields of files that hold what is compared. */
const AMOUNTS = ['amount', 'totalAmount', 'unitCost']
const DAYS = ['date', 'dueDate', 'startDate', 'endDate', 'validUntil', 'settledAt']
/** The fields that make two rows the same deal under two numbers. */
const SAME = ['project', 'customer', 'invoice', 'amount', 'date']

/** Counts amounts in steps of two percent, so that the middle one of any number of rows is known in flat memory. */
class Middle {
  private readonly steps = new Map<number, number>()
  count = 0

  add(amount: number): void {
    const step = Math.round(Math.log(amount) / Math.log(1.02))
    this.steps.set(step, (this.steps.get(step) ?? 0) + 1)
    this.count++
  }

  get value(): number {
    let seen = 0
    for (const [step, count] of [...this.steps].sort(([a], [b]) => a - b)) {
      seen += count
      if (seen * 2 >= this.count) return 1.02 ** step
    }
    return 0
  }
}

const money = (amount: number) => amount.toLocaleString('en-US', { maximumFractionDigits: 0 })

/**
 * Finds the oddest rows of a file that can be loaded, in flat memory but for 64 bits a row: amounts more than twenty times the middle one,
 * days more than a year ahead or twenty years back, a due date before the date, the same project, amount and day under two numbers, and
 * amounts below or of zero.
 */
export class OddRows {
  private readonly middle = new Middle()
  private readonly deals = new SeenReferences()
  private large: Weighed[] = []
  private found: Weighed[] = []

  constructor(
    private readonly kind: FileKind,
    private readonly now = Date.now(),
  ) {}

  look(row: Row): void {
    this.lookAtAmount(row)
    this.lookAtDays(row)
    this.lookForTwin(row)
  }

  /** The oddest rows, the oddest first. */
  worst(): Odd[] {
    const { value: middle, count } = this.middle
    const far = this.large.flatMap((each): Weighed[] => {
      const times = each.weight / middle
      if (count < LEAST_ROWS || times < FAR_OUT) return []
      const reason = `is ${money(times)} times the middle amount of the file (${money(middle)})`
      return [{ ...each, weight: 10 + Math.log10(times), reason }]
    })
    return [...this.found, ...far]
      .sort((a, b) => b.weight - a.weight || a.line - b.line)
      .slice(0, MOST_ODD)
      .map(({ weight: _, ...odd }) => odd)
  }

  private note(row: Row, field: string, weight: number, reason: string): void {
    this.found = keepMost(this.found, this.weighed(row, field, weight, reason), MOST_ODD)
  }

  private weighed(row: Row, field: string, weight: number, reason: string): Weighed {
    const { file, columns } = this.kind
    const header = columns.find((column) => column.field === field)?.headers[0] ?? field
    const value = row.values[field]
    return { file, line: row.line, field: header, value: value == null ? null : cut(value), reason, weight }
  }

  private lookAtAmount(row: Row): void {
    const field = AMOUNTS.find((each) => row.values[each] != null)
    if (field === undefined) return
    const amount = Number(row.values[field])
    if (amount === 0) this.note(row, field, 1, 'is zero')
    if (amount < 0) this.note(row, field, 4, 'is negative, so it is taken as a credit')
    if (amount === 0) return
    this.middle.add(Math.abs(amount))
    this.large = keepMost(this.large, this.weighed(row, field, Math.abs(amount), ''), CANDIDATES)
  }

  private lookAtDays(row: Row): void {
    const at = (field: string) => (row.values[field] == null ? Number.NaN : Date.parse(row.values[field] ?? ''))
    for (const field of DAYS) {
      const ahead = at(field) - this.now
      if (ahead > AHEAD_MS) this.note(row, field, 8 + Math.log10(ahead / YEAR_MS), `is ${years(ahead)} ahead`)
      if (-ahead > BACK_MS) this.note(row, field, 8 + Math.log10(-ahead / YEAR_MS) - 1, `is ${years(-ahead)} ago`)
    }
    if (at('dueDate') < at('date')) this.note(row, 'dueDate', 6, 'is before the date')
  }

  private lookForTwin(row: Row): void {
    const values = SAME.map((field) => row.values[field] ?? null)
    if (row.values.amount == null || row.values.date == null || values.filter((value) => value !== null).length < 3)
      return
    const first = this.deals.firstLine(JSON.stringify(values), row.line)
    if (first !== undefined)
      this.note(row, 'amount', 7, `and day and whom it is for are the same as on line ${first}, under another number`)
  }
}

const years = (ms: number) => {
  const n = Math.floor(ms / YEAR_MS)
  return n === 1 ? 'more than a year' : `more than ${money(n)} years`
}

/** Adds to a list that keeps the heaviest; of equal ones the first. */
function keepMost(list: Weighed[], added: Weighed, most: number): Weighed[] {
  const last = list.at(-1)
  if (list.length >= most && last && added.weight <= last.weight) return list
  const at = list.findIndex(({ weight }) => weight < added.weight)
  const kept = at < 0 ? [...list, added] : [...list.slice(0, at), added, ...list.slice(at)]
  return kept.slice(0, most)
}
