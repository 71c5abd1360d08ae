import type { ResourceName } from '@/lib/core/resource-names'
import type { WriteBatch } from '@/lib/load/batches/batch'
import { storedBooks } from '@/lib/load/batches/books'
import { writeCustomers } from '@/lib/load/batches/customers'
import { writeInvoices } from '@/lib/load/batches/invoices'
import { plainWriter } from '@/lib/load/batches/plain'
import { emptyReport, loadRows } from '@/lib/load/file'
import { matchedWriter } from '@/lib/load/join/match'
import { newReport } from '@/lib/load/report'
import type { Row } from '@/lib/load/rows'
import { resources } from '@/lib/resources/registry'
import type { Place } from './place'
import type { Reader } from './rows'

const writerOf = (resource: ResourceName): WriteBatch => {
  if (resource === 'customers') return writeCustomers
  if (resource === 'invoices') return writeInvoices
  return resource === 'payments' ? matchedWriter() : plainWriter(resources[resource])
}

async function* each(rows: Row[]): AsyncGenerator<Row> {
  yield* rows
}

/**
 * Writes rows as the loader writes those of a file: in slices that let requests run, with the same checks, ids and locks. Refused ones are
 * counted, each with its reason.
 */
export async function write(
  place: Place,
  resource: ResourceName,
  { kind, fields }: Reader,
  rows: Row[],
): Promise<void> {
  if (rows.length === 0) return
  const { db, contractor, tally, step, signal } = place
  const report = newReport()
  const file = emptyReport(kind.file)
  const [unissued, named, kept] = [new Set<string>(), new Map<string, string[]>(), new Set<string>()]
  const writer = writerOf(resource)
  const target = {
    db,
    contractorId: contractor.id,
    kind,
    fields,
    step,
    write: ({ orm, ...context }: Parameters<Parameters<typeof loadRows>[0]['write']>[0], batch: Row[]) =>
      writer({ ...context, books: storedBooks(orm, contractor.id), contractor, unissued, named, kept }, batch),
  }
  await loadRows(target, file, each(rows), { report, options: {} })
  // A run that is stopped must not count what it has not written; it repeats the page.
  signal.throwIfAborted()
  const counts = tally.of(resource)
  counts.rows += file.rows
  counts.added += file.added
  counts.updated += file.updated
  counts.refused += file.refused
  for (const { line, field, value, reason } of report.faults)
    tally.fault(
      { entity: kind.file, id: String(line ?? '') },
      `${field ?? ''} ${value === null ? '' : JSON.stringify(value)} ${reason}`.trim(),
    )
  tally.faultCount += report.faultCount - report.faults.length
}
