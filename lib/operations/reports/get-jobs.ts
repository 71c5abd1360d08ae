import * as z from 'zod'
import { database } from '@/db/client'
import { JOB_SORTS, type JobSort, jobs as jobsOf } from '@/db/queries/reports/jobs'
import { ProjectStatus } from '@/lib/resources/projects'
import { defineOperation } from '../define'
import { listedCost } from '../materials/listed-cost'
import { ContractLessMaterials, contractLessMaterials, Materials } from './contract-less-materials'
import { Basis, Count, CURRENCIES, contractorDays, Day, Sum } from './fields'

const LIMIT = { error: 'must be a whole number from 1 to 25' }
const Sort = z.enum(Object.keys(JOB_SORTS) as [JobSort, ...JobSort[]])

const AMOUNTS = {
  contract: Sum.describe('Contract sum'),
  billed: Sum.describe('Invoices dated up to today'),
  received: Sum.describe('Payments up to today less refunds and reversals'),
  leftToBill: Sum.describe('contract - billed; negative where more is billed'),
}

const Counted = z.object({
  currency: CURRENCIES.currency,
  asOf: Day,
  total: z.object({ jobs: Count, ...AMOUNTS }).describe('Of all jobs in these statuses'),
  jobs: z.array(
    z.object({
      projectId: z.string(),
      projectName: z.string(),
      customerId: z.string(),
      customerName: z.string(),
      status: ProjectStatus,
      ...AMOUNTS,
      scheduled: Sum.describe('Invoices dated ahead; a part of leftToBill'),
    }),
  ),
  more: Count.describe('Jobs after these'),
})

const Job = Counted.shape.jobs.element.extend({
  materials: Materials.nullable().describe('Listed materials at the prices of the price book; null without a list'),
  contractLessMaterials: ContractLessMaterials,
})

const BASIS =
  'received is payments less refunds and reversals of the project. The cost is of listed materials at the expected prices of the price book; labor, subcontractors and overhead are not kept, so no profit is told.'

/** Reports jobs by contract, billed, received, cost of materials and what is left to bill. */
export const getJobs = defineOperation({
  name: 'get_jobs',
  title: 'Jobs',
  description:
    'Jobs with contract sum, billed, received, what is left to bill, and the contract less the cost of listed materials, with totals. For one job use get_project_overview.',
  access: ['read:projects', 'read:invoices', 'read:payments', 'read:customers'],
  effect: 'read',
  input: z
    .object({
      status: z.array(ProjectStatus).default(['scheduled', 'in_progress', 'on_hold']).describe('Any of these'),
      sort: Sort.default('contract').describe('What is greatest first'),
      limit: z.int(LIMIT).min(1, LIMIT).max(25, LIMIT).default(25).describe('In one answer'),
      skip: z.int().min(0).max(100_000).default(0).describe('Already told'),
    })
    .strict(),
  output: Counted.extend({ jobs: z.array(Job), basis: Basis }),
  example: {
    currency: 'USD',
    asOf: '2026-11-20',
    total: { jobs: 1, contract: 18450.75, billed: 7380.3, received: 5000, leftToBill: 11070.45 },
    jobs: [
      {
        projectId: 'prj_01jb2wa0c5t7e9g1h3k5m7p9qr',
        projectName: 'Re-roof, architectural shingle, 28 sq',
        customerId: 'cus_01jb2w9r4s8kq0v6m3n5x7y9za',
        customerName: 'Dana Whitfield',
        status: 'in_progress',
        contract: 18450.75,
        billed: 7380.3,
        received: 5000,
        leftToBill: 11070.45,
        scheduled: 5535.23,
        materials: null,
        contractLessMaterials: contractLessMaterials(18450.75, null),
      },
    ],
    more: 0,
    basis: BASIS,
  },
  run: async (ctx, { status, ...page }) => {
    const { contractorId } = ctx.actor
    const db = await database()
    const { today } = await contractorDays(db, contractorId, ctx.now)
    const found = Counted.parse(JSON.parse(await jobsOf(db, { contractorId, statuses: status, today, ...page })))
    const jobs = await Promise.all(
      found.jobs.map(async (job) => {
        const materials = await listedCost(ctx, job.projectId)
        return { ...job, materials, contractLessMaterials: contractLessMaterials(job.contract, materials) }
      }),
    )
    return { ...found, jobs, basis: BASIS }
  },
})
