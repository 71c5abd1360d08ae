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

/** Days for which an office stands by its prices. */
const VALID = [14, 30, 30, 60] as const

/** What became of the estimate of a project: work that was begun was accepted. */
function statusOf(random: Random, { status }: Project): string {
  if (status === 'estimate')
    return random.weighted([
      ['sent', 8],
      ['declined', 1],
      ['draft', 1],
    ])
  return status === 'cancelled' && random.chance(0.5) ? 'declined' : 'accepted'
}

/** When it was written, and how long it holds: a draft not yet, and some say no day, so that some are open whenever this is read. */
function datesOf(random: Random, begin: number, status: string): Pick<Estimate, 'date' | 'validUntil'> {
  const date = Math.min(workday(begin + random.int(1, 6)), ANCHOR - 1)
  const validUntil = date + random.pick(VALID)
  return status === 'draft' || random.chance(0.1) ? { date } : { date, validUntil }
}

/** One that became no project: asked for beside other work, and left lying. */
function without(random: Random, { customer, total, created }: Project): Omit<Estimate, 'number'> {
  const begin = Math.min(created + random.int(30, 300), ANCHOR - 8)
  const status = random.pick(['declined', 'sent', 'sent', 'draft'])
  const amount = Math.round((total * random.int(30, 140)) / 100)
  return { customer, amount, status, ...datesOf(random, begin, status) }
}

/** The estimate of each project that came so far, and some that became none. Change orders came later and are in none. */
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
