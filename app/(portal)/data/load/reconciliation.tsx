import type { DataColumn } from '@/app/ui/data-column'
import { DataTable } from '@/app/ui/data-table'
import type { Reconciliation } from '@/lib/portal/load-events'

type Documents = Reconciliation['documents'][number]
type Month = Reconciliation['months'][number]
type Total = Reconciliation['totals'][number]
type Difference = Reconciliation['differences'][number]
type Balance = { name: string; before: string; after: string | null }

/** The names of documents as a bookkeeper calls them. */
const NAMES: Record<string, string> = {
  customer: 'Customers',
  job: 'Jobs',
  estimate: 'Estimates',
  invoice: 'Invoices',
  salesReceipt: 'Sales receipts',
  creditMemo: 'Credit memos',
  refundReceipt: 'Refund receipts',
  refund: 'Refunds',
  payment: 'Payments',
  returnedPayment: 'Returned payments',
  statementCharge: 'Statement charges',
  writeOff: 'Write-offs',
  none: 'Left out',
}

/** An amount with the sign of its currency: `$1,250.00`. */
const shown = (amount: string | null, currency: string): string | null =>
  amount && new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(Number(amount))

/** A month as `Apr 2026`. */
const monthOf = (month: string): string =>
  new Date(`${month}-01T00:00:00Z`).toLocaleDateString('en-US', { month: 'short', year: 'numeric', timeZone: 'UTC' })

/** A column of amounts; `of` is their currency, where a row has none of its own. */
const amounts = <Row extends object>(
  head: string,
  value: (row: Row) => string | null,
  of: (row: Row) => string,
): DataColumn<Row> => ({ name: head, head, kind: 'money', value: (row) => shown(value(row), of(row)) })

const FILE = { name: 'file', head: 'File', kind: 'text', value: ({ file }: { file: string }) => file } as const

const documentColumns = (own: string): DataColumn<Documents>[] => [
  { name: 'type', head: 'Document', kind: 'text', value: ({ type }) => NAMES[type] ?? type },
  FILE,
  { name: 'count', head: 'Count', kind: 'count', value: ({ count }) => count },
  amounts(
    'Amount',
    ({ amount }) => amount,
    () => own,
  ),
]

const totalColumns = (own: string): DataColumn<Total>[] => [
  FILE,
  { name: 'column', head: 'Total of', kind: 'text', value: ({ column }) => column },
  amounts(
    'In the report',
    ({ stated }) => stated,
    () => own,
  ),
  amounts(
    'Read',
    ({ read }) => read,
    () => own,
  ),
]

const ownCurrency = ({ currency }: { currency: string }) => currency

const MONTHS: DataColumn<Month>[] = [
  { name: 'month', head: 'Month', kind: 'text', isShort: true, value: ({ month }) => monthOf(month) },
  FILE,
  amounts<Month>('Before', ({ stored }) => stored, ownCurrency),
  amounts<Month>('After', ({ after }) => after, ownCurrency),
]

const balanceColumns = (own: string): DataColumn<Balance>[] => [
  { name: 'name', head: 'Balance', kind: 'text', value: ({ name }) => name },
  amounts(
    'Before',
    ({ before }) => before,
    () => own,
  ),
  amounts(
    'After',
    ({ after }) => after,
    () => own,
  ),
]

const DIFFERENCES: DataColumn<Difference>[] = [
  { name: 'customer', head: 'Customer', kind: 'text', value: ({ customer }) => customer },
  amounts<Difference>('Files', ({ stated }) => stated, ownCurrency),
  amounts<Difference>('Books', ({ books }) => books, ownCurrency),
  { name: 'reason', head: 'Reason', kind: 'text', isLong: true, value: ({ reason }) => reason },
]

/** The reconciliation of a load: what the files have, and what the books have before and after. */
export function Reconciled({ reconciliation }: { reconciliation: Reconciliation }) {
  const { currency, documents, totals, months, before, after, differences } = reconciliation
  const balances: Balance[] = [
    { name: 'Receivables', before: before.receivable, after: after?.receivable ?? null },
    { name: 'In credit', before: before.credit, after: after?.credit ?? null },
  ]
  return (
    <section aria-label="Reconciliation" className="grid gap-4">
      <h3>Reconciliation</h3>
      <DataTable
        caption="Documents in the files"
        captionShown
        columns={documentColumns(currency)}
        rows={documents}
        rowKey={({ file, type }) => `${file} ${type}`}
      />
      {totals.length > 0 && (
        <DataTable
          caption="Totals that the reports state"
          captionShown
          columns={totalColumns(currency)}
          rows={totals}
          rowKey={({ file, column }) => `${file} ${column}`}
        />
      )}
      {months.length > 0 && (
        <DataTable
          caption="Invoices and payments by month, before and after"
          captionShown
          columns={MONTHS}
          rows={months}
          rowKey={({ file, month, currency: of }) => `${file} ${month} ${of}`}
        />
      )}
      <DataTable
        caption={after ? 'Books before and after' : 'Books before the load'}
        captionShown
        columns={balanceColumns(currency).slice(0, after ? 3 : 2)}
        rows={balances}
        rowKey={({ name }) => name}
      />
      {differences.length > 0 && (
        <DataTable
          caption="Customers whose balances differ"
          captionShown
          columns={DIFFERENCES}
          rows={differences}
          rowKey={({ customer, currency: of }) => `${customer} ${of}`}
        />
      )}
    </section>
  )
}
