import type { SourceFile } from './mapping'

const ADDRESS = ['BADDR2', 'BADDR3', 'BADDR4', 'BADDR5'].map((line) => `CUST.${line}`)

/** Rows of other ledgers and of other lists. */
const IIF_OTHERS = [
  ...[
    'BILL',
    'BILLPMT',
    'BILL PMT -CHECK',
    'BILL PMT -CCARD',
    'BILL REFUND',
    'CHECK',
    'DEPOSIT',
    'TRANSFER',
    'GENERAL JOURNAL',
    'GENJRNL',
  ],
  ...[
    'CREDIT CARD',
    'CCARD REFUND',
    'CC CHARGE',
    'CC CRED',
    'PURCHORD',
    'PURCHASE ORDER',
    'ESTIMATES',
    'ESTIMATE',
    'PAYCHECK',
    'INVADJ',
  ],
]
  .map((word) => `TRNS ${word}`)
  .concat(
    ...[
      'HDR',
      'ACCNT',
      'CLASS',
      'INVITEM',
      'VEND',
      'EMP',
      'OTHERNAME',
      'CTYPE',
      'VTYPE',
      'TERMS',
      'PAYMETH',
      'SHIPMETH',
    ],
  )
  .concat(
    ...[
      'INVMEMO',
      'TODO',
      'BUD',
      'TIMEACT',
      'TIMERHDR',
      'SALESREP',
      'JOBTYPE',
      'PRICELEVEL',
      'CUSTNAMEDICT',
      'CUSTITEMDICT',
      'ENDCUSTNAMEDICT',
    ],
  )

/**
 * Lists and transactions of QuickBooks Desktop; one file may have both. The reader gives each list entry and each transaction as a row: a
 * job is a customer called `Customer:Job`, and `SPL.SUM` is what a transaction's lines add up to.
 */
export const quickbooksDesktop: SourceFile[] = [
  {
    source: 'QuickBooks Desktop',
    file: 'IIF',
    sample: 'quickbooks-desktop.iif',
    hasAllMoney: true,
    header: ['IIF', 'NAME'],
    mentions: ['customers', 'projects'],
    types: {
      column: 'IIF',
      words: {
        customer: ['CUST'],
        job: ['JOB'],
        invoice: ['TRNS INVOICE'],
        creditMemo: ['TRNS CREDIT MEMO', 'TRNS CREDMEM'],
        salesReceipt: ['TRNS CASH SALE', 'TRNS CASHSALE', 'TRNS SALES RECEIPT'],
        refundReceipt: ['TRNS CASH REFUND', 'TRNS CASHREFUND'],
        payment: ['TRNS PAYMENT', 'TRNS RCPT'],
        statementCharge: ['TRNS STMT CHG', 'TRNS FINANCE CHARGE', 'TRNS FIN CHG'],
        none: IIF_OTHERS,
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
        amount: 'TRNS.AMOUNT',
        method: 'TRNS.PAYMETH',
        externalReference: 'TRNS.DOCNUM',
      },
    },
    lines: { key: 'IIF.ROW', total: 'TRNS.AMOUNT', amount: 'SPL.SUM' },
  },
]
