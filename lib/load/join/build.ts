import type { ResourceName } from '@/lib/core/resource-names'
import { resources } from '@/lib/resources/registry'
import { type Column, type FileKind, plain, type Read } from '../columns'
import { type Row, readRow } from '../rows'
import { SeenReferences } from '../seen'
import { headersOf } from '../sources/headers'
import { type Notation, plainAmount, plainDate } from '../values'
import { indexOf } from './fills'
import { type JoinedFile, MOST_TEXT, Names } from './names'
import { type JoinedRecord, recordsOf } from './records'
import { ownersOf } from './survey'

/** Converts a cell to what the reader of its type takes. */
function converter(resource: ResourceName, field: string, notation: Notation): (text: string) => string {
  const cell = resources[resource].csv.columns.find((column) => column.field === field)?.cell
  if (cell === 'moment' || cell === 'day')
    return (text) => {
      const date = plainDate(text, notation.dates)
      return cell === 'day' ? date.slice(0, 10) : date
    }
  if (cell === 'money' || cell === 'sum') return (text) => plainAmount(text, notation.decimals)
  if (cell === 'email') return (text) => text.split(/[,;\s]+/).find(Boolean) ?? ''
  if (cell === 'phone')
    return (text) =>
      (text.split(/[;\n]|,(?=\s*\D)/).find((part) => /\d/.test(part)) ?? '').replace(/^[A-Za-z ]+:/, '').trim()
  if (field === 'name' && resource === 'customers') return (text) => text.slice(0, MOST_TEXT)
  return (text) => text
}

/** A word that nobody knows, or what is no address of an email, does not refuse a vendor's record: it counts as blank, and is noted. */
export function lenient(resource: ResourceName, column: Column): Column {
  const cell = resources[resource].csv.columns.find(({ field }) => field === column.field)?.cell
  if (cell !== 'email' && !(typeof cell === 'object' && 'oneOf' in cell)) return column
  const read = (text: string): Read => {
    const known = column.read(text)
    return 'reason' in known ? { value: null, note: `${known.reason}; it counts as blank` } : known
  }
  return { ...column, read }
}

type Rules = Record<string, (names: Names, record: JoinedRecord) => string>

/** The fields that rule fills of a resource without rules of its own. */
const OF_ANY: Rules = {
  customer: (names, record) => names.customer(record),
  project: (names, record) => names.project(record),
}

/** The fields that rule fills, by resource. */
const RULES: Partial<Record<ResourceName, Rules>> = {
  customers: {
    reference: (names, record) => names.customer(record),
    name: (names, record) => names.customerName(record),
  },
  projects: {
    reference: (names, record) => names.project(record),
    customer: (names, record) => names.customer(record),
    name: (names, record) => names.projectName(record),
    // What is billed or paid is a job in progress, and its total is what the invoice says.
    status: (names, record) =>
      names.value('projects', 'status', record) ||
      (names.owns('invoices', record) || names.owns('payments', record) ? 'in progress' : ''),
    totalAmount: (names, record) =>
      names.value('projects', 'totalAmount', record) ||
      (names.project(record).startsWith('invoice ') ? names.value('invoices', 'amount', record) : ''),
  },
  invoices: { project: (names, record) => names.project(record) },
  payments: {
    reference: (names, record) => names.payment(record),
    customer: (names, record) => names.customer(record),
    project: (names, record) => (names.value('payments', 'invoice', record) ? '' : names.project(record)),
  },
}

/** The customer that a payment names: it is not stored with it, but finds its invoice. */
export const CUSTOMER: Column = { field: 'customer', headers: ['Customer'], read: (value) => ({ value }) }

export type Part = 'own' | 'mentioned'

/** Whether a record is a row of this part of a resource. */
function belongs(names: Names, resource: ResourceName, part: Part, record: JoinedRecord): boolean {
  const { mapping } = names.file
  if (part === 'own') return names.owns(resource, record) && !(resource === 'customers' && names.isJob(record))
  if (!mapping.mentions?.includes(resource) || names.owns(resource, record)) return false
  return ownersOf(mapping, record).length > 0 && names[resource === 'customers' ? 'customer' : 'project'](record) !== ''
}

/**
 * Gives the rows of a resource that a file has, or that it only mentions: of these each once, and without the cells that cannot be read,
 * which a record of their own is refused for.
 */
export async function* rowsOf(
  file: JoinedFile,
  kind: FileKind,
  resource: ResourceName,
  part: Part,
): AsyncGenerator<Row> {
  const names = new Names(file)
  const fields = fieldsOf(file, resource, part)
  const columns: Column[] = kind.columns
    .filter(({ field }) => fields.includes(field))
    .map((column) => lenient(resource, column))
  if (resource === 'payments') columns.push(CUSTOMER)
  const rules = RULES[resource] ?? OF_ANY
  const fills = columns.map(({ field }) => {
    const convert = converter(resource, field, file.notation)
    const rule = rules[field]
    return (record: JoinedRecord) => convert(rule ? rule(names, record) : names.value(resource, field, record))
  })
  const layout = { columns: columns.map((column) => [column]), fields: columns.map(({ field }) => field), ignored: [] }
  const seen = new SeenReferences()
  const own = { ...kind, file: file.table.name }
  for await (const record of recordsOf(file.mapping, file.table, file.notation)) {
    if (!belongs(names, resource, part, record)) continue
    const cells = fills.map((fill) => fill(record))
    const row = readRow(own, layout, { ...record, cells, stray: false })
    if (record.fault !== undefined)
      row.faults = [{ file: own.file, line: record.line, field: null, value: null, reason: record.fault }]
    if (part === 'mentioned') {
      const { reference } = row.values
      if (!reference || record.fault !== undefined || seen.firstLine(reference, record.line) !== undefined) continue
      row.faults = row.faults.filter(({ field }) => field === kind.columns[0].headers[0])
    }
    yield row
  }
}

/** The fields that rule fills of every record, whatever columns its file has. */
const ALWAYS = ['reference', 'customer', 'name', 'project']

/**
 * The fields that a file fills of a resource, by its columns and by rule. A column that the file does not have leaves what is stored; of
 * records that are only mentioned, all fields are filled as they are created.
 */
export function fieldsOf({ mapping, table }: JoinedFile, resource: ResourceName, part: Part = 'own'): string[] {
  const index = indexOf(table.header)
  const { required } = requiredOf(resource)
  const fills = Object.entries(mapping.fills[resource] ?? {}).filter(([field, fill]) => {
    const headers = headersOf(fill)
    return required.has(field) || headers.length === 0 || headers.some((header) => index.has(plain(header)))
  })
  const ruled = Object.keys(RULES[resource] ?? (mapping.fills.projects ? OF_ANY : { customer: true })).filter(
    (field) => part === 'mentioned' || ALWAYS.includes(field),
  )
  return [...new Set([...ruled, ...fills.map(([field]) => field)])]
}

const requiredOf = (resource: ResourceName) => ({
  required: new Set(resources[resource].csv.columns.flatMap(({ field, required }) => (required ? [field] : []))),
})
