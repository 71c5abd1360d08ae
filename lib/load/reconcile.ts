import type { Database } from '@/db/client'
import { type BookTotals, balancesApart, bookTotals } from '@/db/queries/reconcile'
import { centsOf } from '@/lib/core/money'
import { asAmount } from './join/fills'
import type { MonthTotal } from './months'

/** The documents of one type that a file has, and what they add up to as it writes them. */
export type Documents = { file: string; type: string; count: number; amount: string | null }

/** A total that a report states itself, and what its rows add up to. */
export type ControlTotal = { file: string; column: string; stated: string; read: string }

/** A customer of whom the files state another balance than the books have, and why. */
export type Difference = { customer: string; currency: string; stated: string; books: string; reason: string }

/**
 * What a bookkeeper compares before signing: documents and totals as the files have them, sums by month, what is open and in credit before and after, and
 * each customer where files and books differ.
 */
export type Reconciliation = {
  currency: string
  documents: Documents[]
  totals: ControlTotal[]
  /** Invoices and received payments by month, the newest sixty that each file changes. */
  months: MonthTotal[]
  before: BookTotals
  /** Null where nothing was written. */
  after: BookTotals | null
  differences: Difference[]
}

const MOST_DIFFERENCES = 100

/** Begins a reconciliation: what the files have, and what the books have before them. */
export async function beginReconciliation(
  db: Database,
  { id, currency }: { id: string; currency: string },
  { documents, totals }: Pick<Reconciliation, 'documents' | 'totals'>,
): Promise<Reconciliation> {
  const before = await bookTotals(db.orm, id, currency)
  return { currency, documents, totals, months: [], before, after: null, differences: [] }
}

/** Says why a customer's balances differ. */
function reasonOf({ credit, unstated }: { credit: string; unstated: number }): string {
  const parts = [
    ...(Number(credit) === 0 ? [] : [`${credit} is in credit and pays no invoice`]),
    ...(unstated === 0
      ? []
      : [`${unstated} open ${unstated === 1 ? 'invoice has' : 'invoices have'} no stated balance`]),
  ]
  return parts.length > 0
    ? parts.join('; ')
    : 'payments or credits are missing, or were loaded beside a balance that holds them already'
}

/** Adds to a reconciliation where the books of some customers differ from what the files state. */
export async function addDifferences(
  db: Database,
  contractorId: string,
  customers: string[],
  { differences }: Reconciliation,
): Promise<void> {
  if (differences.length >= MOST_DIFFERENCES) return
  for (const { name, currency, stated, open, credit, unstated } of await balancesApart(db.orm, contractorId, customers))
    differences.push({
      customer: name,
      currency,
      stated,
      books: asAmount(centsOf(open) - centsOf(credit)),
      reason: reasonOf({ credit, unstated }),
    })
}

/** Ends a reconciliation with what the books have now. */
export async function endReconciliation(db: Database, contractorId: string, begun: Reconciliation): Promise<void> {
  begun.after = await bookTotals(db.orm, contractorId, begun.currency)
}
