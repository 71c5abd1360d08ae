import { sentence } from '@/app/ui/data-column'
import type { BarField } from '@/app/ui/filter-bar'
import { inWords, type ResourceName } from '@/lib/core/resource-names'
import type { Resource } from '@/lib/resources/define'
import { deskOf } from '@/lib/resources/desk'
import { resources } from '@/lib/resources/registry'
import { methodOf, type RecordColumn, textOf } from './columns'

/** A list of records as an office reads it. The first column names the record. */
export type RecordList = {
  name: ResourceName
  columns: readonly RecordColumn[]
  /** The hint of the search box. */
  hint: string
  /** The order where no other is asked for. */
  order: string
  fields?: BarField[]
  moreFields?: BarField[]
  /** A list that belongs to it and has no place in the navigation. */
  beside?: { name: string; href: string }
  /** A tab that is no status. */
  ownTab?: { name: string; field: string; value: string }
}

const UPDATED: RecordColumn = {
  name: 'updatedAt',
  head: 'Updated',
  kind: 'moment',
  sort: 'updated',
  isExtra: true,
  rank: 2,
}
const ID: RecordColumn = { name: 'id', head: 'ID', kind: 'text', isExtra: true, rank: 2 }
const EXTRAS = [UPDATED, ID]
const CUSTOMER: RecordColumn = { name: 'customerId', head: 'Customer', kind: 'text', of: 'customer', sort: 'customer' }
const PROJECT: RecordColumn = {
  name: 'projectId',
  head: 'Project',
  kind: 'text',
  of: 'project',
  rank: 3,
  narrow: 'none',
}
const STATUS: RecordColumn = { name: 'status', head: 'Status', kind: 'status', sort: 'status' }
const AMOUNT: RecordColumn = { name: 'amount', head: 'Amount', kind: 'money', sort: 'amount' }

const DAYS: BarField[] = [
  { name: 'from', label: 'From', kind: 'day' },
  { name: 'to', label: 'To', kind: 'day' },
]
const LEAST: BarField = { name: 'minAmount', label: 'Amount at least', kind: 'amount' }

/** The lists of which an office sees more than {@link recordList} makes of the definition. */
const OWN: Partial<Record<ResourceName, RecordList>> = {
  customers: {
    name: 'customers',
    hint: 'Name, phone, email or street',
    order: 'customer',
    columns: [
      { name: 'name', head: 'Name', kind: 'text', sort: 'customer' },
      { name: 'phone', head: 'Phone', kind: 'phone' },
      { name: 'email', head: 'Email', kind: 'email', rank: 2 },
      { name: 'city', head: 'City', kind: 'text', rank: 3, narrow: 'none' },
      { name: 'unpaid', head: 'Owes', kind: 'money' },
      { name: 'overdue', head: 'Overdue', kind: 'money', rank: 2 },
      ...EXTRAS,
    ],
  },
  projects: {
    name: 'projects',
    hint: 'Name, customer, street or job number',
    order: '-updated',
    moreFields: [
      { name: 'startFrom', label: 'Starts from', kind: 'day' },
      { name: 'startTo', label: 'Starts to', kind: 'day' },
      { name: 'completedFrom', label: 'Completed from', kind: 'day' },
      { name: 'completedTo', label: 'Completed to', kind: 'day' },
      { name: 'source', label: 'Lead source', kind: 'text' },
      LEAST,
    ],
    columns: [
      { name: 'name', head: 'Name', kind: 'text', sort: 'name' },
      CUSTOMER,
      { name: 'jobNumber', head: 'Job', kind: 'text', isShort: true, rank: 3, narrow: 'none', shows: jobOf },
      { name: 'startDate', head: 'Starts', kind: 'day', rank: 3, narrow: 'none' },
      { name: 'endDate', head: 'Ends', kind: 'day', rank: 2, narrow: 'none' },
      // A lead has no contract sum yet.
      { ...AMOUNT, name: 'totalAmount', head: 'Contract', shows: contractOf },
      { name: 'unpaid', head: 'Owes', kind: 'money', rank: 2, narrow: 'none' },
      STATUS,
      ...EXTRAS,
    ],
  },
  invoices: {
    name: 'invoices',
    hint: 'Number, customer or project',
    order: '-date',
    fields: DAYS,
    moreFields: [
      { name: 'dueFrom', label: 'Due from', kind: 'day' },
      { name: 'dueTo', label: 'Due to', kind: 'day' },
      LEAST,
    ],
    ownTab: { name: 'Unpaid', field: 'unpaid', value: 'true' },
    columns: [
      { name: 'number', head: 'Number', kind: 'text', isShort: true, sort: 'number' },
      CUSTOMER,
      PROJECT,
      { name: 'date', head: 'Date', kind: 'day', rank: 3, narrow: 'none', sort: 'date' },
      { ...AMOUNT, rank: 2 },
      { name: 'unpaid', head: 'Balance due', kind: 'money', sort: 'balance' },
      { name: 'dueDate', head: 'Due', kind: 'day', rank: 2, sort: 'due' },
      { name: 'daysLate', head: 'Days late', kind: 'count', rank: 3 },
      STATUS,
      { name: 'balance', head: 'Open', kind: 'money', isExtra: true, rank: 2 },
      ...EXTRAS,
    ],
  },
  payments: {
    name: 'payments',
    hint: 'Reference, customer or project',
    beside: { name: 'Refunds and credits', href: '/transactions' },
    order: '-date',
    fields: DAYS,
    moreFields: [LEAST],
    columns: [
      { name: 'reference', head: 'Reference', kind: 'text', isShort: true, sort: 'number', shows: referenceOf },
      CUSTOMER,
      PROJECT,
      {
        name: 'invoiceNumber',
        head: 'Invoice',
        kind: 'text',
        isShort: true,
        leads: { field: 'invoiceId', of: 'invoice' },
        rank: 2,
      },
      { name: 'method', head: 'Method', kind: 'text', isShort: true, shows: methodOf, sort: 'method' },
      { name: 'date', head: 'Date', kind: 'day', sort: 'date' },
      AMOUNT,
      ...EXTRAS,
    ],
  },
}

/** Fields by which a record is called. */
const NAMING = ['name', 'number', 'reference']

/** Fields that have a column of their own, or none. */
const SAID_OTHERWISE = /^(?:id|.+Id|currency|status|createdAt|updatedAt)$/

/** Makes the list of a resource: what it is called, whom it is for, its days, amounts and status. */
function listFrom(resource: Resource): RecordList {
  const { columns, filters, name, sorts, source } = resource
  const naming = NAMING.find((field) => field in columns) ?? 'id'
  const told = source.columns.filter(({ field }) => !SAID_OTHERWISE.test(field) && field !== naming)
  const of = (kind: string) => told.flatMap((column) => (column.kind === kind ? column.field : []))
  const headOf = (field: string) => sentence(field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`))
  const sorted = (field: string) => (field in sorts ? { sort: field } : {})
  return {
    name,
    hint: [headOf(naming), ...resource.links.map(({ to }) => to)].join(', ').replace(/, (\w+)$/, ' or $1'),
    order: 'date' in sorts ? '-date' : '-updated',
    ...('from' in filters && { fields: DAYS }),
    ...('minAmount' in filters && { moreFields: [LEAST] }),
    columns: [
      { name: naming, head: headOf(naming), kind: 'text', isShort: true, ...(naming === 'number' && { sort: naming }) },
      ...('customerId' in columns ? [CUSTOMER] : []),
      ...('projectId' in columns ? [PROJECT] : []),
      ...of('instant').map(
        (field): RecordColumn => ({
          name: field,
          head: headOf(field),
          kind: 'day',
          rank: field === 'date' ? 2 : 3,
          ...sorted(field),
        }),
      ),
      ...of('text').map((field): RecordColumn => ({ name: field, head: headOf(field), kind: 'text', rank: 3 })),
      ...of('number').map((field): RecordColumn => ({ ...AMOUNT, name: field, head: headOf(field), ...sorted(field) })),
      ...('status' in columns ? [STATUS] : []),
      ...EXTRAS,
    ],
  }
}

/** Returns the list of a resource. */
export const recordList = (name: ResourceName): RecordList => OWN[name] ?? listFrom(resources[name])

/** The method stands in a column of its own, so it does not stand in for a reference. */
function referenceOf(item: Record<string, unknown>): string {
  return textOf(item, 'reference') ?? 'No reference'
}

function jobOf({ jobNumber }: Record<string, unknown>): string | undefined {
  return typeof jobNumber === 'number' ? String(jobNumber) : undefined
}

function contractOf({ status, totalAmount }: Record<string, unknown>): number | undefined {
  if (typeof totalAmount !== 'number') return undefined
  return status === 'lead' && totalAmount === 0 ? undefined : totalAmount
}

export const singularOf = ({ name }: RecordList): string => resources[name].singular

/** Returns what several of a list are called. */
export const pluralOf = ({ name }: RecordList): string => inWords(name)

/** Returns the statuses that are tabs of a list. */
export const statusesOf = ({ name }: RecordList): readonly string[] => deskOf(resources[name]).statuses

/** Reports whether a list can be put in an order: one without an index only while what is found is little enough to be sorted. */
export const canSort = ({ name }: RecordList, { sort = '' }: RecordColumn, isLittle: boolean): boolean =>
  isLittle || deskOf(resources[name]).sorts[sort]?.walk !== 'none'

/** Returns the sums of a list, by the column that they stand under. */
export const summedBy = (sums: Record<string, unknown>, columns: readonly RecordColumn[]): Record<string, number> =>
  Object.fromEntries(
    columns.flatMap(({ name, sort }) => {
      const sum = sums[name] ?? (sort === 'amount' ? sums.amount : undefined)
      return typeof sum === 'number' ? [[name, sum] as const] : []
    }),
  )
