import { FileProblem } from '../fault'
import type { Fill, Fills, Mapping } from '../sources/mapping'
import { findTarget, MAPPED, type Mapped, type Target } from './fields'
import type { Assigned, StoredMapping } from './propose'

type Named = { column: string; target: Target }

/** The fields a file must have so that its rows are of a resource; of each group one is enough. */
const NEEDED: Record<Mapped, string[][]> = {
  customers: [['customers.name', 'customers.lastName', 'customers.firstName', 'customers.email', 'customers.phone']],
  projects: [
    ['projects.reference', 'projects.name'],
    ['customers.name', 'customers.lastName', 'customers.reference'],
  ],
  estimates: [
    ['estimates.reference'],
    ['estimates.amount'],
    ['estimates.date'],
    ['customers.name', 'customers.lastName', 'customers.reference'],
  ],
  invoices: [
    ['invoices.reference'],
    ['invoices.amount'],
    ['invoices.date'],
    ['customers.name', 'customers.lastName', 'customers.reference'],
  ],
  payments: [['payments.amount'], ['payments.date'], ['customers.name', 'customers.lastName', 'customers.reference']],
}

/** Papers of which a row is one. */
const PAPERS: readonly Mapped[] = ['estimates', 'invoices', 'payments']

/** Returns what the rows are: the last resource in this order that a column fills. */
const subjectOf = (named: Named[]): Mapped | undefined =>
  MAPPED.findLast((resource) => named.some(({ target }) => target.resource === resource))

/** @throws FileProblem when two columns fill a field that takes one, or the rows cannot be told */
function requireSound(named: Named[], subject: Mapped): void {
  for (const { column, target } of named) {
    const first = named.find((each) => each.target.field === target.field)
    if (first && first.column !== column && !target.several)
      throw new FileProblem(
        `The columns ${first.column} and ${column} both fill ${target.field}. Choose one, and leave the other out.`,
      )
    if (PAPERS.includes(target.resource) && target.resource !== subject)
      throw new FileProblem(
        `${column} fills ${target.field}, and other columns fill ${subject}: a row is an estimate, an invoice or a payment. Choose fields of one of them.`,
      )
  }
  const missing = NEEDED[subject].filter(
    (group) => !group.some((field) => named.some(({ target }) => target.field === field)),
  )
  if (missing.length === 0) return
  const wanted = missing.map((group) => (group.length === 1 ? group[0] : `one of ${group.join(', ')}`)).join('; and ')
  throw new FileProblem(
    `Its rows are ${subject}, and no column fills ${wanted}. Choose a column for it, or leave out the columns that fill ${subject}.`,
  )
}

/** The parts of an address in one cell, for those parts that have no column of their own. */
function placeFills(columns: string[], fields: Record<string, Fill>): Record<string, Fill> {
  const parts = { address: 'street', city: 'city', state: 'state', zip: 'zip' } as const
  return Object.fromEntries(
    Object.entries(parts).flatMap(([field, part]) => (field in fields ? [] : [[field, { address: columns, part }]])),
  )
}

/** Returns what fills the fields of a resource. */
function fillsOf(named: Named[], resource: Mapped): Record<string, Fill> {
  const columnsOf = (name: string) =>
    named.filter(({ target }) => target.resource === resource && target.name === name).map(({ column }) => column)
  const fields: Record<string, Fill> = {}
  for (const { target } of named) {
    if (target.resource !== resource || ['firstName', 'lastName', 'wholeAddress', 'paid'].includes(target.name))
      continue
    const columns = columnsOf(target.name)
    const [only = ''] = columns
    fields[target.name] =
      columns.length === 1 ? only : target.several === 'join' ? { join: columns } : { first: columns }
  }
  const parts = [...columnsOf('firstName'), ...columnsOf('lastName')]
  if (parts.length > 0) fields.name = fields.name ? { firstOf: [fields.name, { join: parts }] } : { join: parts }
  const whole = columnsOf('wholeAddress')
  if (whole.length > 0) Object.assign(fields, placeFills(whole, fields))
  const [paid] = columnsOf('paid')
  const [total] = columnsOf('amount')
  if (resource === 'invoices' && paid !== undefined && total !== undefined)
    fields.balance ??= { subtract: [total, paid] }
  return fields
}

/**
 * Makes a mapping of what each column fills. The rows are of the last of customers, projects, estimates, invoices and payments that a column fills;
 * those before are mentioned by them.
 * @throws FileProblem when the columns do not make records
 */
export function mappingFrom({ columns, dates }: StoredMapping): Mapping {
  const named = columns.flatMap(({ column, field }): Named[] => {
    const target = field === null ? undefined : findTarget(field)
    return target ? [{ column, target }] : []
  })
  const subject = subjectOf(named)
  if (!subject) throw new FileProblem('No column fills a field. Choose a field for at least one.')
  requireSound(named, subject)
  const fills: Fills = {}
  for (const resource of MAPPED) {
    const fields = fillsOf(named, resource)
    if (Object.keys(fields).length > 0) fills[resource] = fields
  }
  const mentions =
    subject === 'customers'
      ? []
      : subject === 'projects'
        ? ['customers' as const]
        : ['customers' as const, 'projects' as const]
  const amount = PAPERS.includes(subject) ? fills[subject]?.amount : undefined
  const totals = typeof amount === 'string' ? { totals: { column: amount } } : {}
  return { source: 'Mapped', file: subject, fills, mentions, blanks: ['-'], dates: dates ?? 'ask', ...totals }
}

/** Reports whether columns make records. */
export function isSound(columns: Assigned[]): boolean {
  try {
    return mappingFrom({ columns }) !== undefined
  } catch (error) {
    if (error instanceof FileProblem) return false
    throw error
  }
}

/** Returns what each column fills, as sentences. */
export const assignments = (columns: readonly Assigned[]): string[] =>
  columns.flatMap(({ column, field }) => (field === null ? [] : [`${column} fills ${field}.`]))
