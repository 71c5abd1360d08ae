import * as z from 'zod'
import { database } from '@/db/client'
import { unbilledWork } from '@/db/queries/reports/unbilled-work'
import { ProjectStatus } from '@/lib/resources/projects'
import { defineOperation, JsonText } from '../define'
import { Count, CURRENCIES, contractorDays, Day, Sum } from './fields'

const LIMIT = { error: 'must be a whole number from 1 to 25' }

const AMOUNTS = {
  contract: Sum.describe('Contract sum'),
  billed: Sum.describe('Invoices dated up to today'),
  scheduled: Sum.describe('Invoices dated ahead; a part of leftToBill'),
  leftToBill: Sum.describe('contract - billed'),
}

/** Reports projects by what is left to bill of their contracts. */
export const getUnbilledWork = defineOperation({
  name: 'get_unbilled_work',
  title: 'Left to bill',
  description:
    'Projects with something left to bill of their contract (under-billed), the most first, with totals: billed, scheduled on invoices dated ahead, left. Work done is not recorded.',
  access: ['read:projects', 'read:invoices', 'read:customers'],
  effect: 'read',
  input: z
    .object({
      status: z.array(ProjectStatus).default(['in_progress']).describe('Any of these'),
      limit: z.int(LIMIT).min(1, LIMIT).max(25, LIMIT).default(10).describe('In one answer'),
      skip: z.int().min(0).max(100_000).default(0).describe('Already told'),
    })
    .strict(),
  output: z.object({
    currency: CURRENCIES.currency,
    asOf: Day.describe('Billed up to this day'),
    total: z.object({ projects: Count, ...AMOUNTS }).describe('Of all projects in these statuses with something left'),
    nothingLeft: z
      .object({ projects: Count, billedBeyond: Sum.describe('Billed beyond their contracts') })
      .describe('The other projects in these statuses; in no other sum'),
    projects: z.array(
      z.object({
        projectId: z.string(),
        projectName: z.string(),
        customerName: z.string(),
        status: ProjectStatus,
        ...AMOUNTS,
      }),
    ),
    more: Count.describe('Projects after these'),
  }),
  example: {
    currency: 'USD',
    asOf: '2026-11-20',
    total: { projects: 1, contract: 18450.75, billed: 7380.3, scheduled: 5535.23, leftToBill: 11070.45 },
    nothingLeft: { projects: 0, billedBeyond: 0 },
    projects: [
      {
        projectId: 'prj_01jb2wa0c5t7e9g1h3k5m7p9qr',
        projectName: 'Re-roof, architectural shingle, 28 sq',
        customerName: 'Dana Whitfield',
        status: 'in_progress',
        contract: 18450.75,
        billed: 7380.3,
        scheduled: 5535.23,
        leftToBill: 11070.45,
      },
    ],
    more: 0,
  },
  tool: {
    category: 'finance',
    pages: 'projects',
    example: { status: ['in_progress'] },
    untrusted: ['projectName', 'customerName'],
  },
  run: async ({ actor: { contractorId }, now }, { status, limit, skip }) => {
    const db = await database()
    const { today } = await contractorDays(db, contractorId, now)
    return new JsonText(await unbilledWork(db, { contractorId, statuses: status, limit, skip, today }))
  },
})
