import type { Orm } from '@/db/client'
import { invoicesByNumber, invoicesByReference, storedTransactions, usersByReference } from '@/db/queries/load'
import { type Previewed, previewUpsert } from '@/db/queries/load-preview'
import { type Candidate, candidates, type Unmatched } from '@/db/queries/match'
import { type MonthAmount, storedAmounts } from '@/db/queries/month-amounts'
import type { UpsertColumn, UpsertRecord } from '@/db/queries/upsert'
import { inSlices } from '@/lib/core/slices'
import type { Books, Bringing } from '../batches/books'
import type { FileKind } from '../columns'
import type { Fault } from '../fault'
import { keyOf } from '../links'
import { gone, monthAmountOf } from '../months'
import type { Row } from '../rows'
import { SeenReferences } from '../seen'
import { MOST_ODD, type Odd, OddRows } from './odd'
import { named, WouldBeProjects, wouldBe } from './projects'

/** The facts that a run that writes nothing cannot say. */
class Unsaid {
  /** Files with payments whose invoice only the load can tell, and how many records of a file an earlier one has too. */
  private readonly unmatched = new Set<string>()
  private readonly again = new Map<string, number>()

  noteUnmatched(file: string): void {
    this.unmatched.add(file)
  }

  noteAgain(file: string): void {
    this.again.set(file, (this.again.get(file) ?? 0) + 1)
  }

  /** Returns them as notes of the report. */
  faults(): Fault[] {
    const note = (file: string, field: string | null, reason: string) => ({
      file,
      line: null,
      field,
      value: null,
      reason,
    })
    return [
      ...[...this.unmatched].map((file) =>
        note(
          file,
          'invoice',
          'payments that name no invoice are matched by the load, also to invoices of this folder; a dry run cannot tell to which, and which of these payments change',
        ),
      ),
      ...[...this.again].map(([file, n]) =>
        note(
          file,
          null,
          `an earlier file of this folder has ${n.toLocaleString('en-US')} of the records too; a dry run cannot tell whether this file changes them once more`,
        ),
      ),
    ]
  }
}

/** The findings of a dry run beside the counts: the oddest rows. */
export type Preview = { odd: Odd[] }

/** Records of one table that would be written; `file` is what the report calls them. */
type Batch = {
  file: string
  table: string
  columns: UpsertColumn[]
  records: UpsertRecord[]
  source?: string | undefined
}

/** What becomes of a record. */
type Effect = Pick<Previewed, 'state' | 'was' | 'month'>

/**
 * A load that writes nothing: it remembers what earlier files and rows would have added, in 64 bits for each reference, so that later ones
 * find it.
 */
export class DryRun {
  private readonly looked = new Map<string, SeenReferences>()
  /** The invoices that payments of this folder pay. */
  private readonly paid = new SeenReferences()
  /** True when the folder changes which invoices a payment may be for. */
  private movesInvoices = false
  private readonly projects = new WouldBeProjects()
  private readonly notes = new Unsaid()
  /** The references of invoices that this folder would add, by their numbers. */
  private readonly numbers = new Map<string, string>()
  private readonly odd = new Map<string, OddRows>()

  /** Files that are joined may have the same record, so that all of their records are remembered. */
  constructor(private readonly isJoined: boolean) {}

  /** Returns what is looked up and compared in one read-only transaction. */
  books(orm: Orm, contractorId: string, file: string, { source, moved = [] }: Bringing = {}): Books {
    const ids = new Map<bigint, string>()
    const projectOf = (key: bigint) => ids.get(key) ?? named(key)
    return {
      customers: async (references) => {
        const stored = await usersByReference(orm, contractorId, references)
        for (const reference of references)
          if (!stored.has(reference) && this.looked.get('users')?.has(reference))
            stored.set(reference, wouldBe(reference))
        return stored
      },
      ownerOf: (customerId) => named(keyOf(customerId)),
      projects: (references) => this.projects.find(orm, contractorId, references, ids),
      invoices: async (references) => {
        const stored = await invoicesByReference(orm, contractorId, references)
        for (const reference of references) {
          const key = this.projects.ofInvoice(reference)
          if (key !== undefined && !stored.has(reference))
            stored.set(reference, { id: wouldBe(reference), projectId: projectOf(key) })
        }
        return stored
      },
      invoicesByNumber: async (numbers) => {
        const stored = await invoicesByNumber(orm, contractorId, numbers)
        for (const [number, reference] of this.numbers) if (numbers.includes(number)) stored.set(number, reference)
        return stored
      },
      candidates: (payments) => this.candidates(orm, contractorId, { file, payments }),
      transactions: (references) => storedTransactions(orm, contractorId, references),
      chooseIds: async (_, placed) => placed.map((each) => ({ ...each, id: each.storedId ?? '' })),
      removeInvoices: async (references) => {
        const stored = await invoicesByReference(orm, contractorId, references)
        const ids = [...stored.values()].map(({ id }) => id)
        if (stored.size > 0) this.movesInvoices = true
        moved.push(...gone(await storedAmounts(orm, 'analytics_invoice_records', ids)))
        return stored.size
      },
      upsert: (table, columns, records) =>
        this.compare(orm, contractorId, { file, table, columns, records, source }, moved),
    }
  }

  /** Looks at rows that can be loaded for what is odd. */
  async look(kind: FileKind, rows: Row[]): Promise<void> {
    const key = `${kind.file} ${kind.table}`
    const odd = this.odd.get(key) ?? new OddRows(kind)
    this.odd.set(key, odd)
    await inSlices(rows, (row) => odd.look(row))
  }

  preview(): Preview {
    return { odd: [...this.odd.values()].flatMap((each) => each.worst()).slice(0, MOST_ODD * this.odd.size) }
  }

  /** Returns what this run cannot say. */
  unsaid(): Fault[] {
    return this.notes.faults()
  }

  /** The stored invoices that payments may be for, without those that this folder's payments pay. */
  private async candidates(
    orm: Orm,
    contractorId: string,
    { file, payments }: { file: string; payments: Unmatched[] },
  ): Promise<{ found: Candidate[]; isFinal: boolean }> {
    const found = await candidates(orm, contractorId, payments)
    const stored = await invoicesByReference(orm, contractorId, [...new Set(found.map(({ invoice }) => invoice))])
    if (this.movesInvoices && payments.length > 0) this.notes.noteUnmatched(file)
    return {
      found: found.filter(({ invoice }) => !this.paid.has(stored.get(invoice)?.id ?? '')),
      isFinal: !this.movesInvoices,
    }
  }

  private async compare(orm: Orm, contractorId: string, batch: Batch, moved: MonthAmount[]) {
    const { table, columns, records } = batch
    const previewed = await previewUpsert(orm, contractorId, batch)
    const states = new Map(previewed.map((each) => [each.reference, each]))
    const counts = { added: 0, updated: 0 }
    await inSlices(records, (record) => {
      const reference = String(record.source_reference)
      const { state, was, month } = this.settle(batch, record, states.get(reference))
      if (state === 'unchanged') return
      counts[state]++
      this.remember(table, record, reference, state)
      if (table === 'analytics_invoice_records' && state === 'added' && this.numbers.size < 100_000)
        this.numbers.set(String(record.number), reference)
      const will = monthAmountOf(table, columns, record, was, month)
      if (was) moved.push(...gone([was]))
      if (will && (was || state === 'added')) moved.push(will)
    })
    return counts
  }

  /** Returns what becomes of a record that was compared with what is stored, given what earlier files of the folder would do with it. */
  private settle(
    { file, table, columns }: Batch,
    record: UpsertRecord,
    { state, was, month }: Effect = { state: 'unchanged', was: null, month: null },
  ): Effect {
    if (record.invoice_id && record.type === 'payment_received') this.paid.firstLine(String(record.invoice_id), 1)
    if (!this.lookAgain(table, String(record.source_reference))) return { state, was, month }
    if (!columns.some(({ update }) => update)) return { state: 'unchanged', was: null, month }
    this.notes.noteAgain(file)
    return { state: state === 'added' ? 'updated' : state, was: null, month }
  }

  /** Reports whether an earlier file has a record too. Customers are always remembered, for the files that name them. */
  private lookAgain(table: string, reference: string): boolean {
    if (!this.isJoined && table !== 'users') return false
    const looked = this.looked.get(table) ?? new SeenReferences()
    this.looked.set(table, looked)
    return looked.firstLine(reference, 1) !== undefined
  }

  private remember(table: string, record: UpsertRecord, reference: string, state: 'added' | 'updated'): void {
    const moves = state === 'updated' && ['projects', 'analytics_revenue_transactions'].includes(table)
    if (moves || table === 'analytics_invoice_records') this.movesInvoices = true
    if (table === 'projects') this.projects.setOwner(reference, String(record.customer_id))
    if (table === 'analytics_invoice_records' && state === 'added')
      this.projects.setInvoice(reference, String(record.project_id))
  }
}
