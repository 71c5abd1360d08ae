import type { Orm } from '@/db/client'
import { dayColumn, isSummed, type MonthAmount, type SummedTable, storedMonth } from '@/db/queries/load-preview'
import type { UpsertColumn, UpsertRecord } from '@/db/queries/upsert'

/** What a month has by now and would have, as decimal strings; `month` is `2026-11` in UTC. */
export type MonthTotal = { file: string; month: string; currency: string; stored: string; after: string }

/** The months that are shown, the newest first. */
const MOST_MONTHS = 60
/** Months and currencies that are counted at all: a file of nonsense cannot fill the memory. */
const MOST_COUNTED = 5_000

/** Cents of a decimal string with at most two decimals, exact. */
export function centsOf(amount: string): bigint {
  const [, sign = '', whole = '0', part = ''] = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(amount) ?? []
  return BigInt(`${sign}${whole}${part.padEnd(2, '0')}`)
}

/** A decimal string of cents. */
export function decimalOf(cents: bigint): string {
  const digits = (cents < 0n ? -cents : cents).toString().padStart(3, '0')
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** How a file would change what is stored of each month and currency. */
export class Months {
  private readonly changes = new Map<string, { month: string; currency: string; cents: bigint }>()

  constructor(
    private readonly file: string,
    private readonly table: SummedTable,
  ) {}

  add({ month, currency, amount }: MonthAmount, sign: 1n | -1n): void {
    const key = `${month} ${currency}`
    const known = this.changes.get(key)
    if (known) known.cents += sign * centsOf(amount)
    else if (this.changes.size < MOST_COUNTED) this.changes.set(key, { month, currency, cents: sign * centsOf(amount) })
  }

  /** The months that the file names, the newest first, each with what is stored and what would be. */
  async totals(orm: Orm, contractorId: string, between: () => Promise<void>): Promise<MonthTotal[]> {
    const named = [...this.changes.values()].sort(
      (a, b) => (a.month < b.month ? 1 : -1) || a.currency.localeCompare(b.currency),
    )
    const totals: MonthTotal[] = []
    const stored = new Map<string, Map<string, string>>()
    for (const { month, currency, cents } of named.slice(0, MOST_MONTHS)) {
      const known =
        stored.get(month) ??
        new Map(
          (await storedMonth(orm, contractorId, { table: this.table, month })).map((each) => [
            each.currency,
            each.amount,
          ]),
        )
      stored.set(month, known)
      const now = centsOf(known.get(currency) ?? '0.00')
      totals.push({ file: this.file, month, currency, stored: decimalOf(now), after: decimalOf(now + cents) })
      await between()
    }
    return totals
  }
}

/** The amount that a record would have; null where its table is not summed or it does not count. */
export function monthAmountOf(
  table: string,
  columns: UpsertColumn[],
  record: UpsertRecord,
  was: MonthAmount | null,
): MonthAmount | null {
  if (!isSummed(table) || (record.type !== undefined && record.type !== 'payment_received')) return null
  const takes = (column: string) => was === null || columns.some((each) => each.update && each.column === column)
  const day = dayColumn(table)
  return {
    month: takes(day) ? String(record[day]).slice(0, 7) : (was?.month ?? ''),
    currency: takes('currency') ? String(record.currency) : (was?.currency ?? ''),
    amount: takes('amount') ? String(record.amount) : (was?.amount ?? '0'),
  }
}
