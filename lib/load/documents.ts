import type { ResourceName } from '@/lib/core/resource-names'
import { plain } from './columns'

/**
 * The documents that a contractor's books are made of. Each is posted one way, whatever signs its report uses.
 * - `salesReceipt`: a sale that was paid when it was made: an invoice and its payment.
 * - `refundReceipt`: a sale taken back with its money: a credit and the refund that uses it.
 * - `refund`: money given back. `returnedPayment`: a payment that came back, such as a returned check.
 * - `statementCharge`: owed without an invoice, such as a finance charge.
 * - `none`: of another ledger (bills, bank transfers, time), or no claim yet; it is counted and left out.
 */
export const DOCUMENT_TYPES = [
  'customer',
  'job',
  'estimate',
  'invoice',
  'salesReceipt',
  'creditMemo',
  'refundReceipt',
  'refund',
  'payment',
  'returnedPayment',
  'statementCharge',
  'writeOff',
  'none',
] as const
export type DocumentType = (typeof DOCUMENT_TYPES)[number]

/** The resources whose records a document makes. */
export const RECORDS_OF: Record<DocumentType, readonly ResourceName[]> = {
  customer: ['customers'],
  job: ['projects'],
  estimate: ['estimates'],
  invoice: ['invoices'],
  salesReceipt: ['invoices', 'payments'],
  creditMemo: ['invoices'],
  refundReceipt: ['invoices', 'payments'],
  refund: ['payments'],
  payment: ['payments'],
  returnedPayment: ['payments'],
  statementCharge: ['invoices'],
  writeOff: ['payments'],
  none: [],
}

/** The word of our own files for what a document moves. */
export const MOVES: Partial<Record<DocumentType, string>> = {
  salesReceipt: 'payment',
  refundReceipt: 'refund',
  refund: 'refund',
  payment: 'payment',
  returnedPayment: 'reversal',
  writeOff: 'write_off',
}

/** The words that office software writes for its documents. A source that means another thing by a word says so itself. */
const WORDS: Record<DocumentType, string[]> = {
  customer: ['customer', 'client'],
  job: ['job', 'project'],
  estimate: ['estimate', 'quote', 'proposal', 'sales order'],
  invoice: ['invoice', 'tax invoice', 'sales invoice', 'progress invoice', 'si'],
  salesReceipt: ['sales receipt', 'cash sale', 'point of sale'],
  creditMemo: ['credit memo', 'credit note', 'credmem', 'sales credit', 'sales credit note', 'sc', 'credit'],
  refundReceipt: ['refund receipt', 'cash refund'],
  refund: ['refund', 'customer refund'],
  payment: [
    'payment',
    'receive payment',
    'received payment',
    'customer payment',
    'credit card payment received',
    'payment received',
    'receipt',
    'rcpt',
    'sales receipt of money',
  ],
  returnedPayment: ['returned check', 'returned cheque', 'bounced check', 'nsf', 'chargeback', 'reversal', 'failed'],
  statementCharge: ['statement charge', 'stmtchg', 'stmt chg', 'finance charge', 'fin chg', 'late fee'],
  writeOff: ['write off', 'write-off', 'bad debt'],
  none: [
    ...[
      'bill',
      'bill payment',
      'bill payment (check)',
      'bill payment (credit card)',
      'bill credit',
      'bill pmt -check',
      'bill pmt -ccard',
    ],
    ...[
      'check',
      'cheque',
      'cheque expense',
      'expense',
      'vendor credit',
      'purchase order',
      'cc charge',
      'ccard',
      'ccard refund',
      'item receipt',
    ],
    ...[
      'credit card',
      'credit card charge',
      'credit card credit',
      'credit card expense',
      'credit card payment',
      'cash expense',
      'cash purchase',
    ],
    ...[
      'deposit',
      'transfer',
      'journal',
      'journal entry',
      'general journal',
      'inventory qty adjust',
      'inventory adjustment',
      'inventory starting value',
    ],
    ...[
      'time charge',
      'time activity',
      'charge',
      'delayed charge',
      'delayed credit',
      'payroll check',
      'paycheck',
      'liability check',
      'payroll adjustment',
    ],
    ...[
      'sales tax payment',
      'tax payment',
      'gst payment',
      'build assembly',
      'liability adjust',
      'estimate (non-posting)',
    ],
  ],
}

const TYPES = new Map(
  Object.entries(WORDS).flatMap(([type, words]) =>
    words.flatMap((word) => {
      const found = DOCUMENT_TYPES.find((each) => each === type)
      return found ? [[plain(word), found] as const] : []
    }),
  ),
)

/** Returns the document that a word of office software means; undefined when nobody knows it. */
export const documentOf = (word: string): DocumentType | undefined => TYPES.get(plain(word))

/** Reports whether a document asks for less, not more: its amount is negative however its report writes it. */
export const isCredit = (type: DocumentType): boolean => type === 'creditMemo' || type === 'refundReceipt'
