import type { Tone } from '@/app/ui/badge'
import { type Cell, type DataColumn, type Sort, sentence } from '@/app/ui/data-column'
import { phoneText } from '@/lib/core/contact'
import type { Desk } from '@/lib/core/desk'
import { RESOURCES } from '@/lib/resources/registry'

/** A record as an operation returns it. */
export type Item = Record<string, unknown>
/** Names of the records that others refer to, by id. */
export type Names = Record<string, string>

/** A column of a list of records, and whether the list can be sorted and summed by it. */
export type RecordColumn = Pick<DataColumn<Item>, 'head' | 'kind' | 'rank' | 'narrow' | 'isShort'> & {
  /** The field that it shows. */
  name: string
  /** The field is the id of another record of this kind, shown by its name. */
  of?: string
  /** What it shows, where that is not the field alone. */
  shows?: (item: Item) => Cell
  /** The field with the id of the record that it leads to, and its kind. */
  leads?: { field: string; of: string }
  /** The name of the order by it. */
  sort?: string
  /** It is shown when a person chooses it. */
  isExtra?: true
}

/** Statuses that are good news, or that need action. */
const TONES: Record<string, Tone> = {
  paid: 'good',
  completed: 'good',
  accepted: 'good',
  overdue: 'danger',
  declined: 'warn',
  expired: 'warn',
}

export const toneOf = (status: unknown): Tone => TONES[String(status)] ?? 'neutral'

/** Returns the path of a record’s page, by the name of one of its kind. */
export const pageOf = (singular: string, id: string): string =>
  `/${RESOURCES.find((each) => each.singular === singular)?.name}/${encodeURIComponent(id)}`

export const textOf = (item: Item, field: string): string | undefined => {
  const value = item[field]
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

export const numberOf = (item: Item, field: string): number | undefined => {
  const value = item[field]
  return typeof value === 'number' ? value : undefined
}

/** Returns how a payment was made: the source’s own word for what is none of the usual ways. */
export const methodOf = (item: Item): string => {
  const [method = '', detail] = [textOf(item, 'method'), textOf(item, 'methodDetail')]
  return method === 'other' && detail ? detail : sentence(method)
}

/** Returns what a record is called: its name, number or reference. A payment without one is called by its method. */
export const nameOf = (item: Item): string =>
  textOf(item, 'name') ??
  textOf(item, 'number') ??
  textOf(item, 'reference') ??
  (textOf(item, 'method') ? methodOf(item) : String(item.id))

const isCell = (value: unknown): value is Cell =>
  value === null || value === undefined || typeof value === 'string' || typeof value === 'number'

function cellOf({ name, of, shows }: RecordColumn, item: Item, names: Names): Cell {
  if (shows) return shows(item)
  const value = item[name]
  if (of === undefined) return isCell(value) ? value : undefined
  return typeof value === 'string' ? (names[value] ?? value) : undefined
}

function hrefOf({ of, name, leads }: RecordColumn, item: Item): string | undefined {
  const [field, kind] = leads ? [leads.field, leads.of] : [name, of]
  const id = textOf(item, field)
  return kind !== undefined && id !== undefined ? pageOf(kind, id) : undefined
}

/**
 * Returns columns of records for a table and a file. The first one leads to the record.
 * @param singular the name of one of the records
 * @param sortOf returns how the list is sorted by an order
 */
export function dataColumns(
  columns: readonly RecordColumn[],
  singular: string,
  names: Names,
  sortOf: (column: RecordColumn) => Sort | undefined = () => undefined,
): DataColumn<Item>[] {
  return columns.map((column, at) => {
    const { name, head, kind, rank, narrow, isShort, of, leads } = column
    return {
      name,
      head,
      kind,
      ...(rank && { rank }),
      ...(narrow && { narrow }),
      ...(isShort && { isShort }),
      value: (item) => cellOf(column, item, names),
      ...(kind === 'phone' && { written: (text: string, { country }: Desk) => phoneText(text, country) }),
      ...(at === 0
        ? { href: (item: Item) => pageOf(singular, String(item.id)) }
        : (of || leads) && { href: (item: Item) => hrefOf(column, item) }),
      ...(kind === 'money' && { currency: (item: Item) => textOf(item, 'currency') }),
      ...(kind === 'status' && { tone: (item: Item) => toneOf(item[name]) }),
      sort: sortOf(column),
    }
  })
}
