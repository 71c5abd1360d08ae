import { createHash } from 'node:crypto'
import { linesOf, oneLine, withoutMark } from '@/lib/core/text'

/** Returns a name as it is compared: without case and repeated spaces. */
export const plainText = (text: string) => oneLine(text.normalize('NFKC').toLowerCase())

/**
 * The id of what a file gives none for: the first 20 hexadecimal digits of the SHA-256 of its kind and what tells it apart, without case
 * and repeated spaces. The same words in the next file are the same record; other words are another one.
 */
export const fingerprint = (kind: string, ...parts: string[]): string =>
  `${kind}-${createHash('sha256')
    .update(JSON.stringify([kind, ...parts.map(plainText)]))
    .digest('hex')
    .slice(0, 20)}`

/** Returns a name without the mark that QuickBooks puts behind the names of deleted customers. */
export const withoutDeleted = (name: string): string => withoutMark(name, /\(deleted(?: \d{1,9})?\)$/i)

/** Returns a customer's name in a cell, which may have it over several lines. */
export const nameIn = (cell: string): string => withoutDeleted(linesOf(cell).join(' '))

/** The reference of the project that an invoice makes by itself. */
export const projectOfInvoice = (invoice: string): string => `invoice ${invoice}`

/** The reference of an invoice by its source and number, among those of the customer or job where the source numbers so. */
export const invoiceReference = (source: string, number: string, owner = ''): string =>
  fingerprint('invoice', source, number, ...(owner === '' ? [] : [owner]))
