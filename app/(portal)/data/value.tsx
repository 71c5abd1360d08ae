import type { ReactNode } from 'react'
import { Badge } from '@/app/ui/badge'
import type { Column } from '@/app/ui/table'
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

/** Returns a record's name or number, or else its id. */
export const nameOf = (item: Item): string =>
  [item.name, item.number, item.reference, item.id].map(textOf).find((text) => text.trim() !== '') ?? ''

const LABELS = ['name', 'number', 'reference']

/** Shows a timestamp at midnight as a day, because such fields hold dates; others to the second. */
function moment(text: string): string {
  const [day = '', time = ''] = text.split('T')
  return time.startsWith('00:00:00.000') ? day : `${day} ${time.slice(0, 8)} UTC`
}

const Id = ({ resource, id }: { resource: string; id: string }) => (
  <a
    href={`/data/${resource}/${encodeURIComponent(id)}`}
    title={id}
    className="block max-w-40 truncate font-mono text-sm"
  >
    {id}
  </a>
)

/** Formats a field: amounts to the cent with currency, dates in UTC, ids as links, the rest as text. */
function cellOf(resource: Resource, field: string, item: Item): ReactNode {
  const value = item[field]
  if (value === undefined || value === null) return <span className="text-quiet">–</span>
  const schema = resource.output.shape[field]
  const type = schema ? fieldType(schema) : 'string'
  const link = resource.links.find((each) => fieldOfLink(resource, each) === field)
  if (link) return <Id resource={resourceCalled(link.to).name} id={textOf(value)} />
  if (typeof value === 'number') {
    const currency = typeof item.currency === 'string' ? ` ${item.currency}` : ''
    return <span className="whitespace-nowrap">{AMOUNT.format(value) + currency}</span>
  }
  if (type === 'ISO 8601 string') return <span className="whitespace-nowrap">{moment(textOf(value))}</span>
  if (field === 'status') return <Badge>{textOf(value)}</Badge>
  return <span className="line-clamp-2 min-w-32 wrap-anywhere">{textOf(value)}</span>
}

const fieldsOf = ({ output }: Resource) => Object.keys(output.shape).filter((field) => !NOT_SHOWN.includes(field))

/** Returns a resource's public fields as table columns: the name first, as a link to the record, and the id last. */
export function columnsOf(resource: Resource): Column<Item>[] {
  const rest = fieldsOf(resource).filter((field) => ![...LABELS.slice(0, 2), 'currency', 'createdAt'].includes(field))
  return [
    {
      name: 'name',
      head: wordsOf(resource.singular),
      cell: (item) => (
        <a
          href={`/data/${resource.name}/${encodeURIComponent(textOf(item.id))}`}
          className="line-clamp-2 min-w-36 max-w-80 wrap-anywhere"
        >
          {nameOf(item)}
        </a>
      ),
    },
    ...rest.map(
      (field): Column<Item> => ({
        name: field,
        head: wordsOf(field),
        end: resource.output.shape[field] !== undefined && fieldType(resource.output.shape[field]) === 'number',
        cell: (item) => cellOf(resource, field, item),
      }),
    ),
    { name: 'id', head: 'Id', cell: (item) => <Id resource={resource.name} id={textOf(item.id)} /> },
  ]
}

/** Returns a record's public fields and values, in the API's order. */
export const factsOf = (resource: Resource, item: Item): [string, ReactNode][] =>
  fieldsOf(resource).map((field) => [wordsOf(field), cellOf(resource, field, item)])
