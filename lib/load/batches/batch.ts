import type { Orm } from '@/db/client'
import type { UpsertColumn, UpsertCounts, UpsertRecord } from '@/db/queries/upsert'
import type { Row } from '../rows'
import type { Books } from './books'
import type { Verdicts } from './verdicts'

/** The context for writing a batch, and the errors found in its rows. */
export type WriteContext = {
  orm: Orm
  /** The fields the file has; stored values of other fields stay. */
  fields: string[]
  verdicts: Verdicts
}

/** The context for writing a batch of a contractor's records. */
export type BatchContext = Omit<WriteContext, 'orm'> & {
  books: Books
  contractor: { id: string; currency: string; timezone: string; country?: string | null }
  /** Numbers of invoices that are void or drafts in this load's invoices.csv; at most {@link MOST_UNISSUED}, for the memory. */
  unissued: Set<string>
  /** The invoices that a payment names, where it is for several, by the payment's reference; at most {@link MOST_UNISSUED}. */
  named: Map<string, string[]>
  /** The references of invoices and payments that stay as they are stored, because a person said so. */
  kept: ReadonlySet<string>
}

export const MOST_UNISSUED = 100_000

/**
 * Looks up what the rows of a batch refer to, refuses those that cannot be written, and writes the valid ones in one statement.
 * Invalid rows are looked up too, so that all of their errors are reported at once.
 */
export type WriteBatch = (context: BatchContext, batch: Row[]) => Promise<UpsertCounts>

/** Refuses rows whose documents stay as they are stored, because a person said so. */
export function refuseKept({ kept, verdicts }: BatchContext, batch: Row[]): void {
  if (kept.size === 0) return
  for (const row of batch)
    if (row.values.reference && kept.has(row.values.reference))
      verdicts.refuse(
        row,
        'reference',
        'has another customer or job, amount and day than what is stored, which was kept, as you chose',
      )
}

/** The distinct references of a batch in a field. */
export const referencesOf = (batch: Row[], field: string) => [
  ...new Set(batch.flatMap(({ values }) => values[field] ?? [])),
]
/** A cell's value, null when blank or when the file lacks the column. */
export const orNull = (row: Row, field: string) => row.values[field] ?? null
/** Returns when a record was created: the time in the file, otherwise now. */
export const createdAt = (row: Row) => row.values.createdAt ?? new Date().toISOString()

/** Returns the columns of an upsert: set when a row is added; updated in an existing row only if the file has the field. */
export function columnsFor(
  fields: string[],
  columns: Record<string, [type: string, field?: string, follows?: 'follows']>,
): UpsertColumn[] {
  return Object.entries(columns).map(([column, [type, field, follows]]) => ({
    column,
    type,
    update: field !== undefined && fields.includes(field),
    ...(follows && { follows: true as const }),
  }))
}

/** The columns every record has; never changed in an existing row. */
export const COMMON = {
  id: ['text'],
  contractor_id: ['text'],
  source_reference: ['text'],
  created_at: ['timestamptz'],
} satisfies Record<string, [string, string?]>
/** The values of {@link COMMON}. */
export const commonOf = (row: Row, contractorId: string, id: string): UpsertRecord => ({
  id,
  contractor_id: contractorId,
  source_reference: orNull(row, 'reference'),
  created_at: createdAt(row),
})

/**
 * Writes a batch's records in the order of their references, so that two loads of the same records wait for each other instead of
 * deadlocking.
 */
export function upsert(
  books: Books,
  table: string,
  columns: UpsertColumn[],
  records: UpsertRecord[],
): Promise<UpsertCounts> {
  const keyed = records.map((record) => ({ record, key: String(record.source_reference) }))
  keyed.sort((a, b) => (a.key < b.key ? -1 : 1))
  return books.upsert(
    table,
    columns,
    keyed.map(({ record }) => record),
  )
}
