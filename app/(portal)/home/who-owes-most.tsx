import { Card } from '@/app/ui/card'
import { DataTable } from '@/app/ui/data-table'
import type { Desk } from '@/lib/core/desk'
import type { Context } from '@/lib/operations/define'
import { execute } from '@/lib/operations/execute'
import { getReceivablesAging } from '@/lib/operations/reports/receivables-aging'
import { columnsOf, customersOf } from '../reports/who-owes/table'

const MOST = 5

/** The customers who owe most and since when, each leading to their open invoices. Hidden while nobody owes anything. */
export async function WhoOwesMost({ ctx, desk }: { ctx: Context; desk: Desk }) {
  const report = await execute(getReceivablesAging, ctx, { sort: 'unpaid', limit: MOST })
  if (report.customers.length === 0) return null
  return (
    <Card
      title="Who owes most"
      actions={
        <a href="/reports/who-owes">All {desk.words.count(report.customers.length + report.more, 'customer')}</a>
      }
    >
      <DataTable
        caption="Customers who owe most"
        columns={columnsOf({}).filter(({ name }) => ['customer', 'owes', 'oldest', 'late'].includes(name))}
        rows={customersOf(report)}
        rowKey={({ customerId }) => customerId}
        desk={desk}
      />
    </Card>
  )
}
