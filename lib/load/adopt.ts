import { type Database, withinContractor } from '@/db/client'
import { adoptRecords, hasLoaded, type Renamed } from '@/db/queries/adopt'
import { Pace } from '@/lib/core/slices'
import type { JoinedFile } from './join/joined-file'
import { Names } from './join/names'
import { recordsOf } from './join/records'
import { columnOf } from './kinds'

const AT_ONCE = 1_000

type Batch = Record<'customers' | 'projects' | 'invoices', Renamed[]>
const emptyBatch = (): Batch => ({ customers: [], projects: [], invoices: [] })

/** Adds what a record was known by before sources were told apart, where that was something else. */
function note(batch: Batch, names: Names, record: Parameters<Names['customer']>[0]): void {
  const customer = names.customer(record)
  const name = names.customerName(record)
  const bare = names.bare(record)
  if (bare.customer !== '' && bare.customer !== customer)
    batch.customers.push({ from: bare.customer, to: customer, customer, name })
  const project = names.project(record)
  if (bare.project !== '' && bare.project !== project)
    batch.projects.push({ from: bare.project, to: project, customer, name })
  if (!names.owns('invoices', record) || bare.invoice === '') return
  batch.invoices.push({ from: bare.invoice, to: names.invoice(record), customer, name })
}

/**
 * Gives records of earlier loads the references that tell their source, so that the same files change them and add none. A contractor
 * without records has none.
 */
export async function adoptEarlier(db: Database, contractorId: string, files: readonly JoinedFile[]): Promise<void> {
  if (files.length === 0 || !(await hasLoaded(db.orm, contractorId))) return
  const pace = new Pace(db)
  const write = (batch: Batch) =>
    withinContractor(db.orm, contractorId, (orm) => adoptRecords(orm, contractorId, batch))
  for (const file of files) {
    const names = new Names(file, columnOf)
    let [batch, count] = [emptyBatch(), 0]
    for await (const record of recordsOf(file)) {
      if (record.fault !== undefined) continue
      note(batch, names, record)
      if (++count < AT_ONCE) continue
      await write(batch)
      await pace.between()
      ;[batch, count] = [emptyBatch(), 0]
    }
    await write(batch)
  }
}
