import { eq, type SQL, sql } from 'drizzle-orm'
import { type Database, rows } from '@/db/client'
import { findContractor } from '@/db/queries/contractors'
import { countWithoutProject } from '@/db/queries/load'
import { contractors } from '@/db/schema'
import { dayIn } from '@/lib/core/time'
import { loadFolder } from '@/lib/load/load'
import type { LoadOptions, LoadReport } from '@/lib/load/report'
import { RESOURCES } from '@/lib/resources/registry'
import { inFolder, type SampleRow, sampleFile } from './folder'
import { call, makeTenant } from './tenant'

/** The office whose files are loaded. */
export type Office = { country: string; timezone: string; currency: string }

export const US: Office = { country: 'US', timezone: 'America/New_York', currency: 'USD' }
export const CHICAGO: Office = { ...US, timezone: 'America/Chicago' }
export const CANADA: Office = { country: 'CA', timezone: 'America/Toronto', currency: 'CAD' }
export const BRITAIN: Office = { country: 'GB', timezone: 'Europe/London', currency: 'GBP' }
export const GERMANY: Office = { country: 'DE', timezone: 'Europe/Berlin', currency: 'EUR' }
export const FRANCE: Office = { country: 'FR', timezone: 'Europe/Paris', currency: 'EUR' }
export const AUSTRALIA: Office = { country: 'AU', timezone: 'Australia/Sydney', currency: 'AUD' }

export type Files = Record<string, string | Uint8Array>

/**
 * The books as whoever signs them looks at them, in lines that a test compares: an invoice is
 * `7 Hill 100 2026-02-03 due 2026-03-05 open 60`, a payment `Hill 40 2026-02-10`. Both name a currency that is not the office's own.
 */
export type Books = {
  customers: string[]
  phones: string[]
  projects: number
  invoices: string[]
  payments: string[]
  receivable: number
  unapplied: number
  back: number
}

type Money = { amount: number; currency: string; customerId: string; date: string }
type Listed = { id: string } & Money & { number?: string | null; dueDate?: string | null }
type Customer = { id: string; name: string; phone?: string | null }

const SCOPES = ['read:customers', 'read:projects', 'read:invoices', 'read:payments'] as const

const cents = (amount: number) => Math.round(amount * 100) / 100

/** Follows a list to its end. */
async function all<Item>(page: (token: string | undefined) => Promise<{ items: Item[]; nextPageToken?: string }>) {
  const items: Item[] = []
  for (let token: string | undefined; ; ) {
    const answer = await page(token)
    items.push(...answer.items)
    token = answer.nextPageToken ?? undefined
    if (!token) return items
  }
}

/** Reads what a contractor's lists and reports say. */
async function readBooks(db: Database, contractorId: string, key: string, office: Office): Promise<Books> {
  const list = <Item>(resource: string) =>
    all<Item>(async (token) => {
      const query = new URLSearchParams({ limit: '100', ...(token && { pageToken: token }) })
      return (await call(`/api/v1/${resource}?${query}`, { key })).body
    })
  const tool = async (name: string, input: object) => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }
    const headers = { 'content-type': 'application/json' }
    const { body, text } = await call('/mcp/rpc', { key, method: 'POST', headers, body: JSON.stringify(message) })
    if (!body?.result?.structuredContent) throw new Error(`${name}: ${text.slice(0, 300)}`)
    return body.result.structuredContent
  }
  const customers = await list<Customer>('customers')
  const projects = await list('projects')
  const invoices = await list<Listed>('invoices')
  const payments = await list<Listed>('payments')
  const unpaid = await all<{ id: string; unpaid: number }>((token) =>
    tool('list_invoices', token ? { pageToken: token } : {}),
  )
  const open = new Map(unpaid.map((each) => [each.id, Number(each.unpaid)]))
  const { total } = await tool('get_receivables_aging', {})
  const { total: cash } = await tool('get_cash_flow', { from: '2024-01-01' })
  const nameOf = new Map(customers.map(({ id, name }) => [id, name]))
  const day = (moment: string) => (/T00:00:00(\.0+)?Z$/.test(moment) ? moment.slice(0, 10) : dayOf(moment, office))
  const money = ({ amount, currency, customerId, date }: Money) =>
    [nameOf.get(customerId), amount, ...(currency === office.currency ? [] : [currency]), day(date)].join(' ')
  const invoiceLine = (each: Listed) => {
    const due = each.dueDate ? `due ${day(each.dueDate)}` : 'due never'
    return `${each.number} ${money(each)} ${due} open ${open.get(each.id)}`
  }
  const alone = await countWithoutProject(db.orm, contractorId)
  return {
    customers: [...customers.map(({ name }) => name).sort(), ...Array.from({ length: alone }, () => '(no project)')],
    phones: customers.flatMap(({ phone }) => phone ?? []).sort(),
    projects: projects.length,
    invoices: invoices.map(invoiceLine).sort(),
    payments: payments.map(money).sort(),
    receivable: cents(Number(total.unpaid) + Number(total.retainage) + Number(total.future)),
    unapplied: Number(total.unapplied),
    back: cents(Number(cash.refunded) + Number(cash.reversed)),
  }
}

const dayOf = (moment: string, { timezone }: Office) =>
  /^\d{4}-\d\d-\d\d$/.test(moment) ? moment : dayIn(timezone, new Date(moment))

/** Makes an office without books; `load` loads files and says what the books then are. */
export async function makeOffice(db: Database, office: Office) {
  const { contractor, key } = await makeTenant(db)
  await db.orm.update(contractors).set(office).where(eq(contractors.id, contractor.id))
  const { text } = await key(SCOPES)
  return {
    contractor,
    /** Changes the stored records as something other than a load would. */
    change: (statement: (contractorId: string) => SQL) => db.orm.execute(statement(contractor.id)),
    load: async (files: Files, options: LoadOptions = {}): Promise<{ report: LoadReport; books: Books }> => {
      const fresh = await findContractor(db.orm, contractor.id)
      if (!fresh) throw new Error('the contractor was just made')
      const report = await inFolder(files, (folder) => loadFolder(db, fresh, folder, options))
      return { report, books: await readBooks(db, contractor.id, text, office) }
    },
  }
}

/** Loads files into the empty books of an office, one folder after another; returns the last report and the books. */
export async function importBooks(db: Database, office: Office, folders: Files | Files[], options: LoadOptions = {}) {
  const { load } = await makeOffice(db, office)
  const [first = {}, ...then] = [folders].flat()
  let last = await load(first, options)
  for (const files of then) last = await load(files, options)
  return last
}

/** The books of an office that has loaded nothing. */
export const NO_BOOKS: Books = {
  customers: [],
  phones: [],
  projects: 0,
  invoices: [],
  payments: [],
  receivable: 0,
  unapplied: 0,
  back: 0,
}

/** The records of a contractor that loads write, without the times at which they were written. */
const BOOKS = [...RESOURCES.map(({ source }) => source.table), 'material_prices', 'project_materials']

/** Returns a contractor's books as they can be compared: everything but when it was written here. */
export async function booksOf(db: Database, contractorId: string): Promise<Record<string, unknown[]>> {
  const books: Record<string, unknown[]> = {}
  for (const table of BOOKS)
    books[table] = (
      await rows<{ row: unknown }>(
        db.orm,
        sql`select to_jsonb(t) - array['updated_at', 'stated_at'] as row from ${sql.identifier(table)} t where contractor_id = ${contractorId} order by id`,
      )
    ).map(({ row }) => row)
  return books
}

/** The files of a month of the resources that have no rows of their own in it. */
const others = (rows: SampleRow[]) =>
  Object.fromEntries(RESOURCES.map((resource) => [resource.csv.file, sampleFile(resource, rows)]))

/** Folders of a contractor's month: what was loaded, and what a later month changes of it in every way there is. */
export const FIRST_MONTH = {
  ...others([{ reference: 'R1', customer: 'C1', project: 'P1', amount: '10' }]),
  'customers.csv': 'Customer ID,Name,Email\nC1,Ana,ana@example.com\nC2,Ben,\nC3,Cy,\n',
  'projects.csv': 'Project ID,Customer ID,Name,Total Amount\nP1,C1,Roof,100\nP2,C2,Deck,200\nP3,C2,Shed,5\n',
  'invoices.csv':
    'Invoice Number,Project ID,Amount,Date,Due Date,Status\nI1,P1,100.00,2026-01-05,,\nI2,P2,50.10,2026-01-06,,\nI3,P2,7,2026-02-01,,\nI4,P1,9,2026-02-01,,\n',
  'payments.csv':
    'Payment ID,Invoice Number,Project ID,Amount,Date,Type\nT1,I1,P1,40,2026-01-09,\nT2,I2,P2,50.10,2026-01-10,\nT3,I3,P2,3,2026-02-10,\nT4,,P2,2,2026-02-10,refund\n',
  'estimates.csv': 'Estimate Number,Customer ID,Project ID,Amount,Date,Status\nE1,C1,P1,10,2026-01-01,sent\n',
  'materials.csv': 'Item,Name,Unit,Unit Cost,Date\nnail,Nails,box,4.50,2026-01-01\n',
  'project-materials.csv': 'Project ID,Item,Quantity\nP1,nail,3\n',
}
export const SECOND_MONTH = {
  ...others([
    { reference: 'R1', customer: 'C3', project: 'P1', amount: '12.50' },
    { reference: 'R2', customer: 'C4', project: 'P4', amount: '5' },
  ]),
  'customers.csv': 'Customer ID,Name,Email\nC1,Ana Belle,ana@example.com\nC2,Ben,\nC3,Cy,\nC4,Di,\nC5,,x\n',
  'projects.csv':
    'Project ID,Customer ID,Name,Total Amount\nP1,C3,Roof,150\nP2,C2,Deck,200\nP4,C4,Barn,10\nP5,C9,Lost,1\nP6,C1,No,many\n',
  'invoices.csv':
    'Invoice Number,Project ID,Amount,Date,Due Date,Status\nI1,P1,110.00,2026-01-05,,\nI2,P2,50.10,2026-01-06,,\nI3,P2,7,2026-02-01,,void\nI5,P4,20,2026-03-01,,\nI6,P5,1,2026-03-01,,\nI5,P1,3,2026-03-01,,\n',
  'payments.csv':
    'Payment ID,Invoice Number,Project ID,Amount,Date,Type\nT1,I1,P1,45,2026-01-09,\nT2,I2,P2,50.10,2026-02-10,\nT3,I3,P2,3,2026-02-10,\nT5,I5,,20,2026-03-09,\nT6,I5,P1,20,2026-03-09,\nT7,I9,,1,2026-03-09,\n',
  'estimates.csv':
    'Estimate Number,Customer ID,Project ID,Amount,Date,Status\nE1,C3,P1,10,2026-01-01,accepted\nE2,C4,P4,5,2026-03-01,\n',
  'materials.csv': 'Item,Name,Unit,Unit Cost,Date\nnail,Nails,box,4.75,2026-01-01\n',
  'project-materials.csv': 'Project ID,Item,Quantity\nP1,nail,4\nP4,nail,1\n',
}
