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

/** What a row fills them with; a blank currency is the contractor's. References to other records are still references. */
export const recordValues = (
  resource: Pick<Resource, 'csv'>,
  row: Row,
  contractor: { currency: string },
): UpsertRecord =>
  Object.fromEntries(
    fillingColumns(resource).map(({ column, field, cell, blank }) => {
      const otherwise = cell === 'currency' ? contractor.currency : (blank ?? null)
      return [column.name, orNull(row, field) ?? otherwise]
    }),
  )
