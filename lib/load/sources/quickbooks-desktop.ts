import type { SourceFile } from './mapping'

const ADDRESS = ['BADDR2', 'BADDR3', 'BADDR4', 'BADDR5'].map((line) => `CUST.${line}`)

/**
 * Lists and transactions of QuickBooks Desktop; one file may have both. The reader gives each list entry and each transaction as a row: a
 * job is a customer called `Customer:Job`, and `SPL.SUM` is what a transaction's lines add up to.
 */
export const quickbooksDesktop: SourceFile[] = [
  {
    source: 'QuickBooks Desktop',
    file: 'IIF',
    header: ['IIF', 'NAME'],
    mentions: ['customers', 'projects'],
    kinds: {
      column: 'IIF',
      words: {
        customers: ['CUST'],
        projects: ['JOB'],
        invoices: ['TRNS INVOICE', 'TRNS CREDIT MEMO'],
        payments: ['TRNS PAYMENT'],
      },
    },
    fills: {
      customers: {
        name: { before: 'NAME', mark: ':' },
        email: 'CUST.EMAIL',
        phone: { first: ['CUST.PHONE1', 'CUST.PHONE2'] },
        address: { address: ADDRESS, part: 'street' },
        city: { address: ADDRESS, part: 'city' },
        state: { address: ADDRESS, part: 'state' },
        zip: { address: ADDRESS, part: 'zip' },
      },
      projects: {
        name: { after: 'NAME', mark: ':' },
        description: 'CUST.JOBDESC',
        startDate: 'CUST.JOBSTART',
        endDate: 'CUST.JOBEND',
      },
      invoices: {
        reference: 'TRNS.DOCNUM',
        date: 'TRNS.DATE',
        dueDate: 'TRNS.DUEDATE',
        amount: 'TRNS.AMOUNT',
      },
      payments: {
        reference: 'TRNS.TRNSID',
        date: 'TRNS.DATE',
        amount: { absolute: 'TRNS.AMOUNT' },
        method: 'TRNS.PAYMETH',
        externalReference: 'TRNS.DOCNUM',
      },
    },
    lines: { key: 'IIF.ROW', total: 'TRNS.AMOUNT', amount: 'SPL.SUM' },
  },
]
