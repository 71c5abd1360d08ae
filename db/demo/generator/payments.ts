import { type Invoice, split } from './billing'
import { ANCHOR } from './dates'
import type { Project } from './projects'
import type { Random } from './random'

export type Payment = {
  id: string
  project: Project
  invoice?: Invoice
  amount: number
  date: number
  method: string
  reference: string
  type: 'payment' | 'refund' | 'adjustment' | 'credit'
}
type Draft = Omit<Payment, 'id'>

/** Picks the method: nobody pays for a roof in cash or wires eighty dollars. */
function methodFor(random: Random, amount: number): string {
  return random.weighted([
    ['check', 38],
    ['ach', 27],
    ['card', amount < 800_000 ? 25 : 4],
    ['cash', amount < 90_000 ? 10 : 0],
    ['wire', amount > 500_000 ? 14 : 0],
    ['other', 3],
  ])
}

function referenceFor(random: Random, method: string): string {
  if (method === 'check') return `CHK ${random.int(1001, 19_999)}`
  if (method === 'ach') return `ACH ${random.int(10_000_000, 99_999_999)}`
  if (method === 'card') return `AUTH ${random.int(100_000, 999_999)}`
  if (method === 'wire') return `FT${random.int(10_000_000, 99_999_999)}`
  if (method === 'cash') return random.chance(0.3) ? `RCPT ${random.int(201, 999)}` : ''
  return random.chance(0.5) ? 'Financing partner' : ''
}

function isSettled(random: Random, invoice: Invoice): boolean {
  const late = ANCHOR - invoice.due
  if (invoice.financed) return false
  // A deposit must have been paid before it can be refunded.
  if (invoice.project.status === 'cancelled') return true
  // Work begins once the deposit has been paid.
  if (invoice.number.endsWith('-1') && invoice.amount < invoice.project.total && late > 0) return random.chance(0.985)
  if (late > 365) return random.chance(0.93)
  if (late > 90) return random.chance(0.78)
  return random.chance(late > 0 ? 0.42 : 0.25)
}

/**
 * Returns the payments of an invoice: in full, in installments, partly so far, or none. Partial payments never add up to the full
 * amount by accident.
 */
function paymentsOf(random: Random, invoice: Invoice): { amount: number; date: number }[] {
  if (invoice.date >= ANCHOR) return []
  const isPaid = isSettled(random, invoice)
  const count =
    invoice.amount < 60_000
      ? 1
      : random.weighted([
          [1, 34],
          [2, 43],
          [3, 23],
        ])
  const shares = Array.from({ length: count }, () => 0.25 + Math.round(random.next() * 20) / 100)
  const parts = split(invoice.amount, shares)
  const span = Math.max(1, Math.min(ANCHOR - 1, invoice.date + random.pick([12, 30, 30, 45, 60])) - invoice.date)
  const dates = parts.map(() => Math.min(invoice.date + random.int(0, span), ANCHOR - 1)).sort((a, b) => a - b)
  const all = parts.map((amount, i) => ({ amount, date: dates[i] ?? invoice.date }))
  if (isPaid) return all
  return count > 1 && random.chance(0.4) ? all.slice(0, -1) : []
}

function received(random: Random, invoice: Invoice, { amount, date }: { amount: number; date: number }): Draft {
  const method = methodFor(random, amount)
  const reference = referenceFor(random, method)
  return { project: invoice.project, invoice, amount, date, method, reference, type: 'payment' }
}

/**
 * What follows after an invoice was paid: the whole of it goes back where the job is cancelled, and a credit says that it is not asked for any
 * more; or a part, as a concession; or a small credit, for this invoice or the next one.
 */
function correction(random: Random, invoice: Invoice, paid: number): Draft[] {
  const { project, amount } = invoice
  const date = Math.min(paid + random.int(5, 30), ANCHOR - 1)
  const back = { project, invoice, date, method: 'check', reference: referenceFor(random, 'check') }
  const booked = { project, date, method: 'other', reference: '' }
  if (project.status === 'cancelled')
    return [
      { ...back, amount, type: 'refund' },
      { ...booked, invoice, amount, type: 'credit' },
    ]
  if (random.chance(0.018)) return [{ ...back, amount: Math.round(amount * 0.05), type: 'refund' }]
  const kept = { amount: random.int(500, 9_000), ...(random.chance(0.6) ? { invoice } : {}) }
  return random.chance(0.02) ? [{ ...booked, ...kept, type: 'adjustment' }] : []
}

/** Creates payments, refunds of deposits for cancelled jobs, and a few adjustments. Marks invoices as paid. */
export function makePayments(random: Random, invoices: Invoice[]): Payment[] {
  const drafts = invoices.flatMap((invoice) => {
    const payments = paymentsOf(random, invoice).map((part) => received(random, invoice, part))
    const last = payments.at(-1)
    if (!last || payments.reduce((sum, { amount }) => sum + amount, 0) !== invoice.amount) return payments
    invoice.paid = last.date
    return [...payments, ...correction(random, invoice, last.date)]
  })
  const isCredit = ({ type }: Draft) => type === 'credit'
  const numbered = (prefix: string, some: Draft[]) =>
    some
      .sort((a, b) => a.date - b.date)
      .map((draft, i) => ({ id: `${prefix}-${String(i + 1).padStart(6, '0')}`, ...draft }))
  return [
    ...numbered(
      'PM',
      drafts.filter((draft) => !isCredit(draft)),
    ),
    ...numbered('CR', drafts.filter(isCredit)),
  ]
}
