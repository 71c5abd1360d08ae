import type { Plan } from './books'
import { ANCHOR, day, isoDate, workday } from './dates'
import { LAST_YEAR, type Project } from './projects'
import type { Random } from './random'

export type Invoice = {
  number: string
  project: Project
  amount: number
  date: number
  due: number
  created: number
  paid?: number
  financed?: true
}
type Drafted = Omit<Invoice, 'number' | 'project'>

const TERM = 1095
/** The days by which an invoice is written ahead: offices send few before the work. */
const MOST_AHEAD = 21

/** Splits a sum in cents by shares. The last part takes the rounding difference, so that the parts add up. */
export function split(sum: number, shares: number[]): number[] {
  const parts = shares.slice(0, -1).map((share) => Math.round(sum * share))
  return [...parts, sum - parts.reduce((a, b) => a + b, 0)]
}

/** Returns deposit, progress and final payment shares: larger jobs have more parts. */
function sharesFor(random: Random, total: number): number[] {
  if (total < 150_000) return [1]
  if (total < 600_000)
    return random.pick([
      [0.5, 0.5],
      [0.4, 0.6],
    ])
  if (total < 2_500_000)
    return random.pick([
      [0.5, 0.5],
      [0.35, 0.35, 0.3],
      [0.4, 0.4, 0.2],
    ])
  return random.pick([
    [0.3, 0.3, 0.3, 0.1],
    [0.35, 0.35, 0.3],
    [0.3, 0.5, 0.2],
  ])
}

/**
 * Returns the amounts a job is billed in. A change order is billed separately before the final bill, and a job never has five
 * bills.
 */
function partsOf(random: Random, { total, added }: Project): number[] {
  const parts = split(total - added, sharesFor(random, total - added))
  if (added === 0) return parts
  const kept = parts.length === 4 ? [...parts.slice(0, 2), (parts[2] ?? 0) + (parts[3] ?? 0)] : parts
  return [...kept.slice(0, -1), added, ...kept.slice(-1)]
}

/** Returns how many of a job's parts have been billed. A job with a single bill is billed when it is done. */
function billedParts(random: Random, status: string, parts: number): number {
  if (status === 'completed') return parts
  if (parts === 1) return 0
  if (status === 'in_progress') return Math.ceil(parts / 2)
  if (status === 'scheduled') return random.chance(0.7) ? 1 : 0
  if (status === 'cancelled') return random.chance(0.4) ? 1 : 0
  return status === 'on_hold' ? 1 : 0
}

/** Plans a bill's date. The deposit is due before work begins, the rest as work proceeds. */
function plannedDate(random: Random, isFirst: boolean, begin: number, latest: number): number {
  if (isFirst) return workday(ANCHOR + random.int(3, Math.max(4, begin - ANCHOR - 3)))
  return workday(Math.max(latest + random.int(12, 30), begin + random.int(5, 20), ANCHOR + random.int(8, 40)))
}

/** Returns what has been billed on a job, plus the planned bills of work in progress. */
function billed(random: Random, project: Project): Drafted[] {
  const amounts = partsOf(random, project)
  const begin = project.start ?? project.created + 25
  const end = project.end ?? begin + 30 * amounts.length
  const out = billedParts(random, project.status, amounts.length)
  const isPlanned = project.status === 'in_progress' || (project.status === 'scheduled' && random.chance(0.7))
  const signed = Math.min(project.created + random.int(4, 14), begin)
  let latest = project.created
  return amounts.slice(0, isPlanned ? amounts.length : out).map((amount, i) => {
    const isFirst = i === 0 && amounts.length > 1
    const part = amounts.length > 1 ? i / (amounts.length - 1) : 1
    const natural = workday(isFirst ? signed : Math.round(begin + (end - begin) * part))
    const date =
      i < out
        ? Math.max(latest, isFirst ? 0 : begin, Math.min(natural, workday(ANCHOR - random.int(1, 14))))
        : plannedDate(random, isFirst, begin, latest)
    latest = date
    const terms = isFirst ? random.pick([0, 0, 15]) : random.pick([0, 15, 30, 30, 30])
    return { amount, date, due: date + terms, created: i < out ? date : Math.min(signed, ANCHOR - 1) }
  })
}

/** A yearly plan is billed each year since it was sold, and through the last planned year. */
function yearly(project: Project): Drafted[] {
  const [first = '', monthDay = ''] = isoDate(project.created).split(/(?<=^\d{4})-/)
  const years = Array.from({ length: LAST_YEAR - Number(first) + 1 }, (_, i) => Number(first) + i)
  const fee = project.total / years.length
  return years.map((year) => {
    const date = day(`${year}-${monthDay.replace('02-29', '02-28')}`)
    return { amount: fee, date, due: date + 30, created: date < ANCHOR ? date : project.created }
  })
}

/** Creates the invoices of every project. Some large final bills run on 36-month terms. */
export function makeInvoices(random: Random, plan: Plan, projects: Project[]): Invoice[] {
  const invoices = projects.flatMap((project) => {
    if (project.status === 'lead' || project.status === 'estimate') return []
    const drafts = project.job === plan.trade.plan ? yearly(project) : billed(random, project)
    const soon = drafts.filter(({ date }) => date <= ANCHOR + MOST_AHEAD)
    return soon.map((draft, i): Invoice => ({ number: `${project.id.slice(2)}-${i + 1}`, project, ...draft }))
  })
  const finals = invoices.filter(({ project, amount, date }, i) => {
    const isLast = invoices[i + 1]?.project !== project
    return isLast && project.status === 'completed' && amount > 200_000 && date > ANCHOR - 640
  })
  const every = Math.max(1, Math.floor(finals.length / plan.financed))
  for (const invoice of finals.filter((_, i) => i % every === 0).slice(0, plan.financed)) {
    invoice.due = invoice.date + TERM
    invoice.financed = true
    invoice.project.description += ' Balance on 36-month terms.'
  }
  return invoices
}
