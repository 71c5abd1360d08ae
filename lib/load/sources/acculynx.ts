import type { SourceFile } from './mapping'

/** Reports of AccuLynx. Invoices name no customer except by phone, so each is its own customer unless the report adds the contact. */
export const accuLynx: SourceFile[] = [
  {
    source: 'AccuLynx',
    file: 'Contacts',
    sample: 'acculynx-contacts.csv',
    header: ['Contact: First Name', 'Contact: Last Name', 'Contact: Email', 'Contact: Phone'],
    fills: {
      customers: {
        name: { join: ['Contact: First Name', 'Contact: Last Name'] },
        email: 'Contact: Email',
        phone: 'Contact: Phone',
        address: { address: ['Contact: Mailing Address'], part: 'street' },
        city: { address: ['Contact: Mailing Address'], part: 'city' },
        state: { address: ['Contact: Mailing Address'], part: 'state' },
        zip: { address: ['Contact: Mailing Address'], part: 'zip' },
      },
    },
  },
  {
    source: 'AccuLynx',
    file: 'Jobs',
    sample: 'acculynx-jobs.csv',
    header: ['Contact Name', 'Current Milestone', 'Lead Source', 'Location Address', 'Contract Total', 'Approved Date'],
    mentions: ['customers'],
    fills: {
      customers: { name: 'Contact Name' },
      projects: {
        reference: { first: ['Job Number', 'Job ID'] },
        name: { first: ['Job Name', 'Location Address'] },
        status: 'Current Milestone',
        totalAmount: 'Contract Total',
        startDate: 'Approved Date',
        address: { address: ['Location Address'], part: 'street' },
        city: { address: ['Location Address'], part: 'city' },
        state: { address: ['Location Address'], part: 'state' },
        zip: { address: ['Location Address'], part: 'zip' },
      },
    },
  },
  {
    source: 'AccuLynx',
    file: 'Invoices',
    sample: 'acculynx-invoices.csv',
    numbers: 'ofSource',
    header: [
      'Invoice Number',
      'Phone Number',
      'Invoice Total',
      'Invoice Balance Due',
      'Invoice Status',
      'Invoice Date',
    ],
    mentions: ['customers', 'projects'],
    fills: {
      customers: { name: { first: ['Contact Name', 'Customer Name', 'Phone Number'] }, phone: 'Phone Number' },
      projects: { reference: { first: ['Job Number', 'Job ID'] }, name: 'Job Name' },
      invoices: {
        reference: 'Invoice Number',
        date: 'Invoice Date',
        dueDate: 'Due Date',
        amount: 'Invoice Total',
        balance: 'Invoice Balance Due',
        status: 'Invoice Status',
      },
    },
    totals: { column: 'Invoice Total' },
  },
]
