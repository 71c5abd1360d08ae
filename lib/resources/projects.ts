import { z } from 'zod'
import { projects as table } from '@/db/schema'
import { addressColumns, CREATED, CUSTOMER_HEADERS, LONGEST_TEXT, PROJECT_HEADERS } from './csv'
import { defineResource } from './define'
import { Amount, FilterId, Instant } from './fields'

/** A project's life, in its usual order; also held by a check constraint. */
export const ProjectStatus = z.enum([
  'lead',
  'estimate',
  'scheduled',
  'in_progress',
  'on_hold',
  'completed',
  'cancelled',
])

/** Words that office software uses for them. */
const STATUS_WORDS = {
  lead: ['new', 'prospect'],
  estimate: ['estimated', 'quote', 'quoted', 'proposal', 'bid'],
  scheduled: ['approved', 'booked', 'sold'],
  in_progress: ['active', 'started', 'underway', 'open'],
  on_hold: ['hold', 'paused'],
  completed: ['complete', 'done', 'closed', 'finished'],
  cancelled: ['canceled', 'lost', 'declined'],
} satisfies Record<z.infer<typeof ProjectStatus>, string[]>

/** Jobs, from lead to completion. */
export const projects = defineResource({
  name: 'projects',
  singular: 'project',
  idPrefix: 'prj',
  scopeText: 'Read projects, and totals made of them',
  table,
  output: z.object({
    id: z.string(),
    contractorId: z.string(),
    customerId: z.string(),
    name: z.string(),
    status: ProjectStatus,
    totalAmount: Amount.describe('Contract sum in the contractor’s currency, to the cent'),
    createdAt: Instant,
    updatedAt: Instant,
  }),
  columns: {
    id: table.id,
    contractorId: table.contractorId,
    customerId: table.customerId,
    name: table.name,
    status: table.status,
    totalAmount: table.totalAmount,
    createdAt: table.createdAt,
    updatedAt: table.updatedAt,
  },
  filters: {
    status: { column: table.status, operator: '=', schema: ProjectStatus.describe('Only projects in this status') },
    customerId: {
      column: table.customerId,
      operator: '=',
      schema: FilterId.describe('Only projects of this customer'),
    },
  },
  links: [{ to: 'customer', column: table.customerId, listed: true }],
  dated: table.createdAt,
  tool: {
    category: 'projects',
    description:
      'Jobs from lead to completion: name, status, contract amount, customer. Filter by status (lead, estimate, scheduled, in_progress, on_hold, completed, cancelled) or customerId. For the money of one project use get_project_financials.',
    untrusted: ['name'],
  },
  csv: {
    file: 'projects.csv',
    columns: [
      { field: 'reference', headers: PROJECT_HEADERS, required: true, cell: 'reference' },
      {
        field: 'customer',
        headers: CUSTOMER_HEADERS,
        required: true,
        cell: 'reference',
        names: 'customer',
        column: table.customerId,
      },
      {
        field: 'name',
        headers: ['Name', 'Project Name', 'Job Name'],
        required: true,
        cell: { text: 300 },
        column: table.name,
      },
      { field: 'status', headers: ['Status'], cell: { oneOf: STATUS_WORDS }, column: table.status, blank: 'estimate' },
      {
        field: 'totalAmount',
        headers: ['Total Amount', 'Total', 'Contract Amount'],
        cell: 'money',
        column: table.totalAmount,
        blank: '0.00',
      },
      ...addressColumns(table),
      {
        field: 'description',
        headers: ['Description', 'Scope', 'Notes'],
        cell: { text: LONGEST_TEXT },
        column: table.description,
      },
      { field: 'startDate', headers: ['Start Date', 'Start'], cell: 'day', column: table.startDate },
      { field: 'endDate', headers: ['End Date', 'End'], cell: 'day', column: table.endDate },
      CREATED,
    ],
  },
  madeByLeads: true,
  pagesWithoutTokens: true,
  example: {
    id: 'prj_01jb2wa0c5t7e9g1h3k5m7p9qr',
    contractorId: 'con_01jb2w7n6d8f0h2k4m6p8r0t2v',
    customerId: 'cus_01jb2w9r4s8kq0v6m3n5x7y9za',
    name: 'Re-roof, architectural shingle, 28 sq',
    status: 'in_progress',
    totalAmount: 18450.75,
    createdAt: '2026-08-02T00:00:00.000Z',
    updatedAt: '2026-10-12T15:04:05.123Z',
  },
})
