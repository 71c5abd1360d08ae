import type { UpsertRecord } from '@/db/queries/upsert'
import type { CsvColumn } from '@/lib/resources/csv'
import type { Resource } from '@/lib/resources/define'
import type { Row } from '../rows'
import { orNull } from './batch'

type Filling = CsvColumn & { column: NonNullable<CsvColumn['column']> }

/** Returns the columns of a resource's file whose cells are stored in a table column without conversion. */
export const fillingColumns = ({ csv }: Pick<Resource, 'csv'>): Filling[] =>
  csv.columns.flatMap((each) => (each.column ? [{ ...each, column: each.column }] : []))

/** Returns those columns for an upsert: each with its type and its field. */
export const recordColumns = (resource: Pick<Resource, 'csv'>): Record<string, [type: string, field: string]> =>
  Object.fromEntries(fillingColumns(resource).map(({ column, field }) => [column.name, [column.getSQLType(), field]]))

/**
 * Returns a function that reads those columns from a row; a blank currency becomes the contractor's. References stay references. It is
 * created once per batch, so that each row costs only its cells.
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
