import type { ResourceName } from '@/lib/core/resource-names'
import { SeenReferences } from '../seen'
import type { Fill, Mapping } from '../sources/mapping'
import type { Table } from '../tables/table'
import type { Notation } from '../values'
import { type Filler, type Filling, filler, indexOf } from './fills'
import { fingerprint } from './fingerprint'
import type { JoinedRecord } from './records'
import { ownersOf } from './survey'

/** A file that was recognized or mapped, and what the whole of it shows. */
export type JoinedFile = { mapping: Mapping; table: Table; notation: Notation }

type Fillers = Partial<Record<ResourceName, Record<string, Filler>>>

/** QuickBooks marks the names of deleted customers so. */
const DELETED = /\s*\(deleted(?: \d+)?\)$/i

/** The longest name, in characters. */
export const MOST_TEXT = 300

/** Which customer, project, invoice and payment a record is or names, by reference; blank where it names none. */
export class Names {
  private readonly fillers: Fillers
  private readonly filling: Filling
  private readonly paymentsSeen = new SeenReferences()

  constructor(
    readonly file: JoinedFile,
    filled = fillersOf(file),
  ) {
    this.fillers = filled
    this.filling = { index: indexOf(file.table.header), notation: file.notation }
  }

  value(resource: ResourceName, field: string, record: JoinedRecord): string {
    return this.fillers[resource]?.[field]?.(record) ?? ''
  }

  customerName(record: JoinedRecord): string {
    const given = this.value('customers', 'name', record)
      .replace(/\s*\n\s*/g, ' ')
      .replace(DELETED, '')
    if (given !== '') return given
    const contact = this.value('customers', 'email', record) || this.value('customers', 'phone', record)
    const id = this.value('customers', 'reference', record)
    return contact || (id && `Customer ${id}`)
  }

  /** Whether a record in a list of customers is a job of one: `Hill, Dana:Kitchen`. */
  isJob(record: JoinedRecord): boolean {
    const name = this.file.mapping.fills.customers?.name
    if (typeof name !== 'object' || !('before' in name)) return false
    return filler({ after: name.before, mark: name.mark }, this.filling)(record) !== ''
  }

  customer(record: JoinedRecord): string {
    const name = this.customerName(record)
    return this.value('customers', 'reference', record) || (name && fingerprint('customer', name))
  }

  invoice = (record: JoinedRecord) => this.value('invoices', 'reference', record)

  /** A job's own id, or the customer and the job's name, or the project that its invoice alone makes. */
  project(record: JoinedRecord): string {
    const id = this.value('projects', 'reference', record)
    if (id !== '') return id
    const name = this.value('projects', 'name', record)
    if (name !== '') return fingerprint('project', this.customer(record), name)
    const invoice = this.owns('invoices', record) ? this.invoice(record) : ''
    return invoice && `invoice ${invoice}`
  }

  projectName(record: JoinedRecord): string {
    const name = this.value('projects', 'name', record).split('\n')[0]?.slice(0, MOST_TEXT) ?? ''
    if (name !== '') return name
    const id = this.value('projects', 'reference', record)
    return id ? `Job ${id}` : `Invoice ${this.invoice(record)}`
  }

  /** A payment's own id, or a fingerprint of it; of equal ones, the second and later are numbered. */
  payment(record: JoinedRecord): string {
    const id = this.value('payments', 'reference', record)
    if (id !== '') return id
    const parts = ['invoice', 'date', 'amount', 'method', 'type', 'externalReference'].map((field) =>
      this.value('payments', field, record),
    )
    for (let n = 1; ; n++) {
      const reference = fingerprint('payment', this.customer(record), ...parts, ...(n > 1 ? [String(n)] : []))
      if (this.paymentsSeen.firstLine(reference, record.line) === undefined) return reference
    }
  }

  owns = (resource: ResourceName, record: JoinedRecord): boolean =>
    ownersOf(this.file.mapping, record).includes(resource)
}

function fillersOf({ mapping, table, notation }: JoinedFile): Fillers {
  const filling = { index: indexOf(table.header), notation }
  const of = (fields: Record<string, Fill>) =>
    Object.fromEntries(Object.entries(fields).map(([field, fill]) => [field, filler(fill, filling)]))
  return Object.fromEntries(Object.entries(mapping.fills).map(([name, fields]) => [name, of(fields)]))
}
