import type { SourceFile } from './mapping'

const ADDRESS = {
  address: { first: ['POAddressLine1', 'SAAddressLine1'] },
  city: { first: ['POCity', 'SACity'] },
  state: { first: ['PORegion', 'SARegion'] },
  zip: { first: ['POPostalCode', 'SAPostalCode'] },
}

/** Exports of Xero. An invoice has a row for each line and repeats its totals; dates are in the order of the organization. */
export const xero: SourceFile[] = [
  {
    source: 'Xero',
    file: 'Sales invoices',
    sample: 'xero-invoices.csv',
    header: ['ContactName', 'InvoiceNumber', 'InvoiceDate', 'DueDate', 'Total', 'InvoiceAmountDue', 'LineAmount'],
    mentions: ['customers', 'projects'],
    types: {
      column: 'Type',
      words: { invoice: ['Sales invoice', ''], creditMemo: ['Sales credit note'], none: ['Bill', 'Bill credit note'] },
    },
    numbers: 'ofSource',
    fills: {
      customers: { name: 'ContactName', email: 'EmailAddress', ...ADDRESS },
      invoices: {
        reference: 'InvoiceNumber',
        date: 'InvoiceDate',
        dueDate: 'DueDate',
        amount: 'Total',
        balance: 'InvoiceAmountDue',
        currency: 'Currency',
        status: 'Status',
      },
    },
    lines: {
      key: 'InvoiceNumber',
      total: 'Total',
      amount: 'LineAmount',
      tax: 'TaxAmount',
      priced: ['Quantity', 'UnitAmount'],
    },
  },
  {
    source: 'Xero',
    file: 'Contacts',
    sample: 'xero-contacts.csv',
    header: ['ContactName', 'AccountNumber', 'EmailAddress', 'POAddressLine1', 'PhoneNumber'],
    fills: {
      customers: {
        name: 'ContactName',
        email: 'EmailAddress',
        phone: { first: ['PhoneNumber', 'MobileNumber'] },
        ...ADDRESS,
      },
    },
  },
]
