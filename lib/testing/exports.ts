/** Files as office software exports them, from rows whose cells stand between bars: `13/02/2026 | Invoice | 7`. */

const quoted = (cell: string) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
const cellsOf = (row: string) => row.split('|').map((cell) => cell.trim())

/** A comma-separated file of a header and rows. */
export const sheet = (header: string, ...rows: string[]): string =>
  [header, ...rows].map((row) => `${cellsOf(row).map(quoted).join(',')}\n`).join('')

/** QuickBooks Online, Invoice List by Date: date, type, number, name, due date, amount, open balance. */
export const qboInvoices = (...rows: string[]): string =>
  sheet('Date | Transaction type | Num | Name | Due date | Amount | Open balance', ...rows)

/** QuickBooks Online, Transaction List by Date: date, type, number, name, memo, amount. */
export const qboTransactions = (...rows: string[]): string =>
  sheet(
    'Date | Transaction type | Num | Posting (Y/N) | Name | Memo | Account name | Split | Amount',
    ...rows.map((row) => {
      const [date, type, number, name, memo, amount] = cellsOf(row)
      return [date, type, number, 'Y', name, memo, 'Accounts Receivable', 'Sales', amount].join(' | ')
    }),
  )

const XERO =
  'ContactName | EmailAddress | POAddressLine1 | POCity | PORegion | POPostalCode | InvoiceNumber | Reference | InvoiceDate | DueDate | Total | TaxTotal | InvoiceAmountPaid | InvoiceAmountDue | Description | Quantity | UnitAmount | LineAmount | TaxAmount | Currency | Type | Sent | Status'

/** Xero, Sales invoices in dollars: contact, number, date, due date, total, paid, due, type, status; then the amount and tax of the line. */
export const xeroInvoices = (...rows: string[]): string => xeroIn('USD', ...rows)

/** The same in another currency. */
export const xeroIn = (currency: string, ...rows: string[]): string =>
  sheet(
    XERO,
    ...rows.map((row) => {
      const [contact, number, date, due, total, paid, open, type, status, line = total, tax = '0.00'] = cellsOf(row)
      const head = [contact, '', '', '', '', '', number, '', date, due, total, '0.00', paid, open]
      return [...head, 'Work', '1', line, line, tax, currency, type, 'Sent', status].join(' | ')
    }),
  )

/** Jobber, Invoices: number, client, issued, due, jobs, status, total, balance. */
export const jobberInvoices = (...rows: string[]): string =>
  sheet('Invoice # | Client name | Issued date | Due date | Job #s | Status | Total ($) | Balance ($)', ...rows)

/** Buildertrend, Owner invoices: job, number, title, status, deadline, day of payment, price, paid; the last row has the totals. */
export const buildertrendInvoices = (...rows: string[]): string =>
  `Owner Invoices,,,,,,,\n,,,,,,,\n${sheet('Job | ID# | Title | Status | Deadline | Date Paid | Total Price | Amount Paid', ...rows)}`

/** Housecall Pro, Jobs: number, status, customer, created, scheduled, amount, due. */
export const housecallJobs = (...rows: string[]): string =>
  sheet(
    'Job # | Job description | Job status | Customer name | Address | Job created date | Job scheduled start date | Job amount | Due amount',
    ...rows.map((row) => {
      const [number, status, customer, created, scheduled, amount, due] = cellsOf(row)
      return [number, 'Work', status, customer, '', created, scheduled, amount, due].join(' | ')
    }),
  )

/** Our own files: one customer with a project P1 and what is given of invoices and payments. */
export const ownFiles = (name: string, files: Record<string, string>): Record<string, string> => ({
  'customers.csv': `Customer ID,Name\nK1,${name}\n`,
  'projects.csv': 'Project ID,Customer ID,Name\nP1,K1,Porch\n',
  ...files,
})
