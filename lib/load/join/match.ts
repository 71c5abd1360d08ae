import { resources } from '@/lib/resources/registry'
import { type BatchContext, MOST_UNISSUED, type WriteBatch } from '../batches/batch'
import { writePayments } from '../batches/payments'
import { plainWriter } from '../batches/plain'
import { fingerprint } from '../identity'
import type { Row } from '../rows'

const writeProjects = plainWriter(resources.projects)

/** The project that holds a customer's payments for which no invoice is known. */
export const accountOf = (customer: string) => fingerprint('account', customer)

/** Notes why a payment is unapplied, where that is known, and puts it into its customer's account. */
function leaveUnapplied({ verdicts }: BatchContext, row: Row, why?: string): void {
  if (why !== undefined) verdicts.note(row, 'invoice', `${why}; the payment is unapplied`)
  row.values.invoice = null
  row.values.project = accountOf(row.values.customer ?? '')
}

/** Returns the number that stands for an invoice whose customer is not named. */
const numberIn = (invoice: string): string | undefined =>
  invoice.startsWith('number:') ? invoice.slice('number:'.length).replaceAll('\u00a0', ' ') : undefined

/** Takes away the invoices that are not stored, or are several: such a payment is unapplied, until it is allocated to those it names. */
async function checkInvoices(context: BatchContext, batch: Row[]): Promise<void> {
  const { books, unissued, named } = context
  const asked = batch.map((row) => [row, (row.values.invoice ?? '').split(' ').filter(Boolean)] as const)
  const numbers = asked.flatMap(([, invoices]) => invoices.flatMap((each) => numberIn(each) ?? []))
  const numbered = await books.invoicesByNumber([...new Set(numbers)])
  const wanted = new Map(
    asked.map(([row, invoices]) => [row, invoices.map((each) => numbered.get(numberIn(each) ?? '') ?? each)]),
  )
  const known = await books.invoices([...new Set([...wanted.values()].flat())])
  for (const row of batch) {
    const invoices = wanted.get(row) ?? []
    const there = invoices.filter((invoice) => known.has(invoice) && !unissued.has(invoice))
    const [only] = there
    if (only && invoices.length === 1) row.values.invoice = only
    else if (invoices.length > 0 && row.values.customer)
      leaveUnapplied(context, row, whyUnapplied(row, invoices, there, named))
  }
}

/** Keeps the invoices that a payment is for, where they are several; otherwise returns why it is unapplied. */
function whyUnapplied(row: Row, invoices: string[], there: string[], named: Map<string, string[]>): string | undefined {
  const { reference } = row.values
  if (invoices.length === 1) return 'the invoice it is for is not loaded'
  if (there.length === 0) return 'the invoices it is for are not loaded'
  if (reference && named.size < MOST_UNISSUED) named.set(reference, there)
  return undefined
}

const byMoment = (a: Row, b: Row) =>
  (a.values.date ?? '').localeCompare(b.values.date ?? '') ||
  (a.values.reference ?? '').localeCompare(b.values.reference ?? '')

/** Matches payments that name neither an invoice nor a project: the oldest first, each invoice once. */
async function match(context: BatchContext, open: Row[]): Promise<void> {
  const asked = open.flatMap(({ values: { customer, amount, date, reference } }) =>
    customer && amount && date && reference ? [{ customer, amount, date, reference }] : [],
  )
  const { found, isFinal } = await context.books.candidates(asked)
  const taken = new Set<string>()
  for (const row of [...open].sort(byMoment)) {
    const fits = found.filter(({ payment, invoice }) => payment === row.values.reference && !taken.has(invoice))
    const [only] = fits
    if (only && fits.length === 1) {
      taken.add(only.invoice)
      row.values.invoice = only.invoice
      row.values.project = null
    } else if (!isFinal) leaveUnapplied(context, row)
    else leaveUnapplied(context, row)
  }
}

/** Creates the accounts and projects that rows name and that are not stored yet. */
async function createAccounts(context: BatchContext, batch: Row[]): Promise<void> {
  const { books } = context
  const accounts = new Map(
    batch.flatMap(({ values: { customer, project } }) =>
      customer && project === accountOf(customer) ? [[project, customer] as const] : [],
    ),
  )
  const { byReference } = await books.projects({ projects: [...accounts.keys()], invoices: [] })
  const users = await books.customers([...accounts.values()])
  const rows = [...accounts].flatMap(([reference, customer]): Row[] =>
    byReference.has(reference) || !users.has(customer)
      ? []
      : [
          {
            line: 0,
            faults: [],
            malformed: false,
            values: { reference, customer, name: 'Payments without an invoice', status: 'completed' },
          },
        ],
  )
  if (rows.length > 0) await writeProjects({ ...context, fields: [] }, rows)
}

type Named = Pick<Row['values'], 'invoice' | 'project'>

/**
 * Returns the writer of payments of a file that was joined: those that name no invoice, or one that is not stored, are matched by customer,
 * amount and date; where none or several fit they are unapplied, and the report says so.
 */
export function matchedWriter(): WriteBatch {
  // A retry finds the rows as they came.
  const given = new WeakMap<Row, Named>()
  return async (context, batch) => {
    const sound = batch.filter(({ faults }) => faults.length === 0)
    for (const row of sound) {
      const { invoice = null, project = null } = given.get(row) ?? row.values
      given.set(row, { invoice, project })
      Object.assign(row.values, { invoice, project })
    }
    await checkInvoices(context, sound)
    await match(
      context,
      sound.filter(
        ({ values: { invoice, project, customer, type } }) =>
          !invoice && !project && customer && (type ?? 'payment_received') === 'payment_received',
      ),
    )
    for (const row of sound)
      if (!row.values.invoice && !row.values.project && row.values.customer) leaveUnapplied(context, row)
    await createAccounts(context, sound)
    return await writePayments({ ...context, fields: [...new Set([...context.fields, 'invoice', 'project'])] }, sound)
  }
}
