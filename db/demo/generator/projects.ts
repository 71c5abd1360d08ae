import { type Customer, type Place, type Plan, place } from './books'
import { ANCHOR, isoDate, workday } from './dates'
import type { Random } from './random'
import { type Job, order } from './work'

export type Project = Place & {
  id: string
  customer: Customer
  job: Job
  name: string
  description: string
  status: string
  /** The sum in cents, including change orders. */
  total: number
  /** The amount of `total` that change orders added. */
  added: number
  start?: number
  end?: number
  created: number
}
type Draft = Omit<Project, 'id'>

/** The last year for which yearly plans are billed. */
export const LAST_YEAR = 2027

/** Returns a job's status from its age. A job too large to be finished by now is still in progress. */
function statusAt(random: Random, created: number, job: Job): string {
  const status = likelyStatus(random, ANCHOR - created)
  return status === 'completed' && created + 20 + job.days[1] > ANCHOR ? 'in_progress' : status
}

function likelyStatus(random: Random, age: number): string {
  if (age < 24)
    return random.weighted([
      ['lead', 5],
      ['estimate', 4],
      ['scheduled', 2],
    ])
  if (age < 80)
    return random.weighted([
      ['lead', 2],
      ['estimate', 3],
      ['scheduled', 5],
      ['in_progress', 7],
      ['completed', 3],
      ['on_hold', 1],
    ])
  if (age < 190)
    return random.weighted([
      ['scheduled', 3],
      ['in_progress', 9],
      ['completed', 9],
      ['on_hold', 1],
      ['cancelled', 1],
    ])
  return random.weighted([
    ['completed', 29],
    ['cancelled', 4],
    ['estimate', 3],
    ['lead', 2],
    ['on_hold', 1],
  ])
}

const finished = (start: number, length: number) => ({ start, end: start + length - 1 })

/** Returns when the work was or will be done. Work in progress started too recently to be finished. */
function timesOf(random: Random, job: Job, status: string, created: number): { start?: number; end?: number } {
  const length = random.int(...job.days)
  const start = workday(created + random.int(14, 45))
  if (status === 'scheduled') return { start: workday(ANCHOR + random.int(5, 110)) }
  if (status === 'in_progress')
    return { start: Math.min(workday(Math.max(created + 6, ANCHOR - random.int(1, length))), ANCHOR - 1) }
  if (status === 'on_hold') return { start: Math.min(start, ANCHOR - 4) }
  return status === 'completed' ? finished(Math.min(start, ANCHOR - 1 - length), length) : {}
}

function makeProject(random: Random, plan: Plan, customer: Customer, created: number, job: Job, status: string): Draft {
  const { name, scope, total } = order(random, job)
  const site = customer.business?.manages ? place(random, plan.area) : customer
  const changed = job.extras && ['completed', 'in_progress'].includes(status) && random.chance(0.13) ? job.extras : null
  const added = changed ? Math.round((total * random.int(20, 90)) / 100_000) * 100 : 0
  return {
    customer,
    job,
    name,
    description: changed ? `${scope} Change order: ${random.pick(changed)}.` : scope,
    status,
    total: status === 'lead' ? 0 : total + added,
    added,
    ...timesOf(random, job, status, created),
    created,
    address: site.address,
    city: site.city,
    state: site.state,
    zip: site.zip,
  }
}

function jobsOf(random: Random, plan: Plan, customer: Customer): Draft[] {
  const [first, ...others] = plan.trade.jobs
  const again = plan.returns
  const count = customer.business
    ? random.int(4, 8)
    : random.weighted([
        [1, 100 - again],
        [2, again * 0.65],
        [3, again * 0.25],
        [4, again * 0.1],
      ])
  const drafts: Draft[] = []
  let created = customer.created + random.int(1, 6)
  for (let i = 0; i < count && created < ANCHOR - 2; i++) {
    const job = random.weighted([
      [first, first.weight] as const,
      ...others.map((other) => [other, other.weight] as const),
    ])
    drafts.push(makeProject(random, plan, customer, created, job, statusAt(random, created, job)))
    created += random.int(20, customer.business ? 180 : 420)
  }
  return drafts
}

/** Creates a yearly plan, sold a few weeks after the job it maintains. Its total covers all years. */
function makePlan(random: Random, plan: Plan, { customer, end }: Draft): Draft {
  const created = workday((end ?? customer.created) + random.int(10, 90))
  const agreed = makeProject(random, plan, customer, created, plan.trade.plan, 'in_progress')
  const years = LAST_YEAR - Number(isoDate(created).slice(0, 4)) + 1
  return { ...agreed, total: agreed.total * years, start: created }
}

/** Creates projects. Every customer has one; businesses and some others come back for more; some buy a yearly plan. */
export function makeProjects(random: Random, plan: Plan, customers: Customer[]): Project[] {
  const jobs = customers.flatMap((customer) => jobsOf(random, plan, customer))
  const served = jobs.filter(({ job, end }) => job.leadsToPlan && end !== undefined && end < ANCHOR - 100)
  const every = Math.max(1, Math.floor(served.length / plan.plans))
  const plans = served.filter((_, i) => i % every === 0).slice(0, plan.plans)
  const perYear = new Map<number, number>()
  return [...jobs, ...plans.map((draft) => makePlan(random, plan, draft))]
    .sort((a, b) => a.created - b.created)
    .map((draft) => {
      const year = Number(isoDate(draft.created).slice(2, 4))
      const number = (perYear.get(year) ?? 0) + 1
      perYear.set(year, number)
      return { id: `P-${year}-${String(number).padStart(4, '0')}`, ...draft }
    })
}
