import type { UpsertRecord } from '@/db/queries/upsert'
import type { CsvColumn } from '@/lib/resources/csv'
import type { Resource } from '@/lib/resources/define'
import type { Row } from '../rows'
import { orNull } from './batch'

type Filling = CsvColumn & { column: NonNullable<CsvColumn['column']> }

/** The columns of a resource's file whose cells fill a column of its table as they are. */
export const fillingColumns = ({ csv }: Pick<Resource, 'csv'>): Filling[] =>
  csv.columns.flatMap((each) => (each.column ? [{ ...each, column: each.column }] : []))

/** Those columns for an upsert: each with its type, and the field it follows. */
export const recordColumns = (resource: Pick<Resource, 'csv'>): Record<string, [type: string, field: string]> =>
  Object.fromEntries(fillingColumns(resource).map(({ column, field }) => [column.name, [column.getSQLType(), field]]))

/**
 * What a row fills them with; a blank currency is the contractor's. References to other records are still references. Made once a
 * batch, so that a row costs no more than its cells.
 */
export function valuesReader(
  resource: Pick<Resource, 'csv'>,
  contractor: { currency: string },
): (row: Row, into: UpsertRecord) => UpsertRecord {
  const filled = fillingColumns(resource).map(({ column, field, cell, blank }) => ({
    name: column.name,
    field,
    otherwise: cell === 'currency' ? contractor.currency : (blank ?? null),
  }))
  return (row, into) => {
    for (const { name, field, otherwise } of filled) into[name] = orNull(row, field) ?? otherwise
    return into
  }
}
