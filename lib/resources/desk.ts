import * as z from 'zod'
import type { BrowseSort } from '@/db/queries/browse'
import type { Sums } from '@/db/queries/count'
import type { Filter, ListColumn } from '@/db/queries/list-types'
import type { ResourceName } from '@/lib/core/resource-names'
import { kindOf, type Resource, statusesOf } from './define'
import { Amount } from './fields'
import { InvoiceStatus, UNPAID } from './invoices'

/** A field that people see in a list beside the public ones. */
export type DeskField = { schema: z.ZodType; sql: string; kind: ListColumn['kind']; example: string | number }

/** A filter that only people have; the others are those of the resource. */
export type DeskFilter = { schema: z.ZodType<string>; column: string; operator: Filter['operator']; and?: string }

/** The list of a resource as an office works with it. */
export type Desk = {
  fields: Record<string, DeskField>
  /** The orders of the list, by name. */
  sorts: Record<string, BrowseSort>
  filters: Record<string, DeskFilter>
  /** The statuses that are tabs with counts. */
  statuses: readonly string[]
  /** The sums over all that is found. */
  sums?: Sums
}

const ZONE = '(select c.timezone from contractors c where c.id = l.contractor_id)'
const OWN_CURRENCY = '(select c.currency from contractors c where c.id = l.contractor_id)'

const CHANGED: BrowseSort = { column: 'updated_at', type: 'timestamptz', walk: 'changes' }
const byIndex = (column: string, type: BrowseSort['type']): BrowseSort => ({ column, type, walk: 'index' })
const bySorting = (column: string, type: BrowseSort['type']): BrowseSort => ({ column, type, walk: 'none' })

/** The part of the balances that statuses stand for: what is paid has none left, and nothing else is without one (`invoice_status_on`). */
function balancesOf(filters: readonly Filter[]): string | undefined {
  const status = filters.find(({ column, operator }) => column === 'status' && (operator === '=' || operator === 'in'))
  if (!status) return undefined
  const statuses = status.value.split(',')
  if (statuses.every((each) => each === 'paid')) return 'open_amount <= 0'
  return statuses.includes('paid') ? undefined : 'open_amount > 0'
}

/** The name of the customer, as names are sorted. */
const CUSTOMER = bySorting('(select lower(u.name) from users u where u.id = customer_id)', 'text')

/** What invoices of a record ask for today in the contractor's own currency, as the report of receivables adds it up. */
const owed = (
  column: string,
  statuses: string,
) => `(select coalesce(sum(greatest(i.open_amount - i.retainage_amount, 0)), 0.00)
    from analytics_invoice_records i where i.contractor_id = l.contractor_id and i.${column} = l.id and i.status in (${statuses}) and i.currency = ${OWN_CURRENCY})`
const owedOf = (column: string): Record<string, DeskField> => ({
  unpaid: {
    schema: Amount.describe('Still to be paid today, in the contractor’s currency'),
    sql: owed(column, `'overdue', 'current'`),
    kind: 'number',
    example: 2380.3,
  },
  overdue: {
    schema: Amount.describe('The part of it whose due day is over'),
    sql: owed(column, `'overdue'`),
    kind: 'number',
    example: 2380.3,
  },
})

const Yes = z
  .unknown()
  .transform((given, ctx) => {
    if (given === true || given === 'true') return true
    ctx.addIssue({ code: 'custom', message: 'must be true, or left out' })
    return z.NEVER
  })
  .meta({ type: 'boolean', const: true })

/** The lists of which an office wants more than {@link deskOf} makes of the definition. */
const OWN: Partial<Record<ResourceName, Desk>> = {
  customers: {
    fields: {
      city: { schema: z.string().optional(), sql: 'city', kind: 'text', example: 'Franklin' },
      ...owedOf('customer_id'),
    },
    sorts: {
      updated: CHANGED,
      customer: byIndex('lower(name)', 'text'),
    },
    filters: {},
    statuses: [],
  },
  projects: {
    fields: {
      jobNumber: { schema: z.int().optional(), sql: 'job_number', kind: 'number', example: 107 },
      startDate: { schema: z.iso.date().optional(), sql: 'start_date', kind: 'text', example: '2026-10-05' },
      endDate: { schema: z.iso.date().optional(), sql: 'end_date', kind: 'text', example: '2026-11-25' },
      ...owedOf('project_id'),
    },
    sorts: {
      updated: CHANGED,
      name: bySorting('lower(name)', 'text'),
      customer: CUSTOMER,
      amount: byIndex('total_amount', 'numeric'),
      status: bySorting('status', 'text'),
      startDate: byIndex('start_date', 'date'),
      endDate: byIndex('end_date', 'date'),
    },
    filters: {
      source: {
        schema: z.string().trim().min(1).max(200).describe('Only of leads of exactly this source'),
        column: 'id',
        operator: 'of source',
      },
    },
    statuses: ['lead', 'estimate', 'scheduled', 'in_progress', 'on_hold', 'completed', 'cancelled'],
    sums: { currency: '(select currency from contractors where id = $1)', amount: 'total_amount' },
  },
  invoices: {
    fields: {
      balance: {
        schema: Amount.describe('Still owed, with retainage and what is dated ahead'),
        sql: 'greatest(open_amount, 0.00)',
        kind: 'number',
        example: 2380.3,
      },
      unpaid: {
        schema: Amount.describe('Still to be paid today, as in the report of receivables'),
        sql: UNPAID,
        kind: 'number',
        example: 2380.3,
      },
      daysLate: {
        schema: z.int().optional().describe('Days since the due day; absent unless overdue'),
        sql: `case when l.status = 'overdue' then (now() at time zone ${ZONE})::date - day_in(due_date, ${ZONE}) end`,
        kind: 'number',
        example: 9,
      },
    },
    sorts: {
      updated: CHANGED,
      number: byIndex('number collate "C"', 'text'),
      customer: CUSTOMER,
      date: byIndex('invoice_date', 'timestamptz'),
      due: byIndex('due_date', 'timestamptz'),
      amount: byIndex('amount', 'numeric'),
      balance: { ...byIndex('open_amount', 'numeric'), implied: balancesOf },
      status: bySorting('status', 'text'),
    },
    filters: {
      unpaid: {
        schema: Yes.transform(() => 'current,overdue').describe('true: only what something is to be paid of today'),
        column: 'status',
        operator: 'in',
        and: 'open_amount > retainage_amount',
      },
    },
    statuses: InvoiceStatus.options,
    sums: { currency: 'currency', amount: 'amount', balance: 'greatest(open_amount, 0.00)', unpaid: UNPAID },
  },
  payments: {
    fields: {
      invoiceId: {
        schema: z.string().optional().describe('The invoice it names'),
        sql: 'invoice_id',
        kind: 'text',
        example: 'inv_prj_01jb2wa0c5t7e9g1h3k5m7p9qr_1760281445123',
      },
      invoiceNumber: {
        schema: z.string().optional(),
        sql: '(select i.number from analytics_invoice_records i where i.id = l.invoice_id)',
        kind: 'text',
        example: '26-0107-1',
      },
    },
    sorts: {
      updated: CHANGED,
      number: bySorting(`coalesce(reference, '')`, 'text'),
      customer: CUSTOMER,
      date: byIndex('date', 'timestamptz'),
      amount: byIndex('amount', 'numeric'),
      method: bySorting('method', 'text'),
    },
    filters: {},
    statuses: [],
    sums: { currency: 'currency', amount: 'amount' },
  },
}

/** Returns the list of a resource as its definition has it: every order by its number, customer, status and the columns it is sorted by. */
function deskFrom(resource: Resource): Desk {
  const { columns, sorts, tool } = resource
  const statuses = statusesOf(resource)
  return {
    fields: {},
    sorts: {
      updated: CHANGED,
      ...(columns.number && { number: byIndex('number collate "C"', 'text') }),
      ...(columns.customerId && { customer: CUSTOMER }),
      ...Object.fromEntries(
        Object.entries(sorts).map(([name, column]) => [
          name,
          byIndex(column.name, kindOf(column) === 'number' ? 'numeric' : 'timestamptz'),
        ]),
      ),
      ...(statuses.length > 0 && { status: bySorting('status', 'text') }),
    },
    filters: {},
    statuses,
    ...(tool.sums && { sums: tool.sums }),
  }
}

/** Returns the list of a resource for people. */
export const deskOf = (resource: Resource): Desk => OWN[resource.name] ?? deskFrom(resource)
