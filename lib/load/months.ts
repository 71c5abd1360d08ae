import type { Database } from '@/db/client'
import { dayColumn, isSummed, type MonthAmount, type SummedTable, storedMonth } from '@/db/queries/month-amounts'
import type { UpsertColumn, UpsertRecord } from '@/db/queries/upsert'
import { centsOf } from '@/lib/core/money'
import { Pace } from '@/lib/core/slices'
import { asAmount } from './join/fills'

/** The sums that a month had before a load and has after it, as decimal strings; `month` is `2026-11` by the contractor's days. */
export type MonthTotal = { file: string; month: string; currency: string; stored: string; after: string }

/** The months that are shown of a file, the newest first. */
const MOST_MONTHS = 60
/** Months and currencies that are counted at all: a file of nonsense cannot fill the memory. */
const MOST_COUNTED = 5_000

type Change = { month: string; currency: string; cents: bigint }
type FileChanges = { file: string; table: SummedTable; changes: Map<string, Change> }

/** What the files of a load change of each month and currency. */
export class Months {
  private readonly files = new Map<string, FileChanges>()

  /** Adds what of a table's rows a file changes. */
  add(file: string, table: string, moved: readonly MonthAmount[]): void {
    if (moved.length === 0 || !isSummed(table)) return
    const of: FileChanges = this.files.get(file) ?? { file, table, changes: new Map() }
    this.files.set(file, of)
    for (const { month, currency, amount } of moved) {
      const key = `${month} ${currency}`
      const known = of.changes.get(key)
      if (known) known.cents += centsOf(amount)
      else if (of.changes.size < MOST_COUNTED) of.changes.set(key, { month, currency, cents: centsOf(amount) })
    }
  }

  /** Returns the months that the files change, the newest first, each with its sums; of a dry run nothing is written yet. */
  async totals(db: Database, contractorId: string, isDry: boolean): Promise<MonthTotal[]> {
    const pace = new Pace(db)
    const totals: MonthTotal[] = []
    for (const { file, table, changes } of this.files.values()) {
      const stored = new Map<string, Map<string, string>>()
      for (const { month, currency, cents } of newest(changes)) {
        const known = stored.get(month) ?? (await sumsOf(db, contractorId, table, month))
        stored.set(month, known)
        const now = centsOf(known.get(currency) ?? '0.00')
        const [before, after] = isDry ? [now, now + cents] : [now - cents, now]
        totals.push({ file, month, currency, stored: asAmount(before), after: asAmount(after) })
        await pace.between()
      }
    }
    return totals
  }
}

const newest = (changes: ReadonlyMap<string, Change>): Change[] =>
  [...changes.values()]
    .filter(({ cents }) => cents !== 0n)
    .sort((a, b) => (a.month < b.month ? 1 : a.month > b.month ? -1 : a.currency.localeCompare(b.currency)))
    .slice(0, MOST_MONTHS)

async function sumsOf(
  db: Database,
  contractorId: string,
  table: SummedTable,
  month: string,
): Promise<Map<string, string>> {
  const sums = await storedMonth(db.orm, contractorId, { table, month })
  return new Map(sums.map(({ currency, amount }) => [currency, amount]))
}

/** Amounts that go. */
export const gone = (amounts: readonly MonthAmount[]): MonthAmount[] =>
  amounts.map((each) => ({ ...each, amount: asAmount(-centsOf(each.amount)) }))

/** The amount that a record would have in the month of its day; null where its table is not summed or it does not count. */
export function monthAmountOf(
  table: string,
  columns: UpsertColumn[],
  record: UpsertRecord,
  was: MonthAmount | null,
  month: string | null,
): MonthAmount | null {
  if (!isSummed(table) || (record.type !== undefined && record.type !== 'payment_received')) return null
  const takes = (column: string) => was === null || columns.some((each) => each.update && each.column === column)
  return {
    month: (takes(dayColumn(table)) ? month : was?.month) ?? '',
    currency: takes('currency') ? String(record.currency) : (was?.currency ?? ''),
    amount: takes('amount') ? String(record.amount) : (was?.amount ?? '0'),
  }
}
