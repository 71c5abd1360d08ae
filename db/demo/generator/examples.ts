import type { Invoice } from './billing'
import type { Customer } from './books'
import { ANCHOR, day } from './dates'
import type { Estimate } from './estimates'
import type { Payment } from './payments'
import type { Project } from './projects'
import { ROOFING } from './roofing'

export type Examples = {
  customers: Customer[]
  projects: Project[]
  invoices: Invoice[]
  payments: Payment[]
  estimates: Estimate[]
}

/** Returns records that the documentation shows, so that its calls find something. The demonstration gives them the ids shown there. */
export function makeExamples(): Examples {
  const place = { city: 'Nashville', state: 'TN', zip: '37206' }
  const dana: Customer = {
    id: 'C-9001',
    name: 'Dana Whitfield',
    email: 'dana.whitfield@example.com',
    phone: '(615) 555-0142',
    address: '1204 Oak Street',
    ...place,
    created: day('2025-03-04'),
  }
  const luis: Customer = {
    id: 'C-9002',
    name: 'Luis Herrera',
    email: 'luis.herrera@example.com',
    phone: '(615) 555-0187',
    address: '418 Woodland Street',
    ...place,
    created: ANCHOR - 6,
  }
  const job = ROOFING.jobs[0]
  const roof: Project = {
    id: 'P-26-9001',
    customer: dana,
    job,
    name: 'Re-roof, architectural shingle, 28 sq',
    description: 'Tear-off of one layer, synthetic underlayment, ridge vent.',
    status: 'in_progress',
    total: 1_845_075,
    added: 0,
    start: ANCHOR - 9,
    created: day('2026-08-02'),
    address: dana.address,
    ...place,
  }
  const inquiry: Project = {
    id: 'P-26-9002',
    customer: luis,
    job,
    name: 'Leak at the chimney flashing',
    description: 'Stain on the bedroom ceiling after the last storm.',
    status: 'lead',
    total: 0,
    added: 0,
    created: ANCHOR - 6,
    address: luis.address,
    ...place,
  }
  const deposit: Invoice = {
    number: '26-9001-1',
    project: roof,
    amount: 738_030,
    date: day('2026-10-12'),
    due: day('2026-11-11'),
    created: day('2026-10-12'),
  }
  const payment: Payment = {
    id: 'PM-900001',
    project: roof,
    invoice: deposit,
    amount: 500_000,
    date: day('2026-11-02'),
    method: 'check',
    reference: 'CHK 10482',
    type: 'payment',
  }
  const estimate: Estimate = {
    number: 'E-26-9001',
    customer: dana,
    project: roof,
    amount: 1_845_075,
    date: day('2026-07-28'),
    validUntil: day('2026-08-27'),
    status: 'accepted',
  }
  return {
    customers: [dana, luis],
    projects: [roof, inquiry],
    invoices: [deposit],
    payments: [payment],
    estimates: [estimate],
  }
}
