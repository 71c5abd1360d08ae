import type { Plan, Project } from './books'
import { ANCHOR, day } from './dates'
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
export type Payment = {
  id: string
  project: Project
  invoice?: Invoice
  amount: number
  date: number
  method: string
  reference: string
  type: 'payment' | 'refund' | 'adjustment'
}

/** Parts of a sum in cents by their shares; the last takes what rounding leaves, so that they add up. */
function split(sum: number, shares: number[]): number[] {
  const parts = shares.slice(0, -1).map((share) => Math.round(sum * share))
  return [...parts, sum - parts.reduce((a, b) => a + b, 0)]
}

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
    [0.25, 0.25, 0.4, 0.1],
  ])
}

type Drafted = Omit<Invoice, 'number' | 'project'>

/** How many of a job's parts are billed by now. */
function billedParts(random: Random, status: string, parts: number): number {
  if (status === 'completed') return parts
  if (status === 'in_progress') return Math.ceil(parts / 2)
  if (status === 'scheduled') return random.chance(0.7) ? 1 : 0
  if (status === 'cancelled') return random.chance(0.4) ? 1 : 0
  return status === 'on_hold' ? 1 : 0
}

/** What has been billed on a job by now, and for work under way what is already planned to be billed. */
function billed(random: Random, project: Project): Drafted[] {
  const amounts = split(project.total, sharesFor(random, project.total))
  const begin = project.start ?? project.created + 10
  const end = project.end ?? begin + 30 * amounts.length
  const out = billedParts(random, project.status, amounts.length)
  const isPlanned = project.status === 'in_progress' || (project.status === 'scheduled' && random.chance(0.7))
  return amounts.slice(0, isPlanned ? amounts.length : out).map((amount, i) => {
    const natural =
      i === 0
        ? Math.min(project.created + 12, begin)
        : Math.round(begin + ((end - begin) * i) / Math.max(1, amounts.length - 1))
    const date = i < out ? Math.min(natural, ANCHOR - random.int(1, 6)) : ANCHOR + random.int(8, 130)
    const terms = i === 0 ? random.pick([0, 0, 15]) : random.pick([15, 30, 30])
    return { amount, date, due: date + terms, created: Math.max(project.created, Math.min(date, ANCHOR - 1)) }
  })
}

/** A yearly plan: billed each year since it was taken, and through 2031 ahead. */
function yearly(project: Project): Drafted[] {
  const first = new Date(project.created * 86_400_000)
  const out: Drafted[] = []
  for (let year = first.getUTCFullYear(); year <= 2031; year++) {
    const date = day(`${year}-${first.toISOString().slice(5, 10).replace('02-29', '02-28')}`)
    out.push({ amount: project.total, date, due: date + 30, created: project.created })
  }
  return out
}

/** Invoices of every project; some large finals run on 36-month terms. */
export function makeInvoices(random: Random, plan: Plan, projects: Project[]): Invoice[] {
  let financed = plan.financed
  return projects.flatMap((project) => {
    if (project.status === 'lead' || project.status === 'estimate') return []
    const drafts = project.job === plan.trade.plan ? yearly(project) : billed(random, project)
    const last = drafts.at(-1)
    if (last && financed > 0 && project.status === 'completed' && project.total > 300_000 && last.date > ANCHOR - 420) {
      last.due = last.date + 1095
      last.financed = true
      financed--
    }
    return drafts.map((draft, i) => ({ number: `${project.id.slice(2)}-${i + 1}`, project, ...draft }))
  })
}

const METHODS = [
  ['check', 38],
  ['ach', 26],
  ['card', 24],
  ['cash', 4],
  ['wire', 5],
  ['other', 3],
] as const

function referenceFor(random: Random, method: string): string {
  if (method === 'check') return `CHK ${random.int(1001, 19_999)}`
  if (method === 'ach') return `ACH ${random.int(10_000_000, 99_999_999)}`
  if (method === 'card') return `AUTH ${random.int(100_000, 999_999)}`
  if (method === 'wire') return `FT${random.int(10_000_000, 99_999_999)}`
  return ''
}

/** How an invoice is paid: most in full, one part in some, nothing yet in others; a sum is never reached by accident. */
function paymentsOf(random: Random, invoice: Invoice): { amount: number; date: number }[] {
  if (invoice.date >= ANCHOR) return []
  const late = ANCHOR - invoice.due
  const isSettled = invoice.financed
    ? false
    : late > 60
      ? random.chance(0.93)
      : late > 0
        ? random.chance(0.72)
        : random.chance(0.45)
  const count =
    invoice.amount < 60_000
      ? 1
      : random.weighted([
          [1, 30],
          [2, 45],
          [3, 25],
        ])
  const shares = Array.from({ length: count }, (_, i) => (i < count - 1 ? 0.25 + random.next() * 0.2 : 0))
  const parts = split(invoice.amount, shares)
  const span = Math.max(1, Math.min(ANCHOR - 1, invoice.due + 25) - invoice.date)
  const dates = parts.map(() => Math.min(invoice.date + random.int(0, span), ANCHOR - 1)).sort((a, b) => a - b)
  const all = parts.map((amount, i) => ({ amount, date: dates[i] ?? invoice.date }))
  if (isSettled) return all
  return count > 1 && random.chance(0.4) ? all.slice(0, -1) : []
}

/** Payments with their references, refunds of cancelled jobs' deposits, and a few adjustments. Marks what is settled. */
export function makePayments(random: Random, invoices: Invoice[]): Payment[] {
  const drafts: Omit<Payment, 'id'>[] = []
  for (const invoice of invoices) {
    const received = paymentsOf(random, invoice)
    for (const { amount, date } of received) {
      const method = random.weighted(METHODS)
      drafts.push({
        project: invoice.project,
        invoice,
        amount,
        date,
        method,
        reference: referenceFor(random, method),
        type: 'payment',
      })
    }
    const isSettled = received.reduce((sum, { amount }) => sum + amount, 0) === invoice.amount
    const last = received.at(-1)
    if (!last || !isSettled) continue
    invoice.paid = last.date
    const after = Math.min(last.date + random.int(5, 30), ANCHOR - 1)
    const correction = { project: invoice.project, date: after, method: 'other', reference: '' }
    if (invoice.project.status === 'cancelled')
      drafts.push({
        ...correction,
        amount: invoice.amount,
        method: 'check',
        reference: referenceFor(random, 'check'),
        type: 'refund',
      })
    else if (random.chance(0.015))
      drafts.push({ ...correction, amount: Math.round(invoice.amount * 0.05), type: 'refund' })
    else if (random.chance(0.02))
      drafts.push({ ...correction, amount: random.int(500, 9_000) * (random.chance(0.6) ? -1 : 1), type: 'adjustment' })
  }
  return drafts
    .sort((a, b) => a.date - b.date)
    .map((draft, i) => ({ id: `PM-${String(i + 1).padStart(6, '0')}`, ...draft }))
}
