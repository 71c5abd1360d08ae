import { parsePhone } from '@/lib/core/contact'
import type { ResourceName } from '@/lib/core/resource-names'
import { dayIn, parseExportedDate } from '@/lib/core/time'
import { resources } from '@/lib/resources/registry'
import { type Column, type FileKind, plain, type Read } from '../columns'
import { columnOf } from '../kinds'
import { type Row, readRow } from '../rows'
import { SeenReferences } from '../seen'
import { headersOf } from '../sources/headers'
import { currencyIn, type Notation, plainAmount, plainDate } from '../values'
import { indexOf } from './fills'
import type { JoinedFile } from './joined-file'
import { MOST_TEXT, Names } from './names'
import { type JoinedRecord, recordsOf } from './records'

/** Converts a cell to what the reader of its type takes. */
function converter(resource: ResourceName, field: string, notation: Notation): (text: string) => string {
  const cell = resources[resource].csv.columns.find((column) => column.field === field)?.cell
  if (cell === 'moment' || cell === 'day')
    return (text) => {
      const date = plainDate(text, notation)
      return cell === 'day' ? dayOfText(date, notation.zone) : date
    }
  if (cell === 'money' || cell === 'sum') return (text) => plainAmount(text, notation.decimals)
  if (cell === 'email') return (text) => text.split(/[,;\s]+/).find(Boolean) ?? ''
  if (cell === 'phone') return (text) => phoneIn(text, notation.country)
  if (field === 'name' && resource === 'customers') return (text) => text.slice(0, MOST_TEXT)
  return (text) => text
}

/** A day or a moment as the office's day. */
function dayOfText(text: string, zone: string): string {
  const moment = text.length > 10 ? parseExportedDate(text) : undefined
  return moment ? dayIn(zone, moment) : text.slice(0, 10)
}

/** The first of several phones in a cell, with its country: `Phone:(615) 555-0101 Mobile:(615) 555-0102`. */
function phoneIn(text: string, country: string | undefined): string {
  const parts = text.slice(0, 500).split(/[;\n]|, ?(?=[^\d\s])| (?=[A-Za-z]{1,20}:)/)
  const first = (parts.find((part) => /\d/.test(part)) ?? '').replace(/^[A-Za-z ]+:/, '').trim()
  if (first === '' || country === undefined || country === 'US') return first
  return parsePhone(first, country) ?? first
}

/** What is no address of an email does not refuse a vendor's record: it counts as blank, and is noted. A word was asked for before. */
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

/** The currency of a column, or the one that stands beside an amount or in its header. */
const currencyBeside =
  (resource: ResourceName) =>
  (names: Names, record: JoinedRecord): string =>
    names.value(resource, 'currency', record) ||
    (currencyIn(names.value(resource, 'amount', record), names.file.notation.country) ??
      names.currencyOf(resource) ??
      '')

/** The fields that rule fills of a resource without rules of its own. */
const ofAny = (resource: ResourceName): Rules => ({
  customer: (names, record) => names.customer(record),
  project: (names, record) => names.project(record),
  number: (names, record) => names.value(resource, 'reference', record),
  currency: currencyBeside(resource),
})

/** The fields that rule fills, by resource. */
const RULES: Partial<Record<ResourceName, Rules>> = {
  customers: {
    reference: (names, record) => names.customer(record),
    name: (names, record) => names.customerName(record),
    id: (names, record) => names.customerId(record),
  },
  projects: {
    reference: (names, record) => names.project(record),
    customer: (names, record) => names.customer(record),
    name: (names, record) => names.projectName(record),
    // What is billed or paid is a job in progress, and its total is what the invoice says.
    status: (names, record) =>
      names.status('projects', record) ||
      (names.owns('invoices', record) || names.owns('payments', record) ? 'in progress' : ''),
    totalAmount: (names, record) =>
      names.value('projects', 'totalAmount', record) || (names.makesProject(record) ? names.amount(record) : ''),
  },
  invoices: {
    reference: (names, record) => names.invoice(record),
    number: (names, record) => names.number(record),
    project: (names, record) => names.project(record),
    amount: (names, record) => names.amount(record),
    balance: (names, record) => names.balance(record),
    currency: currencyBeside('invoices'),
    dueDate: (names, record) => names.dueDate(record),
    status: (names, record) =>
      !names.isBilled(record)
        ? 'void'
        : names.isPaymentNotKnown
          ? 'payment not known'
          : names.isWrittenOff(record)
            ? ''
            : names.status('invoices', record),
  },
  payments: {
    reference: (names, record) => names.payment(record),
    customer: (names, record) => names.customer(record),
    project: (names, record) => (names.invoiceOfPayment(record) ? '' : names.project(record)),
    invoice: (names, record) => names.invoiceOfPayment(record),
    type: (names, record) => names.move(record),
    amount: (names, record) => names.moved(record),
    date: (names, record) => names.movedOn(record),
    currency: currencyBeside('payments'),
  },
}

/** The customer that a payment names: it is not stored with it, but finds its invoice. */
export const CUSTOMER: Column = { field: 'customer', headers: ['Customer'], read: (value) => ({ value }) }

/** The id that a customer's own file gives, where others name customers only. */
const CUSTOMER_ID: Column = { field: 'id', headers: ['ID'], read: (value) => ({ value }) }

/** Returns the columns that are read of a resource: those of its file, and what only exports say. */
function columnsOf(file: JoinedFile, kind: FileKind, resource: ResourceName, fields: readonly string[]): Column[] {
  const columns: Column[] = kind.columns
    .filter(({ field }) => fields.includes(field))
    .map((column) => lenient(resource, column))
  if (resource === 'payments') columns.push(CUSTOMER)
  if (resource === 'customers' && file.mapping.fills.customers?.id !== undefined) columns.push(CUSTOMER_ID)
  return columns
}

export type Part = 'own' | 'mentioned'

/** Reports whether a record is a row of this part of a resource. */
function belongs(names: Names, resource: ResourceName, part: Part, record: JoinedRecord): boolean {
  const { mapping } = names.file
  const isDetail = mapping.withoutTax === true && resource === 'invoices'
  if (part === 'own') {
    // A job that is not billed takes back the invoice that it had.
    const isOwn = names.owns(resource, record) || (resource === 'invoices' && mapping.billedWhen !== undefined)
    return !isDetail && isOwn && !(resource === 'customers' && names.isJob(record))
  }
  if (isDetail) return names.owns(resource, record)
  if (!mapping.mentions?.includes(resource) || names.owns(resource, record)) return false
  if (!names.isIssued(record) || !names.isWhole(record)) return false
  return names.owners(record).length > 0 && names[resource === 'customers' ? 'customer' : 'project'](record) !== ''
}

/** Adds to a row why its record cannot be used, and what is to be said of it. */
function addRemarks(row: Row, file: string, { line, fault, note }: JoinedRecord): void {
  const remark = (reason: string) => ({ file, line, field: null, value: null, reason })
  if (fault !== undefined) row.faults = [remark(fault)]
  if (note !== undefined) row.notes = [...(row.notes ?? []), remark(note)]
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
  const names = new Names(file, columnOf)
  const fields = fieldsOf(file, resource, part)
  const columns = columnsOf(file, kind, resource, fields)
  const rules = RULES[resource] ?? ofAny(resource)
  const fills = columns.map(({ field }) => {
    const convert = converter(resource, field, file.notation)
    const rule = rules[field]
    return (record: JoinedRecord) => convert(rule ? rule(names, record) : names.value(resource, field, record))
  })
  const layout = { columns: columns.map((column) => [column]), fields: columns.map(({ field }) => field), ignored: [] }
  const seen = new SeenReferences()
  const own = { ...kind, file: file.table.name }
  for await (const record of recordsOf(file)) {
    if (!belongs(names, resource, part, record)) continue
    const cells = fills.map((fill) => fill(record))
    const row = readRow(own, layout, { ...record, cells, stray: false })
    addRemarks(row, own.file, record)
    // What is no claim needs no more than its number: a draft has no date yet.
    if (resource === 'invoices' && record.fault === undefined && !(names.isIssued(record) && names.isBilled(record)))
      row.faults = row.faults.filter(({ field }) => field === kind.columns[0].headers[0])
    if (part === 'mentioned') {
      const { reference } = row.values
      if (!reference || record.fault !== undefined || seen.firstLine(reference, record.line) !== undefined) continue
      row.faults = row.faults.filter(({ field }) => field === kind.columns[0].headers[0])
    }
    yield row
  }
}

/** The fields that rule fills of every record, whatever columns its file has. */
const ALWAYS = ['reference', 'customer', 'name', 'number', 'project', 'currency', 'invoice']

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
  const made = resource === 'payments' && (mapping.types || !mapping.fills.payments) ? ['type', 'amount', 'date'] : []
  const unknown = resource === 'invoices' && mapping.billedWhen ? ['status'] : []
  const due = resource === 'invoices' && mapping.fills.invoices?.terms !== undefined ? ['dueDate'] : []
  const ruled = Object.keys(
    RULES[resource] ?? (mapping.fills.projects ? ofAny(resource) : { customer: true, number: true, currency: true }),
  ).filter((field) => part === 'mentioned' || ALWAYS.includes(field))
  return [...new Set([...ruled, ...made, ...due, ...unknown, ...fills.map(([field]) => field)])]
}

const requiredOf = (resource: ResourceName) => ({
  required: new Set(resources[resource].csv.columns.flatMap(({ field, required }) => (required ? [field] : []))),
})
