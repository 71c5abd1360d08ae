import type { SourceFile } from './mapping'

/** Jobs of ServiceTitan. They name customers by id only unless the user adds their names. */
export const serviceTitan: SourceFile[] = [
  {
    source: 'ServiceTitan',
    file: 'Jobs',
    sample: 'servicetitan-jobs.csv',
    header: [
      'Job ID',
      'Job Type',
      'Status',
      'Created Date',
      'Scheduled Date',
      'Completion Date',
      'Customer ID',
      'Invoice ID',
      'Jobs Total',
    ],
    mentions: ['customers'],
    billedWhen: { column: 'Status', is: ['completed'] },
    numbers: 'ofSource',
    fills: {
      customers: { reference: 'Customer ID', name: 'Customer Name' },
      projects: {
        reference: 'Job ID',
        name: { first: ['Summary', 'Job Type'] },
        status: 'Status',
        totalAmount: 'Jobs Total',
        description: 'Summary',
        startDate: 'Scheduled Date',
        endDate: 'Completion Date',
        createdAt: 'Created Date',
      },
      invoices: { reference: 'Invoice ID', date: { first: ['Completion Date', 'Created Date'] }, amount: 'Jobs Total' },
    },
    totals: { column: 'Jobs Total' },
  },
]
