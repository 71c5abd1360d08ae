import type { SourceFile } from './mapping'

const SOURCE = 'QuickBooks Online'
const ADDRESS = ['Bill address', 'Billing address', 'Ship address', 'Shipping address']
/** A job is a customer's sub-customer: `Hill, Dana:Kitchen`. */
const NAME = { before: 'Name', mark: ':' }
const JOB = { name: { after: 'Name', mark: ':' } }
/** A bank deposit holds payments that are rows of their own. A refund is a refund receipt: older reports leave out the second word. */
const TYPES = { column: 'Transaction type', words: { payment: ['Payment'], refundReceipt: ['Refund'] } }

/** Reports of QuickBooks Online: three rows above the header, `Total for` rows, and a time stamp at the end. */
export const quickbooksOnline: SourceFile[] = [
  {
    source: SOURCE,
    file: 'Customer Contact List',
    sample: 'qbo-customer-contact-list.csv',
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
    sample: 'qbo-invoice-list.csv',
    header: ['Date', 'Transaction type', 'Num', 'Name', 'Due date', 'Amount', 'Open balance'],
    mentions: ['customers', 'projects'],
    types: { ...TYPES, paymentsNegative: true },
    voidedIn: 'Memo',
    fills: {
      customers: { name: NAME },
      projects: JOB,
      invoices: { reference: 'Num', date: 'Date', dueDate: 'Due date', amount: 'Amount', balance: 'Open balance' },
      payments: { date: 'Date', amount: 'Amount', externalReference: 'Num' },
    },
    totals: { column: 'Amount' },
  },
  {
    source: SOURCE,
    file: 'A/R Aging Detail',
    sample: 'qbo-aging-detail.csv',
    openOnly: true,
    header: ['Date', 'Transaction type', 'Num', 'Customer', 'Due date', 'Amount', 'Open balance'],
    grouped: true,
    mentions: ['customers', 'projects'],
    types: { ...TYPES, paymentsNegative: true },
    fills: {
      customers: { name: { before: 'Customer', mark: ':' } },
      projects: { name: { after: 'Customer', mark: ':' } },
      invoices: { reference: 'Num', date: 'Date', dueDate: 'Due date', amount: 'Amount', balance: 'Open balance' },
      payments: { date: 'Date', amount: 'Open balance', externalReference: 'Num' },
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
      sample: 'qbo-transaction-list.csv',
      hasAllMoney: true,
      header,
      mentions: ['customers', 'projects'],
      types: TYPES,
      voidedIn: 'Memo',
      fills: {
        customers: { name: NAME },
        projects: JOB,
        invoices: { reference: 'Num', date: 'Date', amount: 'Amount' },
        payments: { date: 'Date', amount: 'Amount', externalReference: 'Num' },
      },
      totals: { column: 'Amount' },
    }),
  ),
  {
    source: SOURCE,
    file: 'Sales by Customer Detail',
    sample: 'qbo-sales-by-customer-detail.csv',
    header: ['Transaction date', 'Transaction type', 'Num', 'Quantity', 'Sales price', 'Amount', 'Balance'],
    grouped: true,
    mentions: ['customers', 'projects'],
    types: TYPES,
    fills: {
      customers: { name: { heading: true } },
      invoices: { reference: 'Num', date: 'Transaction date', amount: 'Amount' },
    },
    lines: { key: 'Num', sum: 'Amount' },
    withoutTax: true,
    totals: { column: 'Amount', always: true },
  },
  {
    source: SOURCE,
    file: 'Invoices and Received Payments',
    sample: 'qbo-invoices-and-received-payments.csv',
    header: ['Date', 'Transaction type', 'Memo/Description', 'Transaction number', 'Amount'],
    grouped: true,
    mentions: ['customers', 'projects'],
    types: { ...TYPES, paymentsNegative: true },
    voidedIn: 'Memo',
    fills: {
      customers: { name: { heading: true } },
      invoices: { reference: 'Transaction number', date: 'Date', amount: 'Amount' },
      payments: {
        date: 'Date',
        amount: 'Amount',
        externalReference: 'Transaction number',
      },
    },
    totals: { column: 'Amount' },
  },
]
