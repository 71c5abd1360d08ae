import * as z from 'zod'
import { database } from '@/db/client'
import { projectFinancials } from '@/db/queries/reports/project-financials'
import { Currency, FilterId } from '@/lib/resources/fields'
import { InvoiceStatus } from '@/lib/resources/invoices'
import { ProjectStatus } from '@/lib/resources/projects'
import { resources } from '@/lib/resources/registry'
import { notThere } from '../absent'
import { defineOperation, JsonText } from '../define'
import { Basis, Count, CURRENCIES, CurrencyInput, Day, Sum } from './fields'

/** The most invoices listed one by one in an answer, which an agent can still read at a glance. */
const MOST_LINES = 25

const Line = z.object({
  id: z.string(),
  number: z.string().describe('Invoice number'),
  date: Day,
  dueDate: Day.describe('Overdue from the day after'),
  status: InvoiceStatus,
  amount: Sum,
  paid: Sum.describe('Payments less refunds and reversals that name this invoice'),
  credited: Sum.describe('Credits and adjustments'),
  writtenOff: Sum,
  unpaid: Sum.describe('What is still to be paid, without retainage; 0 where it is dated ahead'),
  future: Sum.describe('What it asks for, dated ahead'),
  retainage: Sum,
  daysPastDue: Count.describe('0 unless overdue'),
})

/** Reports a project's finances: its contract, invoices and payments. */
export const getProjectFinancials = defineOperation({
  name: 'get_project_financials',
  title: 'Project financials',
  description:
    'How one project stands in money, as booked up to now, with its invoices, those due first first. For customer, lead and materials too use ' +
    'get_project_overview.',
  access: ['read:projects', 'read:invoices', 'read:payments'],
  effect: 'read',
  input: z.object({ projectId: FilterId.describe('As list_projects gives it'), currency: CurrencyInput }).strict(),
  output: z.object({
    project: z.object({
      id: z.string(),
      name: z.string(),
      status: ProjectStatus,
      customerId: z.string(),
      customerName: z.string().nullable().describe('Null when the key lacks read:customers'),
      totalAmount: Sum.describe('Contract sum'),
      currency: Currency.describe('Of the contract sum: the contractor’s own'),
    }),
    currency: CURRENCIES.currency,
    invoiced: Sum.describe('All invoices, those dated ahead included'),
    paid: Sum.describe('Payments received up to today, before refunds'),
    paidAhead: Sum.describe('Payments dated after today; in no other sum'),
    paidWithoutRecord: Sum.describe('Paid as files say, without a payment in the books; in no other sum'),
    refunded: Sum.describe('Refunds, as a positive sum'),
    reversed: Sum.describe('Payments that came back, as a positive sum'),
    credited: Sum.describe('Credits and adjustments'),
    writtenOff: Sum.describe('Given up as uncollectible'),
    balance: Sum.describe(
      'unpaid + retainage + future - unapplied - written off without an invoice; due now is overdue',
    ),
    unpaid: Sum.describe('overdue + notYetDue: still to be paid on invoices dated up to today'),
    overdue: Sum.describe('Due now: the due day is over'),
    notYetDue: Sum.describe('Invoiced, due today or later'),
    future: Sum.describe('On invoices dated ahead; not in unpaid'),
    retainage: Sum.describe('Held back by contract; not in unpaid'),
    unapplied: Sum.describe(
      'In credit: withoutInvoice, money for invoices dated ahead, overpayments, credit memos; not deducted',
    ),
    withoutInvoice: Sum.describe('Of transactions that name no invoice: deposits, unapplied payments'),
    basis: Basis,
    nextDueDate: Day.nullable().describe(
      'The first due day of invoices of which something is unpaid but not overdue; null without any',
    ),
    counts: z.object({
      invoices: Count,
      paid: Count,
      overdue: Count,
      current: Count.describe('Invoices not paid and not yet overdue'),
      future: Count.describe('Invoices not paid whose date lies ahead'),
      payments: Count,
      refunds: Count,
    }),
    invoices: z.array(Line).describe(`By due day, the first first; at most ${MOST_LINES}`),
    more: Count.describe('Invoices counted but not told one by one'),
    otherCurrencies: CURRENCIES.otherCurrencies,
  }),
  example: {
    project: {
      id: 'prj_01jb2wa0c5t7e9g1h3k5m7p9qr',
      name: 'Re-roof, architectural shingle, 28 sq',
      status: 'in_progress',
      customerId: 'cus_01jb2w9r4s8kq0v6m3n5x7y9za',
      customerName: 'Dana Whitfield',
      totalAmount: 18450.75,
      currency: 'USD',
    },
    currency: 'USD',
    invoiced: 7380.3,
    paid: 5000,
    paidAhead: 0,
    paidWithoutRecord: 0,
    refunded: 0,
    reversed: 0,
    credited: 0,
    writtenOff: 0,
    balance: 2380.3,
    unpaid: 2380.3,
    overdue: 2380.3,
    notYetDue: 0,
    future: 0,
    retainage: 0,
    unapplied: 0,
    withoutInvoice: 0,
    basis: 'Open on 2026-11-20, by days of America/New_York: unpaid = overdue + notYetDue.',
    nextDueDate: null,
    counts: { invoices: 1, paid: 0, overdue: 1, current: 0, future: 0, payments: 1, refunds: 0 },
    invoices: [
      {
        id: 'inv_prj_01jb2wa0c5t7e9g1h3k5m7p9qr_1760281445123',
        number: '26-0107-1',
        date: '2026-10-12',
        dueDate: '2026-11-11',
        status: 'overdue',
        amount: 7380.3,
        paid: 5000,
        credited: 0,
        writtenOff: 0,
        unpaid: 2380.3,
        future: 0,
        retainage: 0,
        daysPastDue: 9,
      },
    ],
    more: 0,
    otherCurrencies: [],
  },
  tool: {
    category: 'finance',
    example: { projectId: 'prj_01jb2wa0c5t7e9g1h3k5m7p9qr' },
    untrusted: ['name', 'customerName'],
  },
  run: async ({ actor, now }, { projectId, currency }) => {
    const query = {
      contractorId: actor.contractorId,
      projectId,
      currency,
      now,
      lines: MOST_LINES,
      mayReadCustomers: actor.scopes.has('read:customers'),
    }
    const report = await projectFinancials(await database(), query)
    if (report === undefined) throw notThere(resources.projects, projectId, 'list_projects')
    return new JsonText(report)
  },
})
