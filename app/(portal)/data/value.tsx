import type { ReactNode } from 'react'
import { Badge, type Tone } from '@/app/ui/badge'
import { Id } from '@/app/ui/id.client'
import type { Column, Sort } from '@/app/ui/table'
import { cleanText } from '@/lib/core/clean'
import { fieldType } from '@/lib/operations/field-type'
import { fieldOfLink, type Resource } from '@/lib/resources/define'
import { resourceCalled } from '@/lib/resources/registry'
import { wordsOf } from './resources'

/** A record as an operation returns it. */
export type Item = Record<string, unknown>

/** Statuses that are good news, or that need action. */
const TONES: Record<string, Tone> = { paid: 'good', completed: 'good', overdue: 'bad' }

const NOT_SHOWN = ['id', 'contractorId']
const AMOUNT = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

const textOf = (value: unknown): string => cleanText(value === undefined || value === null ? '' : String(value))

/** Returns the name of a payment without a reference: "Cash, 2026-11-18". */
const byDay = ({ method, date }: Item): string =>
  method && date ? `${textOf(method).replace(/^./, (first) => first.toUpperCase())}, ${textOf(date).slice(0, 10)}` : ''

/** Returns a record's name, number or reference, else its method and day, or else its id. */
export const nameOf = (item: Item): string =>
  [item.name, item.number, item.reference, byDay(item), item.id].map(textOf).find((text) => text.trim() !== '') ?? ''

const LABELS = ['name', 'number', 'reference']

/** Shows a timestamp at midnight as a day, because such fields hold dates; others to the minute, the time below where it is narrow. */
function Moment({ text }: { text: string }) {
  const [day = '', time = ''] = text.split('T')
  return (
    <span className="tabular-nums">
      <span className="whitespace-nowrap">{day}</span>
      {!time.startsWith('00:00:00.000') && (
        <>
          {' '}
          <span className="whitespace-nowrap">{time.slice(0, 5)} UTC</span>
        </>
      )}
    </span>
  )
}

/** Names of the records that others refer to, by id. */
export type Names = Record<string, string>

const pageOf = (resource: string, id: string) => `/data/${resource}/${encodeURIComponent(id)}`

/** Shows a field's value: amounts with two decimals and their currency, dates in UTC, linked records by name, the rest as text. */
function cellOf(resource: Resource, field: string, item: Item, names: Names): ReactNode {
  const value = item[field]
  if (value === undefined || value === null) return <span className="text-quiet">–</span>
  const schema = resource.output.shape[field]
  const type = schema ? fieldType(schema) : 'string'
  const link = resource.links.find((each) => fieldOfLink(resource, each) === field)
  if (link) return <RecordLink to={resourceCalled(link.to).name} id={textOf(value)} names={names} />
  if (typeof value === 'number') {
    const currency = typeof item.currency === 'string' ? ` ${item.currency}` : ''
    return <span className="whitespace-nowrap">{AMOUNT.format(value) + currency}</span>
  }
  if (type === 'ISO 8601 string') return <Moment text={textOf(value)} />
  if (field === 'status')
    return <Badge tone={TONES[textOf(value)] ?? 'neutral'}>{textOf(value).replaceAll('_', ' ')}</Badge>
  return <span className="line-clamp-2 wrap-anywhere sm:max-w-80">{textOf(value)}</span>
}

/** Links to a related record by its name, or by its id when the name is unknown. */
export function RecordLink({ to, id, names }: { to: string; id: string; names: Names }) {
  const name = names[id]
  if (name === undefined) return <Id id={id} href={pageOf(to, id)} />
  return (
    <a href={pageOf(to, id)} className="line-clamp-2 wrap-anywhere sm:max-w-64">
      {cleanText(name)}
    </a>
  )
}

const fieldsOf = ({ output }: Resource) => Object.keys(output.shape).filter((field) => !NOT_SHOWN.includes(field))

/** The columns that people look for first are on the left. */
const ORDER = ['status', 'amount', 'totalAmount']
const rankOf = (resource: Resource, field: string): number => {
  if (ORDER.includes(field)) return ORDER.indexOf(field)
  if (resource.links.some((link) => fieldOfLink(resource, link) === field)) return ORDER.length
  return field === 'updatedAt' ? ORDER.length + 2 : ORDER.length + 1
}

/**
 * Returns the width of a field's column: enough for an amount with its currency, a day, a name, or two lines of text. The widest lists,
 * invoices and estimates, fit a window of 1,280 px.
 */
function widthOf(resource: Resource, field: string): NonNullable<Column<Item>['width']> {
  const schema = resource.output.shape[field]
  const type = schema ? fieldType(schema) : 'string'
  if (field === 'updatedAt') return 'sm:w-26'
  if (field === 'email') return 'sm:w-60'
  if (field === 'phone') return 'sm:w-40'
  if (field === 'status') return 'sm:w-28'
  if (type === 'ISO 8601 string') return 'sm:w-24'
  if (type === 'number') return 'sm:w-33'
  return field === 'projectId' ? 'sm:w-35' : 'sm:w-32'
}

/**
 * Returns a resource's public fields as columns: the name as a link to the record's page, then status, amounts and linked records; the
 * id last.
 * @param sort how the list is sorted by last change, if it can be sorted
 * @param around the kind of record on whose page the list is; its own column is left out
 */
export function columnsOf(
  resource: Resource,
  names: Names,
  { sort, around }: { sort?: Sort; around?: string } = {},
): Column<Item>[] {
  const known = resource.links.filter(({ to }) => to === around).map((link) => fieldOfLink(resource, link))
  const rest = fieldsOf(resource)
    .filter((field) => ![...LABELS, 'currency', 'createdAt', ...known].includes(field))
    .toSorted((a, b) => rankOf(resource, a) - rankOf(resource, b))
  return [
    {
      name: 'name',
      width: 'name' in resource.output.shape ? 'sm:w-52' : 'sm:w-32',
      head: wordsOf(resource.singular),
      cell: (item) => (
        <a href={pageOf(resource.name, textOf(item.id))} className="line-clamp-2 wrap-anywhere">
          {nameOf(item)}
        </a>
      ),
    },
    ...rest.map(
      (field): Column<Item> => ({
        name: field,
        width: widthOf(resource, field),
        head: field === 'updatedAt' ? 'Updated' : wordsOf(field),
        end: resource.output.shape[field] !== undefined && fieldType(resource.output.shape[field]) === 'number',
        cell: (item) => cellOf(resource, field, item, names),
        ...(field === 'updatedAt' && { sort }),
      }),
    ),
    { name: 'id', width: 'sm:w-13', head: 'ID', cell: (item) => <Id id={textOf(item.id)} isBrief /> },
  ]
}

/** Returns a record's public fields with their values, in the order of the API. */
export const factsOf = (resource: Resource, item: Item, names: Names): [string, ReactNode][] =>
  fieldsOf(resource).map((field) => [wordsOf(field), cellOf(resource, field, item, names)])
