import type { Customer } from './books'
import { ANCHOR, workday } from './dates'
import type { Project } from './projects'
import type { Random } from './random'

export type Estimate = {
  number: string
  customer: Customer
  project?: Project
  amount: number
  date: number
  validUntil?: number
  status: string
}

/** Days an estimate's prices stay valid. */
const VALID = [14, 30, 30, 60] as const

/** Returns the status of a project's estimate. The estimate of a project with work underway was accepted. */
function statusOf(random: Random, { status }: Project): string {
  if (status === 'estimate')
    return random.weighted([
      ['sent', 8],
      ['declined', 1],
      ['draft', 1],
    ])
  return status === 'cancelled' && random.chance(0.5) ? 'declined' : 'accepted'
}

/**
 * Returns an estimate's date and last valid day. Drafts and some others have no last day, so some estimates are open no matter when
 * the data is read.
 */
function datesOf(random: Random, begin: number, status: string): Pick<Estimate, 'date' | 'validUntil'> {
  const date = Math.min(workday(begin + random.int(1, 6)), ANCHOR - 1)
  const validUntil = date + random.pick(VALID)
  return status === 'draft' || random.chance(0.1) ? { date } : { date, validUntil }
}

/** An estimate that led to no project: for additional work that the customer never ordered. */
function without(random: Random, { customer, total, created }: Project): Omit<Estimate, 'number'> {
  const begin = Math.min(created + random.int(30, 300), ANCHOR - 8)
  const status = random.pick(['declined', 'sent', 'sent', 'draft'])
  const amount = Math.round((total * random.int(30, 140)) / 100)
  return { customer, amount, status, ...datesOf(random, begin, status) }
}

/** Creates an estimate for each priced project, and some that led to no project. Change orders came later and are not included. */
export function makeEstimates(random: Random, projects: Project[]): Estimate[] {
  const priced = projects.filter(({ total }) => total > 0)
  return priced.flatMap((project): Estimate[] => {
    const { id, customer, total, added, created } = project
    const number = `E${id.slice(1)}`
    const status = statusOf(random, project)
    const first = { number, customer, project, amount: total - added, status, ...datesOf(random, created, status) }
    return random.chance(0.08) ? [first, { number: `${number}-B`, ...without(random, project) }] : [first]
  })
}
