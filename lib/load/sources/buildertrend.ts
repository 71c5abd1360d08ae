import type { SourceFile } from './mapping'

/** The customer of an invoice. Where the user shows neither the client nor the job, all invoices are of one customer. */
const OWNER = {
  name: { first: ['Client', 'Customer', 'Owner', 'Job', 'Job name'], otherwise: 'Customer of Buildertrend' },
}

/** Grids of Buildertrend: a title, a blank row, the header, and totals last. */
export const buildertrend: SourceFile[] = [
  {
    source: 'Buildertrend',
    file: 'Owner invoices',
    sample: 'buildertrend-invoices.csv',
    numbers: 'ofJob',
    header: ['ID#', 'Status', 'Deadline', 'Date Paid', 'Total Price', 'Amount Paid'],
    mentions: ['customers', 'projects'],
    fills: {
      customers: OWNER,
      projects: { name: { first: ['Job', 'Job name'] } },
      invoices: {
        reference: 'ID#',
        date: { first: ['Invoice date', 'Date invoiced', 'Deadline'] },
        dueDate: 'Deadline',
        settledAt: 'Date Paid',
        status: 'Status',
        amount: 'Total Price',
        balance: { subtract: ['Total Price', 'Amount Paid'] },
      },
    },
    totals: { column: 'Total Price', always: true },
  },
  {
    source: 'Buildertrend',
    file: 'Owner payments',
    sample: 'buildertrend-payments.csv',
    numbers: 'ofJob',
    header: ['Invoice', 'Payment method', 'Payment amount', 'Date paid'],
    fills: {
      payments: { invoice: 'Invoice', method: 'Payment method', amount: 'Payment amount', date: 'Date paid' },
    },
    totals: { column: 'Payment amount', always: true },
  },
]
