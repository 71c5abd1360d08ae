import type { Orm } from '@/db/client'
import {
  type InvoiceRef,
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
import { type UpsertColumn, type UpsertCounts, type UpsertRecord, upsertByReference } from '@/db/queries/upsert'
import { chooseIds, type Placed } from './ids'

/** What a batch looks up and writes: the stored records, or in a dry run those that would be stored. */
export type Books = {
  /** The ids of customers by their references. */
  customers(references: string[]): Promise<Map<string, string>>
  /** What a customer's id is compared by; the same as in `projects`. */
  ownerOf(customerId: string): string
  /** Projects by their references or their invoices', which nobody changes until the batch is written. */
  projects(references: { projects: string[]; invoices: string[] }): Promise<LockedProjects>
  invoices(references: string[]): Promise<Map<string, InvoiceRef>>
  /** Invoices that payments may be for. What is not final may differ once the files before are loaded. */
  candidates(payments: Unmatched[]): Promise<{ found: Candidate[]; isFinal: boolean }>
  transactions(references: string[]): Promise<Map<string, StoredTransaction>>
  chooseIds<P extends Placed>(kind: RecordKind, placed: P[]): Promise<(P & { id: string })[]>
  removeInvoices(references: string[]): Promise<number>
  upsert(table: string, columns: UpsertColumn[], records: UpsertRecord[]): Promise<UpsertCounts>
}

/** The contractor's stored records, in a transaction. */
export const storedBooks = (orm: Orm, contractorId: string): Books => ({
  customers: (references) => usersByReference(orm, contractorId, references),
  ownerOf: (customerId) => customerId,
  projects: (references) => lockProjects(orm, contractorId, references),
  invoices: (references) => invoicesByReference(orm, contractorId, references),
  candidates: async (payments) => ({ found: await candidates(orm, contractorId, payments), isFinal: true }),
  transactions: (references) => storedTransactions(orm, contractorId, references),
  chooseIds: (kind, placed) => chooseIds(orm, kind, placed),
  removeInvoices: (references) => removeInvoices(orm, contractorId, references),
  upsert: (table, columns, records) => upsertByReference(orm, table, columns, records),
})
