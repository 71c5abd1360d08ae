import type { ResourceName } from '@/lib/core/resource-names'
import type { DocumentType } from '../documents'

/**
 * The origin of a field's text: a header, or several headers with a rule. Headers are matched without case, spaces and punctuation. Cells
 * are then read by the field's type: a date in the file's order, an amount in its notation, the first of several phones.
 */
export type Fill =
  | string
  /** The cells that are not blank, with a space between. */
  | { join: string[] }
  /** The first that is not blank, otherwise a text. */
  | { first: string[]; otherwise?: string }
  /** The first of these that is not blank. */
  | { firstOf: Fill[] }
  /** The text before the first `mark`; all of it where there is none. */
  | { before: string; mark: string }
  /** The text after the first `mark`; blank where there is none. */
  | { after: string; mark: string }
  /** A part of an address that is in one cell. */
  | { address: string[]; part: 'street' | 'city' | 'state' | 'zip' }
  /** An amount without its sign. */
  | { absolute: string }
  /** An amount less another: what is open of a total and what was paid of it. */
  | { subtract: [total: string, part: string] }
  /** The heading of the group that the row stands under. */
  | { heading: true }
  /** The same text for every row. */
  | { text: string }

/** The fields that a table fills of each resource, by their names in `lib/resources`: `reference`, `customer`, `amount` and so on. */
export type Fills = Partial<Record<ResourceName, Record<string, Fill>>>

/**
 * The mapping of a table with other columns to our records: each of our fields is filled from the table's headers. It is plain data (JSON),
 * and there is one type for what this software knows of a vendor's export and for what a person chose for a file of their own.
 *
 * What it leaves out is filled by rule. A customer without `reference` is known by its name. Records name their customer by
 * `customers.reference` or `customers.name` of the same row, so `projects.customer` is never given. Invoices without a project get one
 * each, or the one that `projects` describes. Payments without an invoice are matched by customer, amount and date. A payment without
 * `reference` gets a fingerprint.
 */
export type Mapping = {
  /** The software that writes such files, as its users call it: `Jobber`. */
  source: string
  /** The name of the file there: `Invoices`. */
  file: string
  fills: Fills
  /** Resources that the table only mentions: their records are created where they are missing, and never changed by it. */
  mentions?: ResourceName[]
  /** The document of each row, by the words of a column: those that every source shares, and those of this one before them. */
  types?: {
    column: string
    words?: Partial<Record<DocumentType, string[]>>
    /** A payment has a minus in this report; the other sign is a payment that came back. */
    paymentsNegative?: true
  }
  /** The words of a job's status by which it has been billed; a job with another status makes no invoice. */
  billedWhen?: { column: string; is: readonly string[] }
  /** The column whose word says that a document without an amount was voided. */
  voidedIn?: string
  /** What an invoice's number tells apart: all invoices of the source, those of one customer, or those of one job. */
  numbers?: 'ofSource' | 'ofCustomer' | 'ofJob'
  /** True when the amounts of its lines leave out tax: they never change what another file states as the total. */
  withoutTax?: true
  /** True of a report that leaves out what is settled. */
  openOnly?: true
  /** True of a report that has all money that moved beside the invoices; others have what came in with an invoice only. */
  hasAllMoney?: true
  /** Cells that mean blank, such as `-`. */
  blanks?: string[]
  /** True when rows with only a first cell name what the rows below them belong to. Otherwise they are footers. */
  grouped?: true
  /** The column that the report's own totals row adds up; with `always`, a file without that row was cut. */
  totals?: { column: string; always?: true }
  /** The rule by which several rows, one after the other, are one record: those with the same cell in `key`. */
  lines?: Lines
  /** The order of a date's numbers where no date of the file shows it; `ask` refuses such a file with the way to say it. */
  dates?: 'mdy' | 'dmy' | 'ask'
  /** The decimal mark of amounts, where no amount of the file shows it. */
  decimals?: '.' | ','
}

/**
 * Rows of one record. `sum` is added up and is the record's amount; or the record repeats its `total`, and lines, with `tax` or without,
 * must add up to it to the cent; quantity and price, `priced`, stand for a blank amount. With neither, the first row counts.
 */
export type Lines = {
  key: string
  sum?: string
  total?: string
  amount?: string
  tax?: string
  priced?: [quantity: string, price: string]
}

/** A mapping of a vendor's file, with the headers that such a file always has, and one of `public/samples` to download and try. */
export type SourceFile = Mapping & { header: string[]; sample: string }
