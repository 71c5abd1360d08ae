import type { ReactNode } from 'react'
import { Badge } from '@/app/ui/badge'
import { Id } from '@/app/ui/id.client'
import type { Column, Sort } from '@/app/ui/table'
import { cleanText } from '@/lib/core/clean'
import { fieldType } from '@/lib/operations/field-type'
import { fieldOfLink, type Resource } from '@/lib/resources/define'
import { resourceCalled } from '@/lib/resources/registry'
import { wordsOf } from './resources'

/** A record as an operation returns it. */
export type Item = Record<string, unknown>

const NOT_SHOWN = ['id', 'contractorId']
const AMOUNT = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

const textOf = (value: unknown): string => cleanText(value === undefined || value === null ? '' : String(value))

/** What a payment without a reference is called: "Cash, 2026-11-18". */
const byDay = ({ method, date }: Item): string =>
  method && date ? `${textOf(method).replace(/^./, (first) => first.toUpperCase())}, ${textOf(date).slice(0, 10)}` : ''

/** Returns a record's name, number or reference, else its method and day, or else its id. */
export const nameOf = (item: Item): string =>
  [item.name, item.number, item.reference, byDay(item), item.id].map(textOf).find((text) => text.trim() !== '') ?? ''

const LABELS = ['name', 'number', 'reference']

/** Shows a timestamp at midnight as a day, because such fields hold dates; others to the minute. */
function moment(text: string): string {
  const [day = '', time = ''] = text.split('T')
  return time.startsWith('00:00:00.000') ? day : `${day} ${time.slice(0, 5)} UTC`
}

/** What the records are called that others belong to, by their ids. */
export type Names = Record<string, string>

const pageOf = (resource: string, id: string) => `/data/${resource}/${encodeURIComponent(id)}`

/** Shows a field's value: amounts with two decimals and their currency, dates in UTC, what it belongs to by name, the rest as text. */
function cellOf(resource: Resource, field: string, item: Item, names: Names): ReactNode {
  const value = item[field]
  if (value === undefined || value === null) return <span className="text-quiet">–</span>
  const schema = resource.output.shape[field]
  const type = schema ? fieldType(schema) : 'string'
  const link = resource.links.find((each) => fieldOfLink(resource, each) === field)
  if (link) return <Linked to={resourceCalled(link.to).name} id={textOf(value)} names={names} />
  if (typeof value === 'number') {
    const currency = typeof item.currency === 'string' ? ` ${item.currency}` : ''
    return <span className="whitespace-nowrap">{AMOUNT.format(value) + currency}</span>
  }
  if (type === 'ISO 8601 string')
    return <span className="tabular-nums sm:whitespace-nowrap">{moment(textOf(value))}</span>
  if (field === 'status') return <Badge>{textOf(value).replaceAll('_', ' ')}</Badge>
  return <span className="line-clamp-2 wrap-anywhere sm:min-w-28 sm:max-w-80">{textOf(value)}</span>
}

/** What a record belongs to: by its name, or by its id where that is not known. */
function Linked({ to, id, names }: { to: string; id: string; names: Names }) {
  const name = names[id]
  if (name === undefined) return <Id id={id} href={pageOf(to, id)} />
  return (
    <a href={pageOf(to, id)} className="line-clamp-2 wrap-anywhere sm:min-w-28 sm:max-w-64">
      {cleanText(name)}
    </a>
  )
}

const fieldsOf = ({ output }: Resource) => Object.keys(output.shape).filter((field) => !NOT_SHOWN.includes(field))

/** How far right a column stands: what people look for first is on the left. */
const ORDER = ['status', 'amount', 'totalAmount']
const rankOf = (resource: Resource, field: string): number => {
  if (ORDER.includes(field)) return ORDER.indexOf(field)
  if (resource.links.some((link) => fieldOfLink(resource, link) === field)) return ORDER.length
  return field === 'updatedAt' ? ORDER.length + 2 : ORDER.length + 1
}

/**
 * A resource's public fields as columns: the record's name as a link to its page, how it stands, what it belongs to by name; its id last.
 * @param sort how the list is sorted by the moment of change, where it can be
 */
export function columnsOf(resource: Resource, names: Names, sort?: Sort): Column<Item>[] {
  const rest = fieldsOf(resource)
    .filter((field) => ![...LABELS, 'currency', 'createdAt'].includes(field))
    .toSorted((a, b) => rankOf(resource, a) - rankOf(resource, b))
  return [
    {
      name: 'name',
      head: wordsOf(resource.singular),
      cell: (item) => (
        <a href={pageOf(resource.name, textOf(item.id))} className="line-clamp-2 wrap-anywhere sm:min-w-32">
          {nameOf(item)}
        </a>
      ),
    },
    ...rest.map(
      (field): Column<Item> => ({
        name: field,
        head: field === 'updatedAt' ? 'Updated' : wordsOf(field),
        end: resource.output.shape[field] !== undefined && fieldType(resource.output.shape[field]) === 'number',
        cell: (item) => cellOf(resource, field, item, names),
        ...(field === 'updatedAt' && { sort }),
      }),
    ),
    { name: 'id', head: 'ID', cell: (item) => <Id id={textOf(item.id)} /> },
  ]
}

/** A record's public fields with their values, in the order of the API. */
export const factsOf = (resource: Resource, item: Item, names: Names): [string, ReactNode][] =>
  fieldsOf(resource).map((field) => [wordsOf(field), cellOf(resource, field, item, names)])
