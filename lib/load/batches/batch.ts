import type { Orm } from '@/db/client'
import { type UpsertColumn, type UpsertCounts, type UpsertRecord, upsertByReference } from '@/db/queries/upsert'
import type { Row } from '../rows'
import type { Verdicts } from './verdicts'

/** What a batch is written with, and what is found wrong with its rows. */
export type WriteContext = {
  orm: Orm
  /** The fields the file has; a stored value whose column it lacks stays. */
  fields: string[]
  verdicts: Verdicts
}

/** What a batch of a contractor's records is written for. */
export type BatchContext = WriteContext & { contractor: { id: string; currency: string } }

/**
 * Looks up what the rows of a batch name, refuses those that cannot be, and writes the sound ones in one statement.
 * Rows with faults take part in the look-ups, so that all that is wrong with them is found at once.
 */
export type WriteBatch = (context: BatchContext, batch: Row[]) => Promise<UpsertCounts>

/** The references a batch names in a field, each once. */
export const referencesOf = (batch: Row[], field: string) => [
  ...new Set(batch.flatMap(({ values }) => values[field] ?? [])),
]
/** A cell's value, null when blank or when the file lacks the column. */
export const orNull = (row: Row, field: string) => row.values[field] ?? null
/** When a record was created: as the file says, else now. */
export const createdAt = (row: Row) => row.values.createdAt ?? new Date().toISOString()

/** Columns of an upsert: always set when a row is added; changed in one that is there when the file has the field. */
export function columnsFor(fields: string[], columns: Record<string, [type: string, field?: string]>): UpsertColumn[] {
  return Object.entries(columns).map(([column, [type, field]]) => ({
    column,
    type,
    update: field !== undefined && fields.includes(field),
  }))
}

/** What every record has; never changed once it is there. */
export const COMMON = {
  id: ['text'],
  contractor_id: ['text'],
  source_reference: ['text'],
  created_at: ['timestamptz'],
} satisfies Record<string, [string, string?]>
/** The values of {@link COMMON} but the id. */
export const commonOf = (row: Row, contractorId: string): UpsertRecord => ({
  contractor_id: contractorId,
  source_reference: orNull(row, 'reference'),
  created_at: createdAt(row),
})

/**
 * Writes a batch's records, in the order of their references: two loads that write the same records then wait for each other
 * in turn, and not crosswise.
 */
export function upsert(
  orm: Orm,
  table: string,
  columns: UpsertColumn[],
  records: UpsertRecord[],
): Promise<UpsertCounts> {
  const keyed = records.map((record) => ({ record, key: String(record.source_reference) }))
  keyed.sort((a, b) => (a.key < b.key ? -1 : 1))
  return upsertByReference(
    orm,
    table,
    columns,
    keyed.map(({ record }) => record),
  )
}
