import { resources } from '@/lib/resources/registry'
import { type BatchContext, referencesOf, type WriteBatch } from '../batches/batch'
import { writePayments } from '../batches/payments'
import { plainWriter } from '../batches/plain'
import type { Row } from '../rows'
import { fingerprint } from './fingerprint'

const writeProjects = plainWriter(resources.projects)

/** The project that holds a customer's payments for which no invoice is known. */
export const accountOf = (customer: string) => fingerprint('account', customer)

/** Notes why a payment is unapplied, where that is known, and puts it into its customer's account. */
function leaveUnapplied({ verdicts }: BatchContext, row: Row, why?: string): void {
  if (why !== undefined) verdicts.note(row, 'invoice', `${why}; the payment is unapplied`)
  row.values.invoice = null
  row.values.project = accountOf(row.values.customer ?? '')
}

/** Takes away the invoices that are not stored, or are several: such a payment is unapplied. */
async function checkInvoices(context: BatchContext, batch: Row[]): Promise<void> {
  const { books, unissued } = context
  const known = await books.invoices(referencesOf(batch, 'invoice'))
  for (const row of batch) {
    const { invoice, customer } = row.values
    if (!invoice || (known.has(invoice) && !unissued.has(invoice)) || !customer) continue
    const several = /[,;]/.test(invoice)
    leaveUnapplied(
      context,
      row,
      several ? `it is for several invoices (${invoice})` : `invoice ${invoice} is not loaded`,
    )
  }
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
    else if (only)
      leaveUnapplied(context, row, `${fits.length} invoices fit it (${fits.map(({ invoice }) => invoice).join(', ')})`)
    else leaveUnapplied(context, row, 'no invoice of this customer has its amount')
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
      sound.filter(({ values: { invoice, project, customer } }) => !invoice && !project && customer),
    )
    await createAccounts(context, sound)
    return await writePayments({ ...context, fields: [...new Set([...context.fields, 'invoice', 'project'])] }, sound)
  }
}
