import * as z from 'zod'
import { database } from '@/db/client'
import { type BrowseSort, countEach, recordsState } from '@/db/queries/browse'
import { countFound, type Sums } from '@/db/queries/count'
import { MOST_SORTED } from '@/db/queries/list-shape'
import type { Filter, ListSource } from '@/db/queries/list-types'
import { Amount, Currency, FilterDay, FilterId, severalOf } from '@/lib/resources/fields'
import { resources } from '@/lib/resources/registry'
import { ENDS, PLACES, readPage } from './browse-page'
import { defineOperation, JsonText } from './define'
import { Day } from './reports/fields'

/** What is on the books beside payments. */
const TYPES = ['refund', 'reversal', 'adjustment', 'write_off'] as const

const SORTS: Record<string, BrowseSort> = {
  date: { column: 'date', type: 'timestamptz', walk: 'index' },
  amount: { column: 'amount', type: 'numeric', walk: 'none' },
}
const NAMES = Object.keys(SORTS).flatMap((name) => [name, `-${name}`])

const text = (field: string, column: string, nullable = false) => ({ field, column, kind: 'text' as const, nullable })

const SOURCE: ListSource = {
  table: 'analytics_revenue_transactions',
  variant: 'transactions',
  only: `type in ('refund', 'adjustment', 'reversal', 'write_off')`,
  columns: [
    text('id', 'id'),
    text('type', 'type'),
    text('date', 'day_in(l.date, (select c.timezone from contractors c where c.id = l.contractor_id))'),
    { field: 'amount', column: 'amount', kind: 'number', nullable: false },
    text('currency', 'currency'),
    text('method', 'method'),
    text('reference', 'reference', true),
    text('customerId', 'customer_id'),
    text('customer', '(select u.name from users u where u.id = l.customer_id)'),
    text('projectId', 'project_id'),
    text('project', '(select p.name from projects p where p.id = l.project_id)'),
    text('invoiceId', 'invoice_id', true),
    text('invoiceNumber', '(select i.number from analytics_invoice_records i where i.id = l.invoice_id)', true),
  ],
}
const SUMS: Sums = { currency: 'currency', amount: 'amount' }

const FILTERS: Record<string, Pick<Filter, 'column' | 'operator'>> = {
  type: { column: 'type', operator: 'in' },
  customerId: { column: 'customer_id', operator: '=' },
  projectId: { column: 'project_id', operator: '=' },
  invoiceId: { column: 'invoice_id', operator: '=' },
  from: { column: 'date', operator: 'from day' },
  to: { column: 'date', operator: 'to day' },
}

/** Lists refunds, reversals, credits and write-offs: what is on the books and no payment. */
export const browseTransactions = defineOperation({
  name: 'browse_transactions',
  title: 'Refunds, reversals, credits and write-offs',
  description:
    'What is on the books beside payments: refunds, reversals, credits and adjustments, write-offs, with customer, project and invoice, counts of each type and sums.',
  access: ['read:payments', 'read:customers', 'read:projects', 'read:invoices'],
  effect: 'read',
  input: z
    .object({
      type: severalOf(TYPES).optional().describe('Only of these types'),
      customerId: FilterId.optional(),
      projectId: FilterId.optional(),
      invoiceId: FilterId.optional(),
      from: FilterDay.optional().describe('First day'),
      to: FilterDay.optional().describe('Last day'),
      sort: z
        .enum(NAMES as [string, ...string[]])
        .default('-date')
        .describe('- for the greatest or latest first'),
      ...PLACES,
    })
    .strict(),
  output: z.object({
    items: z.array(
      z.object({
        id: z.string(),
        type: z.enum(TYPES),
        date: Day,
        amount: Amount.describe('A refund or reversal as a positive amount; a credit below zero adds to what is owed'),
        currency: Currency,
        method: z.string(),
        reference: z.string().optional(),
        customerId: z.string(),
        customer: z.string(),
        projectId: z.string(),
        project: z.string(),
        invoiceId: z.string().optional(),
        invoiceNumber: z.string().optional(),
      }),
    ),
    count: z.int().nullable().describe('How many are found; null beyond the most that are counted'),
    total: z.array(z.object({ currency: Currency, amount: Amount })).nullable(),
    types: z.record(z.string(), z.int().nullable()).describe('How many the other filters find of each type'),
    ...ENDS,
  }),
  example: {
    items: [
      {
        id: 'ref_01jb2wa0c5t7e9g1h3k5m7p9qr',
        type: 'refund',
        date: '2026-11-10',
        amount: 150,
        currency: 'USD',
        method: 'check',
        customerId: resources.customers.example.id,
        customer: 'Dana Whitfield',
        projectId: resources.projects.example.id,
        project: 'Re-roof, architectural shingle, 28 sq',
      },
    ],
    count: 1,
    total: [{ currency: 'USD', amount: 150 }],
    types: { refund: 1, reversal: 0, adjustment: 0, write_off: 0 },
    first: 1,
    previous: null,
    next: null,
  },
  run: async ({ actor: { contractorId } }, input) => {
    const db = await database()
    const sort = SORTS[input.sort.replace('-', '')]
    if (!sort) throw new Error(`${input.sort} is in no list of orders`)
    const given: Record<string, unknown> = input
    const filters = Object.entries(FILTERS).flatMap(([name, filter]): Filter[] => {
      const value = given[name]
      return typeof value === 'string' ? [{ ...filter, value }] : []
    })
    await recordsState(db, resources.invoices.source, contractorId)
    const { count, total } = await countFound(db, SOURCE, SUMS, { contractorId, filters, sort: undefined })
    const others = filters.filter(({ column }) => column !== 'type')
    const [page, types] = await Promise.all([
      readPage(SOURCE, { contractorId, filters, many: count === null, sort }, input),
      countEach(db, SOURCE, { contractorId, filters: others, column: 'type', values: TYPES, most: MOST_SORTED }),
    ])
    const { items, ...ends } = page
    return new JsonText(
      `{"items":${items},"total":${total ?? 'null'},${JSON.stringify({ count, types, ...ends }).slice(1)}`,
    )
  },
})
