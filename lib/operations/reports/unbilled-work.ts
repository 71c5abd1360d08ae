import { z } from 'zod'
import { database } from '@/db/client'
import { unbilledWork } from '@/db/queries/reports/unbilled-work'
import { ProjectStatus } from '@/lib/resources/projects'
import { defineOperation, JsonText } from '../define'
import { Count, CURRENCIES, Sum } from './fields'

const LIMIT = { error: 'must be a whole number from 1 to 25' }

const AMOUNTS = {
  contract: Sum.describe('Contract sum'),
  invoiced: Sum.describe('All invoices, those dated ahead included'),
  leftToBill: Sum.describe('contract - invoiced; below zero where more was invoiced than the contract says'),
}

/** Reports projects by what is left to bill of their contracts. */
export const getUnbilledWork = defineOperation({
  name: 'get_unbilled_work',
  title: 'Left to bill',
  description:
    'Projects by what is left to bill of their contract (under-billed), the most first, with totals. Work done is not recorded.',
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
    total: z.object({ projects: Count, ...AMOUNTS }).describe('Of all projects in these statuses'),
    projects: z.array(
      z.object({
        projectId: z.string(),
        projectName: z.string(),
        customerName: z.string(),
        status: ProjectStatus,
        ...AMOUNTS,
      }),
    ),
    more: Count.describe('Projects after these; go on with skip'),
  }),
  example: {
    currency: 'USD',
    total: { projects: 1, contract: 18450.75, invoiced: 7380.3, leftToBill: 11070.45 },
    projects: [
      {
        projectId: 'prj_01jb2wa0c5t7e9g1h3k5m7p9qr',
        projectName: 'Re-roof, architectural shingle, 28 sq',
        customerName: 'Dana Whitfield',
        status: 'in_progress',
        contract: 18450.75,
        invoiced: 7380.3,
        leftToBill: 11070.45,
      },
    ],
    more: 0,
  },
  tool: { category: 'finance', example: { status: ['in_progress'] }, untrusted: ['projectName', 'customerName'] },
  run: async ({ actor }, { status, limit, skip }) => {
    const query = { contractorId: actor.contractorId, statuses: status, limit, skip }
    return new JsonText(await unbilledWork(await database(), query))
  },
})
