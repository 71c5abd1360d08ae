import type { ResourceName } from '@/lib/core/resource-names'
import { type Cell, type CsvFile, PROJECT_HEADERS } from '@/lib/resources/csv'
import type { Resource } from '@/lib/resources/define'
import { RESOURCES } from '@/lib/resources/registry'
import {
  type Column,
  currency,
  day,
  email,
  type FileKind,
  itemKey,
  moment,
  money,
  oneOf,
  oneOfOrNone,
  phone,
  price,
  quantity,
  type Read,
  reference,
  state,
  sum,
  text,
  unit,
  zip,
} from './columns'

const READERS = { reference, email, phone, money, sum, moment, day, currency, state, zip }

function readerOf(cell: Cell): (cell: string) => Read {
  if (typeof cell === 'string') return READERS[cell]
  if ('text' in cell) return text(cell.text)
  return 'oneOf' in cell ? oneOf(cell.oneOf) : oneOfOrNone(cell.oneOfOrNone, cell.noneIs)
}

const TYPED = ['moment', 'day', 'money', 'sum', 'phone'] as const

/** Returns the kind of a resource's file, with a reader for each column. */
export function fileKind({ name, csv, source }: Pick<Resource, 'name' | 'csv' | 'source'>): FileKind {
  const column = ({ field, headers, required, alsoOf, cell }: CsvFile['columns'][number]) => ({
    field,
    headers,
    ...(required && { required }),
    ...(alsoOf !== undefined && { alsoOf }),
    ...(typeof cell === 'string' &&
      TYPED.some((each) => each === cell) && { cell: TYPED.find((each) => each === cell) }),
    read: readerOf(cell),
  })
  const [first, ...rest] = csv.columns
  return {
    file: csv.file,
    resource: name,
    table: source.table,
    columns: [column(first), ...rest.map(column)],
    ...(csv.oneOf && { oneOf: csv.oneOf }),
  }
}

/** The price book (materials.csv), one line per observed price. */
export const MATERIALS: FileKind = {
  file: 'materials.csv',
  table: 'material_prices',
  identity: ['item', 'unit', 'supplier', 'region', 'date'],
  columns: [
    { field: 'item', headers: ['Item', 'Item Key', 'SKU', 'Item Number'], required: true, read: itemKey },
    { field: 'name', headers: ['Name', 'Item Name', 'Description'], required: true, read: text(300) },
    { field: 'trade', headers: ['Trade', 'Category'], read: text(100) },
    { field: 'unit', headers: ['Unit', 'UOM', 'Unit of Measure'], required: true, read: unit },
    { field: 'unitCost', headers: ['Unit Cost', 'Unit Price', 'Price', 'Cost'], required: true, read: price },
    { field: 'currency', headers: ['Currency'], read: currency },
    { field: 'supplier', headers: ['Supplier', 'Vendor'], read: text(200) },
    { field: 'date', headers: ['Date', 'Price Date', 'Observed', 'As Of'], required: true, read: day },
    { field: 'region', headers: ['Region', 'Market'], read: text(100) },
  ],
}

/** The materials of each project (project-materials.csv), one line per item. */
export const PROJECT_MATERIALS: FileKind = {
  file: 'project-materials.csv',
  table: 'project_materials',
  identity: ['project', 'item', 'unit'],
  columns: [
    { field: 'project', headers: PROJECT_HEADERS, required: true, read: reference },
    { field: 'item', headers: ['Item', 'Item Key', 'SKU', 'Item Number'], required: true, read: itemKey },
    { field: 'quantity', headers: ['Quantity', 'Qty'], required: true, read: quantity },
    { field: 'unit', headers: ['Unit', 'UOM', 'Unit of Measure'], read: unit },
    { field: 'name', headers: ['Name', 'Item Name', 'Description'], read: text(300) },
  ],
}

/** The files of our own, in the order in which they are loaded: each refers only to rows of earlier ones. */
export const KINDS: readonly FileKind[] = [...RESOURCES.map(fileKind), MATERIALS, PROJECT_MATERIALS]

/** The files' names, in the same order. */
export const FILES = KINDS.map(({ file }) => file)

/** Returns the column that reads a field of a resource. */
export const columnOf = (resource: ResourceName, field: string): Column | undefined =>
  KINDS.find((kind) => kind.resource === resource)?.columns.find((column) => column.field === field)
