import { type Column, type FileKind, plain, type Read } from '../columns'
import { BLDS, type BldsField, bldsField, PERMIT_NUM } from './blds'
import { dateReader } from './dates'
import type { Mapping } from './mapping'

type Source = Mapping['fields'][string]

/** Maps a cell by a table of values, compared without case and surrounding blanks. */
function byValues(values: Record<string, string | null>, otherwise: string | null | undefined): (cell: string) => Read {
  const table = new Map(Object.entries(values).map(([raw, mapped]) => [raw.trim().toLowerCase(), mapped]))
  return (cell) => {
    const mapped = table.get(cell.toLowerCase())
    if (mapped !== undefined) return { value: mapped }
    return otherwise === undefined
      ? { reason: 'is not in the values of the mapping file; add it there, or add otherwise' }
      : { value: otherwise }
  }
}

function readerOf({ type, read }: BldsField, source: Source): Column['read'] {
  const { date, timeZone, values, otherwise } = typeof source === 'string' ? {} : source
  if (type === 'date') return dateReader(date ?? 'iso', timeZone)
  return values ? byValues(values, otherwise) : read
}

function columnOf(field: BldsField, source: Source): Column {
  const header = typeof source === 'string' ? source : source.column
  const column: Column = { field: field.field, headers: [header], read: readerOf(field, source) }
  return field === PERMIT_NUM ? { ...column, required: true } : column
}

/**
 * Returns how a file of permits is read. `blds`: columns have the specification's names, or those that cities write for them, unless
 * the mapping renames them; `csv`: only
 * mapped columns are read, and all of them must exist.
 */
export function permitKind(file: string, format: 'blds' | 'csv', mapping: Mapping | undefined): FileKind {
  const named: Column[] = BLDS.flatMap((field) => {
    const source = mapping?.fields[field.name] ?? (format === 'blds' ? field.name : undefined)
    if (source === undefined || field.name in (mapping?.constants ?? {})) return []
    const column = columnOf(field, source)
    const isNamed = field.name in (mapping?.fields ?? {})
    if (format === 'blds' && !isNamed && field.aliases) return [{ ...column, aliases: field.aliases }]
    // A mapped column must exist: a misspelled one must not count as blank.
    return [isNamed ? { ...column, expected: true as const } : column]
  })
  const [first = columnOf(PERMIT_NUM, PERMIT_NUM.name), ...others] = named
  return { file, table: 'permits', columns: [first, ...others], oneOf: ['appliedDate', 'issuedDate'] }
}

/** Returns the fields that are the same for every permit, by their names in a row. */
export const constantsOf = (mapping: Mapping | undefined): Record<string, string> =>
  Object.fromEntries(
    Object.entries(mapping?.constants ?? {}).map(([name, value]) => [bldsField(name)?.field ?? plain(name), value]),
  )
