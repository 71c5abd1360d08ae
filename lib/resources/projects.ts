import * as z from 'zod'
import { projects as table } from '@/db/schema'
import { addressColumns, CREATED, CUSTOMER_HEADERS, LONGEST_TEXT, PROJECT_HEADERS } from './csv'
import { ADDRESS_DETAILS, defineResource, SOURCE_REFERENCE } from './define'
import { Amount, FilterDay, FilterId, Instant, LeastAmount, severalOf } from './fields'

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
  lead: ['new', 'prospect', 'assigned', 'unassigned'],
  estimate: [
    'estimated',
    'quote',
    'quoted',
    'proposal',
    'bid',
    'needs scheduling',
    'requires invoicing estimate',
    'presale',
  ],
  scheduled: [
    'approved',
    'booked',
    'sold',
    'upcoming',
    'work order',
    'dispatched',
    'late',
    'today',
    'action required',
    'unscheduled',
  ],
  in_progress: ['active', 'started', 'underway', 'open', 'working', 'en route', 'on my way', 'in production'],
  on_hold: ['hold', 'paused', 'waiting'],
  completed: [
    'complete',
    'done',
    'closed',
    'finished',
    'complete unrated',
    'complete rated',
    'invoiced',
    'paid',
    'archived',
    'requires invoicing',
    'warranty',
  ],
  cancelled: [
    'canceled',
    'lost',
    'declined',
    'user canceled',
    'pro canceled',
    'user cancelled',
    'pro cancelled',
    'unsuccessful',
    'dead',
  ],
} satisfies Record<z.infer<typeof ProjectStatus>, string[]>

/**
 * The condition for completion. There is no day of completion beside the end date, which the office keeps: the one of a completed job
 * counts as that day.
 */
const COMPLETED = `status = 'completed'`

/** How a lead's customer was found. */
export const MatchedBy = z
  .enum(['new', 'email', 'phone', 'possible', 'separated'])
  .describe(
    'How its customer was found: `new` was made for it, `possible` has the same phone number but another name and email, so it may be another person; `separated`: the office made a customer of its own of it',
  )

/** The data a lead was sent with, in a row that changes only with its project. */
const LEAD = `(select json_build_object('source', x.source, 'category', x.source_category, 'leadSource', x.lead_source, 'externalId', x.external_id,
  'message', coalesce(x.notes, case when x.matched_by is null then l.description end), 'matchedBy', x.matched_by,
  'receivedAt', to_char(x.received_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) from leads x where x.project_id = l.id)`
const LeadDetail = z
  .object({
    source: z.string().describe('The sender'),
    category: z.string().describe('The tracking category'),
    leadSource: z.string().optional().describe('As the sender wrote it'),
    externalId: z.string().optional().describe('The sender’s own id'),
    message: z.string().optional().describe('As the lead said it'),
    matchedBy: MatchedBy.optional(),
    receivedAt: Instant,
  })
  .describe('Where it came from, if it came in as a lead')

/** The person a lead named. */
const CONTACT = `(select json_build_object('firstName', x.first_name, 'lastName', x.last_name, 'email', x.email, 'phone', x.phone,
  'phoneText', x.phone_raw, 'address', nullif(concat_ws(', ', x.address, x.city, x.state, x.zip), ''))
  from leads x where x.project_id = l.id)`
const ContactDetail = z
  .object({
    firstName: z.string(),
    lastName: z.string(),
    email: z.string().optional(),
    phone: z.string().optional().describe('E.164'),
    phoneText: z.string().optional().describe('As the lead wrote it'),
    address: z.string().optional(),
  })
  .describe('Whom the lead named, for keys that also have read:customers')

/** Jobs, from lead to completion. */
export const projects = defineResource({
  name: 'projects',
  singular: 'project',
  idPrefix: 'prj',
  scopeText: 'Read projects, and their totals',
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
    status: {
      column: table.status,
      operator: 'in',
      schema: severalOf(ProjectStatus.options).describe('Only in these statuses'),
    },
    customerId: { column: table.customerId, operator: '=', schema: FilterId.describe('Only of this customer') },
    startFrom: {
      column: table.startDate,
      operator: '>=',
      schema: FilterDay.describe('First start day'),
      beyondForm: true,
    },
    startTo: {
      column: table.startDate,
      operator: '<=',
      schema: FilterDay.describe('Last start day'),
      beyondForm: true,
    },
    completedFrom: {
      column: table.endDate,
      operator: '>=',
      and: COMPLETED,
      schema: FilterDay.describe('Only completed ones, from this end day'),
      beyondForm: true,
    },
    completedTo: {
      column: table.endDate,
      operator: '<=',
      and: COMPLETED,
      schema: FilterDay.describe('Only completed ones, to this end day'),
      beyondForm: true,
    },
    minAmount: { column: table.totalAmount, operator: '>=', schema: LeastAmount, beyondForm: true },
  },
  sorts: { amount: table.totalAmount, startDate: table.startDate, endDate: table.endDate },
  details: {
    jobNumber: { schema: z.int().describe('Of what came in as a lead'), sql: 'job_number', kind: 'number' },
    sourceReference: SOURCE_REFERENCE,
    ...ADDRESS_DETAILS,
    description: { schema: z.string(), sql: 'description', kind: 'text' },
    startDate: { schema: z.iso.date(), sql: 'start_date', kind: 'text' },
    endDate: { schema: z.iso.date(), sql: 'end_date', kind: 'text' },
    lead: { schema: LeadDetail, sql: LEAD, kind: 'json' },
    contact: { schema: ContactDetail, sql: CONTACT, kind: 'json', needs: 'read:customers' },
  },
  links: [{ to: 'customer', column: table.customerId, listed: true }],
  dated: table.createdAt,
  tool: {
    category: 'projects',
    description:
      'Jobs from lead to completion, with contract amount and dates. Those in status lead and estimate are the open leads, as list_leads with outcome open has them. Sorting by a date leaves out jobs without it. For the money of one use get_project_financials.',
    told: {
      jobNumber: { schema: z.int().optional(), sql: 'job_number', kind: 'number', example: 107 },
      startDate: { schema: z.iso.date().optional(), sql: 'start_date', kind: 'text', example: '2026-10-05' },
      endDate: { schema: z.iso.date().optional(), sql: 'end_date', kind: 'text', example: '2026-11-25' },
    },
    sums: { currency: '(select currency from contractors where id = $1)', amount: 'total_amount' },
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
