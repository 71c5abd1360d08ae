import type { PgColumn } from 'drizzle-orm/pg-core'

/** The form a cell must have; lib/load/columns.ts reads it. */
export type Cell =
  | 'reference'
  | 'email'
  | 'phone'
  | 'money'
  /** An amount, zero or more. */
  | 'sum'
  | 'moment'
  | 'day'
  | 'currency'
  | 'state'
  | 'zip'
  /** A text up to a length. */
  | { text: number }
  /** A value of these, each also known by other words. */
  | { oneOf: Record<string, string[]> }
  /** The same, where a word that nobody knows is noted and counts as blank. */
  | { oneOfOrNone: Record<string, string[]>; noneIs?: string }

/** A column of a resource's CSV file. The documented header stands first; all are matched without case, spaces and punctuation. */
export type CsvColumn = {
  field: string
  headers: [string, ...string[]]
  /** The file must have it, and each row a value. */
  required?: true
  /** The field whose column this one reads too. */
  alsoOf?: string
  cell: Cell
  /** The column of the table that the cell fills as it is. */
  column?: PgColumn
  /** The cell is the reference of a loaded record of this resource, and the column gets that record's id. */
  names?: 'customer' | 'project'
  /** The value of a new record where the cell is blank or missing. */
  blank?: string
}

/** The file that a contractor's office software exports of a resource. Of the fields in `oneOf` it must have at least one. */
export type CsvFile = {
  file: string
  columns: [CsvColumn, ...CsvColumn[]]
  oneOf?: string[]
}

type Headers = CsvColumn['headers']

/** The headers by which files name the customer and the project that a row is for. */
export const CUSTOMER_HEADERS: Headers = ['Customer ID', 'Customer Number', 'Client ID']
export const PROJECT_HEADERS: Headers = ['Project ID', 'Project Number', 'Job ID', 'Job Number']
export const INVOICE_HEADERS: Headers = ['Invoice Number', 'Invoice ID', 'Invoice']

/** The maximum cell length. */
export const LONGEST_TEXT = 10_000

type AddressColumns = Record<'address' | 'city' | 'state' | 'zip', PgColumn>

/** The parts of an address. */
export const addressColumns = ({ address, city, state, zip }: AddressColumns): CsvColumn[] => [
  { field: 'address', headers: ['Address', 'Street', 'Street Address'], cell: { text: 300 }, column: address },
  { field: 'city', headers: ['City', 'Town'], cell: { text: 100 }, column: city },
  { field: 'state', headers: ['State'], cell: 'state', column: state },
  { field: 'zip', headers: ['ZIP', 'Zip Code', 'Postal Code'], cell: 'zip', column: zip },
]

/** The time the record was created: the moment of the load where the file does not say it. */
export const CREATED: CsvColumn = {
  field: 'createdAt',
  headers: ['Created', 'Created At', 'Date Created'],
  cell: 'moment',
}
