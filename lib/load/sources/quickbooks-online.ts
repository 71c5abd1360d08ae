import type { SourceFile } from './mapping'

const SOURCE = 'QuickBooks Online'
const ADDRESS = ['Bill address', 'Billing address', 'Ship address', 'Shipping address']
/** A job is a customer's sub-customer: `Hill, Dana:Kitchen`. */
const NAME = { before: 'Name', mark: ':' }
const JOB = { name: { after: 'Name', mark: ':' } }
const INVOICES = ['Invoice', 'Credit Memo', 'Credit Note', 'Sales Receipt']
const PAYMENTS = ['Payment', 'Refund', 'Refund Receipt', 'Credit Card Payment Received']
const KINDS = { column: 'Transaction type', words: { invoices: INVOICES, payments: PAYMENTS } }

/** Reports of QuickBooks Online: three rows above the header, `Total for` rows, and a time stamp at the end. */
export const quickbooksOnline: SourceFile[] = [
  {
    source: SOURCE,
    file: 'Customer Contact List',
    header: ['Full name', 'Email', 'Bill address', 'Ship address'],
    fills: {
      customers: {
        name: { before: 'Customer full name', mark: ':' },
        email: 'Email',
        phone: { first: ['Phone numbers', 'Phone'] },
        address: { address: ADDRESS, part: 'street' },
        city: { address: ADDRESS, part: 'city' },
        state: { address: ADDRESS, part: 'state' },
        zip: { address: ADDRESS, part: 'zip' },
      },
    },
    lines: { key: 'Customer full name' },
  },
  {
    source: SOURCE,
    file: 'Invoice List by Date',
    header: ['Date', 'Transaction type', 'Num', 'Name', 'Due date', 'Amount', 'Open balance'],
    mentions: ['customers', 'projects'],
    kinds: KINDS,
    fills: {
      customers: { name: NAME },
      projects: JOB,
      invoices: { reference: 'Num', date: 'Date', dueDate: 'Due date', amount: 'Amount', balance: 'Open balance' },
      payments: { date: 'Date', amount: { absolute: 'Amount' }, type: 'Transaction type', externalReference: 'Num' },
    },
    totals: { column: 'Amount' },
  },
  ...[
    ['Date', 'Transaction type', 'Num', 'Name', 'Split', 'Amount', 'Posting (Y/N)'],
    ['Date', 'Transaction type', 'Num', 'Name', 'Split', 'Amount', 'Memo/Description'],
  ].map(
    (header): SourceFile => ({
      source: SOURCE,
      file: 'Transaction List by Date',
      header,
      mentions: ['customers', 'projects'],
      kinds: KINDS,
      fills: {
        customers: { name: NAME },
        projects: JOB,
        invoices: { reference: 'Num', date: 'Date', amount: 'Amount' },
        payments: { date: 'Date', amount: { absolute: 'Amount' }, type: 'Transaction type', externalReference: 'Num' },
      },
      totals: { column: 'Amount' },
    }),
  ),
  {
    source: SOURCE,
    file: 'Sales by Customer Detail',
    header: ['Transaction date', 'Transaction type', 'Num', 'Quantity', 'Sales price', 'Amount', 'Balance'],
    grouped: true,
    mentions: ['customers', 'projects'],
    kinds: { column: 'Transaction type', words: { invoices: INVOICES } },
    fills: {
      customers: { name: { heading: true } },
      invoices: { reference: 'Num', date: 'Transaction date', amount: 'Amount' },
    },
    lines: { key: 'Num', sum: 'Amount' },
    totals: { column: 'Amount', always: true },
  },
  {
    source: SOURCE,
    file: 'Invoices and Received Payments',
    header: ['Date', 'Transaction type', 'Memo/Description', 'Transaction number', 'Amount'],
    grouped: true,
    mentions: ['customers', 'projects'],
    kinds: KINDS,
    fills: {
      customers: { name: { heading: true } },
      invoices: { reference: 'Transaction number', date: 'Date', amount: 'Amount' },
      payments: {
        date: 'Date',
        amount: { absolute: 'Amount' },
        type: 'Transaction type',
        externalReference: 'Transaction number',
      },
    },
    totals: { column: 'Amount' },
  },
]
