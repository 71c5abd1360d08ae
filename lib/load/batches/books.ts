import type { Orm } from '@/db/client'
import {
  type InvoiceRef,
  invoicesByNumber,
  invoicesByReference,
  type LockedProjects,
  lockProjects,
  removeInvoices,
  type StoredTransaction,
  storedTransactions,
  usersByReference,
} from '@/db/queries/load'
import type { RecordKind } from '@/db/queries/load-ids'
import { type Candidate, candidates, type Unmatched } from '@/db/queries/match'
import type { MonthAmount } from '@/db/queries/month-amounts'
import { type UpsertColumn, type UpsertCounts, type UpsertRecord, upsertByReference } from '@/db/queries/upsert'
import { gone } from '../months'
import { chooseIds, type Placed } from './ids'

/** The records a batch looks up and writes: the stored ones, or in a dry run those that would be stored. */
export type Books = {
  /** The ids of customers by their references. */
  customers(references: string[]): Promise<Map<string, string>>
  /** Returns what a customer's id is compared by; the same as in `projects`. */
  ownerOf(customerId: string): string
  /** Returns projects by their references or their invoices', which nobody changes until the batch is written. */
  projects(references: { projects: string[]; invoices: string[] }): Promise<LockedProjects>
  invoices(references: string[]): Promise<Map<string, InvoiceRef>>
  /** Returns the references of invoices by their numbers, of numbers that one invoice has. */
  invoicesByNumber(numbers: string[]): Promise<Map<string, string>>
  /** Returns invoices that payments may be for. What is not final may differ once the files before are loaded. */
  candidates(payments: Unmatched[]): Promise<{ found: Candidate[]; isFinal: boolean }>
  transactions(references: string[]): Promise<Map<string, StoredTransaction>>
  chooseIds<P extends Placed>(kind: RecordKind, placed: P[]): Promise<(P & { id: string })[]>
  removeInvoices(references: string[]): Promise<number>
  upsert(table: string, columns: UpsertColumn[], records: UpsertRecord[]): Promise<UpsertCounts>
}

/** The source of the records that a file brings, and what takes the changes of the sums of months. */
export type Bringing = { source?: string | undefined; moved?: MonthAmount[] }

/** The contractor's stored records, in a transaction. */
export const storedBooks = (orm: Orm, contractorId: string, { source, moved = [] }: Bringing = {}): Books => ({
  customers: (references) => usersByReference(orm, contractorId, references),
  ownerOf: (customerId) => customerId,
  projects: (references) => lockProjects(orm, contractorId, references),
  invoices: (references) => invoicesByReference(orm, contractorId, references),
  invoicesByNumber: (numbers) => invoicesByNumber(orm, contractorId, numbers),
  candidates: async (payments) => ({ found: await candidates(orm, contractorId, payments), isFinal: true }),
  transactions: (references) => storedTransactions(orm, contractorId, references),
  chooseIds: (kind, placed) => chooseIds(orm, kind, placed),
  removeInvoices: async (references) => {
    const { count, amounts } = await removeInvoices(orm, contractorId, references)
    moved.push(...gone(amounts))
    return count
  },
  upsert: async (table, columns, records) => {
    const written = await upsertByReference(orm, table, columns, records, { source })
    moved.push(...written.moved)
    return written
  },
})
