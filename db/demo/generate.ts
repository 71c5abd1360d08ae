/**
 * Generates the demonstration data: the CSV files that two contractors would export from their office software. Run it with `node
 * --import tsx db/demo/generate.ts`; the same seed writes the same bytes.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeInvoices } from './generator/billing'
import { makeCustomers, type Plan } from './generator/books'
import { isoDate, usDate } from './generator/dates'
import { ELECTRIC } from './generator/electric'
import { makeEstimates } from './generator/estimates'
import { type Examples, makeExamples } from './generator/examples'
import { CUMBERLAND_SUPPLIERS, LAKESHORE_SUPPLIERS, makeMaterials, type Suppliers } from './generator/materials'
import { makePayments } from './generator/payments'
import { makePermits } from './generator/permits'
import { MADISON, NASHVILLE } from './generator/places'
import { makeProjectMaterials } from './generator/project-materials'
import { makeProjects } from './generator/projects'
import { Random } from './generator/random'
import { ROOFING } from './generator/roofing'
import { DEMO_LEADS } from './story/leads'

/** The format of one office program's files. `unpriced` is the amount it writes for a lead. */
type Dialect = {
  date(days: number): string
  money(cents: number): string
  newline: string
  bom: string
  unpriced: string
}

const plainMoney = (cents: number) =>
  `${cents < 0 ? '-' : ''}${Math.floor(Math.abs(cents) / 100)}.${String(Math.abs(cents) % 100).padStart(2, '0')}`
const dollars = (cents: number) => {
  const [whole, part] = plainMoney(Math.abs(cents)).split('.')
  const text = `$${Number(whole).toLocaleString('en-US')}.${part}`
  return cents < 0 ? `(${text})` : text
}

const US: Dialect = { date: usDate, money: dollars, newline: '\n', bom: '', unpriced: '' }
const ISO: Dialect = { date: isoDate, money: plainMoney, newline: '\r\n', bom: '\ufeff', unpriced: '0.00' }

const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

function write(folder: string, file: string, dialect: Dialect, header: string, rows: string[][]): void {
  const lines = [header, ...rows.map((cells) => cells.map(quoted).join(','))]
  writeFileSync(join(folder, file), dialect.bom + lines.map((line) => line + dialect.newline).join(''))
}

const NO_EXAMPLES: Examples = { customers: [], projects: [], invoices: [], payments: [], estimates: [] }

/** Generates the files; `examples` come after the random records, so that these stay the same with and without them. */
function generate(slug: string, plan: Plan, dialect: Dialect, examples = NO_EXAMPLES): void {
  const random = new Random(plan.seed)
  const made = makeCustomers(random, plan)
  const madeProjects = makeProjects(random, plan, made)
  const madeInvoices = makeInvoices(random, plan, madeProjects)
  const customers = [...made, ...examples.customers]
  const projects = [...madeProjects, ...examples.projects]
  const invoices = [...madeInvoices, ...examples.invoices]
  const payments = [...makePayments(random, madeInvoices), ...examples.payments]
  const folder = join(dirname(fileURLToPath(import.meta.url)), slug)
  const { date, money } = dialect
  const dateOr = (days: number | undefined) => (days === undefined ? '' : date(days))
  mkdirSync(folder, { recursive: true })
  write(
    folder,
    'customers.csv',
    dialect,
    'Customer ID,Name,Email,Phone,Address,City,State,ZIP,Created',
    customers.map((c) => [c.id, c.name, c.email, c.phone, c.address, c.city, c.state, c.zip, date(c.created)]),
  )
  write(
    folder,
    'projects.csv',
    dialect,
    'Project ID,Customer ID,Name,Status,Total Amount,Address,City,State,ZIP,Description,Start Date,End Date,Created',
    projects.map((p) => [
      p.id,
      p.customer.id,
      p.name,
      p.status,
      p.status === 'lead' ? dialect.unpriced : money(p.total),
      p.address,
      p.city,
      p.state,
      p.zip,
      p.description,
      dateOr(p.start),
      dateOr(p.end),
      date(p.created),
    ]),
  )
  write(
    folder,
    'invoices.csv',
    dialect,
    'Invoice Number,Project ID,Amount,Currency,Date,Due Date,Paid Date,Created',
    invoices.map((i) => [
      i.number,
      i.project.id,
      money(i.amount),
      'USD',
      date(i.date),
      date(i.due),
      dateOr(i.paid),
      date(i.created),
    ]),
  )
  write(
    folder,
    'payments.csv',
    dialect,
    'Payment ID,Project ID,Invoice Number,Amount,Currency,Date,Method,Reference,Type',
    payments.map((p) => [
      p.id,
      p.project.id,
      p.invoice?.number ?? '',
      money(p.amount),
      'USD',
      date(p.date),
      p.method,
      p.reference,
      p.type,
    ]),
  )
  // Uses its own random source, so that the other files do not change.
  const estimates = [...makeEstimates(new Random(plan.seed + 1), madeProjects), ...examples.estimates]
  write(
    folder,
    'estimates.csv',
    dialect,
    'Estimate Number,Customer ID,Project ID,Amount,Currency,Date,Valid Until,Status,Created',
    estimates.map((e) => [
      e.number,
      e.customer.id,
      e.project?.id ?? '',
      money(e.amount),
      'USD',
      date(e.date),
      dateOr(e.validUntil),
      e.status,
      date(e.date),
    ]),
  )
  const listed = makeProjectMaterials(projects)
  if (listed.length > 0)
    write(
      folder,
      'project-materials.csv',
      dialect,
      'Project ID,Item,Quantity,Unit',
      listed.map((m) => [m.project, m.item, String(m.quantity), m.unit]),
    )
  const counts = [`${customers.length} customers`, `${projects.length} projects`, `${invoices.length} invoices`]
  console.log(`${slug}: ${counts.join(', ')}, ${payments.length} transactions, ${estimates.length} estimates`)
}

/** Writes the price book. Uses its own seed, so that the other files do not change. */
function generatePrices(slug: string, suppliers: Suppliers, dialect: Dialect): void {
  const prices = makeMaterials(suppliers)
  write(
    join(dirname(fileURLToPath(import.meta.url)), slug),
    'materials.csv',
    dialect,
    'Item,Name,Trade,Unit,Unit Cost,Currency,Supplier,Date,Region',
    prices.map((p) => [
      p.item,
      p.name,
      p.trade,
      p.unit,
      dialect.money(p.cents),
      'USD',
      p.supplier,
      dialect.date(p.date),
      p.region,
    ]),
  )
  console.log(`${slug}: ${prices.length} prices`)
}

/** The number of a lead that a customer has as well, so that the demonstration shows a possible match. */
const OF_BOTH = '615-555-0173'

/** The phone numbers of a contractor's leads and of the examples, as ten digits. */
function numbersOf(slug: string): string[] {
  const bodies = (DEMO_LEADS[slug] ?? []).map(({ body }) =>
    body instanceof URLSearchParams ? body.toString() : JSON.stringify(body),
  )
  const numbers = bodies.join(' ').match(/\d{3}-555-01\d\d/g) ?? []
  return [...numbers.filter((number) => number !== OF_BOTH), ...makeExamples().customers.map(({ phone }) => phone)].map(
    (number) => number.replace(/\D/g, ''),
  )
}

generate(
  'cumberland-roofing',
  {
    area: NASHVILLE,
    trade: ROOFING,
    seed: 608269,
    customers: 316,
    returns: 52,
    plans: 22,
    financed: 26,
    others: numbersOf('cumberland-roofing'),
  },
  US,
  makeExamples(),
)
generate(
  'lakeshore-electric',
  {
    area: MADISON,
    trade: ELECTRIC,
    seed: 608262,
    customers: 62,
    returns: 28,
    plans: 6,
    financed: 5,
    others: numbersOf('lakeshore-electric'),
  },
  ISO,
)
generatePrices('cumberland-roofing', CUMBERLAND_SUPPLIERS, US)
generatePrices('lakeshore-electric', LAKESHORE_SUPPLIERS, ISO)

/** Writes the permit history of a fictional town, in BLDS columns. */
function generatePermits(): void {
  const folder = join(dirname(fileURLToPath(import.meta.url)), 'permits')
  const permits = makePermits(new Random(608275))
  const dateOr = (days: number | undefined) => (days === undefined ? '' : isoDate(days))
  mkdirSync(folder, { recursive: true })
  write(
    folder,
    'us-zz-demonstration.csv',
    ISO,
    'PermitNum,Description,AppliedDate,IssuedDate,CompletedDate,StatusCurrent,StatusCurrentMapped,OriginalAddress1,OriginalCity,OriginalState,OriginalZip,PermitClass,PermitClassMapped,PermitType,PermitTypeMapped,WorkClass,EstProjectCost,ContractorCompanyName,Latitude,Longitude',
    permits.map((p) => [
      p.number,
      p.description,
      isoDate(p.applied),
      dateOr(p.issued),
      dateOr(p.completed),
      p.status,
      p.statusMapped,
      p.address,
      'Sampleton',
      'ZZ',
      '00000',
      p.permitClass,
      p.classMapped,
      p.type,
      p.typeMapped,
      p.workClass,
      `${p.dollars}.00`,
      p.company,
      p.latitude,
      p.longitude,
    ]),
  )
  console.log(`permits: ${permits.length}`)
}

generatePermits()
