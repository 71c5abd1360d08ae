import type { SourceFile } from './mapping'

const SOURCE = 'Jobber'
const CLIENT = { name: 'Client name', email: 'Client email', phone: 'Client phone' }
const place = (of: string) => ({
  address: { join: [`${of} street`, `${of} street 1`, `${of} street 2`] },
  city: `${of} city`,
  state: { first: [`${of} state`, `${of} province`] },
  zip: { first: [`${of} ZIP`, `${of} ZIP code`, `${of} postal code`] },
})

/** Reports of Jobber. All but one name clients by their name only, so clients are known by it. Those of Canada and the US differ in a few words (`province`, `Cheque #`). `-` is blank. */
export const jobber: SourceFile[] = [
  {
    source: SOURCE,
    file: 'Clients',
    sample: 'jobber-clients.csv',
    header: ['J-ID', 'Display Name', 'Company Name', 'First Name', 'Last Name', 'Emails', 'Billing Street 1'],
    blanks: ['-'],
    fills: {
      customers: {
        id: 'J-ID',
        name: { first: ['Display Name', 'Company Name', 'Last Name', 'First Name'] },
        email: 'Emails',
        phone: { first: ['Main Phone #s', 'Mobile Phone #s', 'Work Phone #s', 'Home Phone #s'] },
        createdAt: 'Created Date',
        ...place('Billing'),
      },
    },
    lines: { key: 'J-ID' },
  },
  {
    source: SOURCE,
    file: 'Jobs',
    sample: 'jobber-jobs.csv',
    header: [
      'Job #',
      'Client name',
      'Title',
      'Created date',
      'Schedule start date',
      'Closed date',
      'Total revenue ($)',
    ],
    blanks: ['-'],
    mentions: ['customers'],
    fills: {
      customers: CLIENT,
      projects: {
        reference: 'Job #',
        name: { first: ['Title', 'Line items'] },
        totalAmount: 'Total revenue ($)',
        startDate: 'Schedule start date',
        endDate: 'Closed date',
        createdAt: 'Created date',
        ...place('Service'),
      },
    },
  },
  {
    source: SOURCE,
    file: 'Invoices',
    sample: 'jobber-invoices.csv',
    numbers: 'ofSource',
    header: ['Invoice #', 'Client name', 'Issued date', 'Due date', 'Job #s', 'Status', 'Total ($)', 'Balance ($)'],
    blanks: ['-'],
    mentions: ['customers', 'projects'],
    fills: {
      customers: CLIENT,
      projects: { reference: { before: 'Job #s', mark: ',' }, ...place('Service') },
      invoices: {
        reference: 'Invoice #',
        date: 'Issued date',
        dueDate: 'Due date',
        amount: 'Total ($)',
        balance: 'Balance ($)',
        status: 'Status',
      },
    },
  },
  {
    source: SOURCE,
    file: 'Transactions',
    sample: 'jobber-transactions.csv',
    header: ['Client name', 'Date', 'Type', 'Total $', 'Invoice #', 'Method', 'Transaction ID'],
    blanks: ['-'],
    mentions: ['customers', 'projects'],
    types: {
      column: 'Type',
      words: { payment: ['Payment', 'Deposit', 'Invoice deposit', 'Quote deposit'] },
      paymentsNegative: true,
    },
    numbers: 'ofSource',
    fills: {
      customers: { name: 'Client name' },
      projects: { reference: { before: 'Job #', mark: ',' } },
      invoices: { reference: 'Invoice #', date: 'Date', amount: 'Total $' },
      payments: {
        invoice: 'Invoice #',
        date: 'Date',
        amount: 'Total $',
        method: 'Method',
        externalReference: { first: ['Transaction ID', 'Cheque #', 'Check #'] },
      },
    },
    totals: { column: 'Total $', always: true },
  },
  {
    source: SOURCE,
    file: 'Payments',
    sample: 'jobber-payments.csv',
    numbers: 'ofSource',
    types: {
      column: 'Type',
      words: { payment: ['Payment', 'Deposit', 'Invoice deposit', 'Quote deposit', 'Invoice payment', ''] },
    },
    header: ['Client name', 'Date', 'Time', 'Type', 'Paid with', 'Paid through', 'Total $', 'Fee $', 'Invoice #'],
    blanks: ['-'],
    mentions: ['customers', 'projects'],
    fills: {
      customers: { name: 'Client name' },
      payments: {
        invoice: 'Invoice #',
        date: 'Date',
        amount: 'Total $',
        method: 'Paid with',
        externalReference: { first: ['Check #', 'Cheque #', 'Payout #'] },
      },
    },
    totals: { column: 'Total $', always: true },
  },
]
