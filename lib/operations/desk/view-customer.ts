import * as z from 'zod'
import { database, withinContractor } from '@/db/client'
import { customerEntries, customerLeads } from '@/db/queries/customer-story'
import { customerBalance } from '@/db/queries/reports/customer-balance'
import { Instant } from '@/lib/resources/fields'
import { MatchedBy, ProjectStatus } from '@/lib/resources/projects'
import { resources } from '@/lib/resources/registry'
import { defineOperation } from '../define'
import { Balance } from '../get-record'
import { Count, contractorDays } from '../reports/fields'
import { besideSchema, IdInput, MOST_BESIDE, readBeside, readRecord, recordSchema } from './parts'

const { customers, projects, invoices, payments, estimates } = resources

const Leads = z.object({
  count: Count,
  items: z.array(
    z.object({
      projectId: z.string(),
      project: z.string(),
      status: ProjectStatus,
      source: z.string(),
      leadName: z.string(),
      matchedBy: MatchedBy.optional(),
      receivedAt: Instant,
    }),
  ),
})
const Entries = z.object({
  count: Count,
  items: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(['note', 'follow_up']),
      projectId: z.string(),
      project: z.string(),
      text: z.string().nullable(),
      followUpOn: z.string().nullable(),
      authorName: z.string(),
      createdAt: Instant,
    }),
  ),
})

/** Returns a customer as an account: what they owe, and everything that belongs to them. */
export const viewCustomer = defineOperation({
  name: 'view_customer',
  title: 'A customer',
  description: `A customer with contact, balance, and the newest ${MOST_BESIDE} invoices, payments, projects, estimates, leads, notes and follow-ups, each with how many there are.`,
  access: ['read:customers', 'read:projects', 'read:invoices', 'read:payments', 'read:estimates'],
  effect: 'read',
  input: IdInput,
  output: z.object({
    record: recordSchema(customers),
    balance: Balance,
    invoices: besideSchema(invoices),
    payments: besideSchema(payments),
    projects: besideSchema(projects),
    estimates: besideSchema(estimates),
    leads: Leads,
    entries: Entries.describe('Notes and follow-ups on their projects that are not undone'),
  }),
  example: {
    record: { ...customers.example, unpaid: 2380.3, overdue: 0 },
    balance: [],
    invoices: { items: [], names: {}, count: 0, total: [] },
    payments: { items: [], names: {}, count: 0, total: [] },
    projects: { items: [], names: {}, count: 0, total: [] },
    estimates: { items: [], names: {}, count: 0, total: [] },
    leads: { count: 0, items: [] },
    entries: { count: 0, items: [] },
  },
  run: async (ctx, { id: customerId }) => {
    const { contractorId } = ctx.actor
    const db = await database()
    const record = await readRecord(db, customers, ctx, customerId)
    const days = await contractorDays(db, contractorId, ctx.now)
    const of = { contractorId, customerId, limit: MOST_BESIDE }
    const [balance, billed, paid, jobs, quoted, leads, entries] = await Promise.all([
      customerBalance(db, { contractorId, customerId, ...days }),
      readBeside(invoices, ctx, { customerId }),
      readBeside(payments, ctx, { customerId }),
      readBeside(projects, ctx, { customerId }),
      readBeside(estimates, ctx, { customerId }),
      customerLeads(db, of),
      withinContractor(db.orm, contractorId, (orm) => customerEntries(orm, of)),
    ])
    return {
      record: recordSchema(customers).parse(record),
      balance: Balance.parse(JSON.parse(balance)),
      invoices: billed,
      payments: paid,
      projects: jobs,
      estimates: quoted,
      leads: Leads.parse(JSON.parse(leads)),
      entries,
    }
  },
})
