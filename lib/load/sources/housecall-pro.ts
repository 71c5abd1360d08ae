import type { SourceFile } from './mapping'

/** Jobs of Housecall Pro, where an invoice has its job's number. Ids are written `="2"`, and the user picks the columns. */
export const housecallPro: SourceFile[] = [
  {
    source: 'Housecall Pro',
    file: 'Jobs',
    sample: 'housecall-pro-jobs.csv',
    header: ['Job #', 'Job status', 'Customer name', 'Job created date', 'Job amount'],
    mentions: ['customers'],
    billedWhen: { column: 'Job status', is: ['completed'] },
    numbers: 'ofSource',
    fills: {
      customers: {
        name: 'Customer name',
        email: 'Customer email',
        phone: { first: ['Customer mobile phone', 'Customer phone'] },
      },
      projects: {
        reference: 'Job #',
        name: 'Job description',
        status: 'Job status',
        totalAmount: 'Job amount',
        startDate: 'Job scheduled start date',
        createdAt: 'Job created date',
        address: { address: ['Address'], part: 'street' },
        city: { address: ['Address'], part: 'city' },
        state: { address: ['Address'], part: 'state' },
        zip: { address: ['Address'], part: 'zip' },
      },
      invoices: {
        reference: 'Job #',
        date: { first: ['Job scheduled start date', 'Job created date'] },
        amount: 'Job amount',
        balance: 'Due amount',
      },
    },
    totals: { column: 'Job amount' },
  },
]
