import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '@/db/client'
import { countWithoutProject } from '@/db/queries/load'
import { ServiceError } from '@/lib/core/errors'
import type { BatchContext, WriteBatch } from './batches/batch'
import { writeCustomers } from './batches/customers'
import { writeInvoices } from './batches/invoices'
import { writePayments } from './batches/payments'
import { writeProjects } from './batches/projects'
import type { FileKind } from './columns'
import { CUSTOMERS, INVOICES, PAYMENTS, PROJECTS } from './kinds'
import { addFault, type Fault, type FileReport, type LoadReport } from './report'
import { type Layout, type Row, readRows, UnusableFile } from './rows'
import { SeenReferences } from './seen'

/** In this order, since each file names rows of those before it. */
const STEPS: [FileKind, WriteBatch][] = [
  [CUSTOMERS, writeCustomers],
  [PROJECTS, writeProjects],
  [INVOICES, writeInvoices],
  [PAYMENTS, writePayments],
]

/** Rows written in one transaction: a load that is broken off leaves whole batches, and is simply run again. */
const BATCH_ROWS = 500

type Contractor = { id: string; currency: string }

/** Postgres' codes for two writers that met: unique violation, deadlock, serialization failure. */
const RETRIABLE = ['23505', '40P01', '40001']

function isRetriable(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ('code' in at && RETRIABLE.includes(String(at.code))) return true
  }
  return false
}

type Refusal = { row: Row; field: string; reason: string }

/** Writes a batch in one transaction; when it meets another load, once more from the start. */
async function writeBatch(
  db: Database,
  write: WriteBatch,
  context: Pick<BatchContext, 'contractor' | 'fields'>,
  batch: Row[],
) {
  for (let attempt = 1; ; attempt++) {
    const refusals: Refusal[] = []
    const refuse: BatchContext['refuse'] = (row, field, reason) => void refusals.push({ row, field, reason })
    try {
      const counts = await db.orm.transaction((orm) => write({ ...context, orm, refuse }, batch))
      return { counts, refusals }
    } catch (error) {
      if (attempt >= 5 || !isRetriable(error)) throw error
    }
  }
}

async function loadFile(
  db: Database,
  contractor: Contractor,
  path: string,
  [kind, write]: [FileKind, WriteBatch],
  report: LoadReport,
): Promise<void> {
  const file: FileReport = { file: kind.file, rows: 0, added: 0, updated: 0, unchanged: 0, refused: 0, ignored: [] }
  report.files.push(file)
  const seen = new SeenReferences()
  let layout: Layout = { columns: [], fields: [], ignored: [] }
  let batch: Row[] = []

  const refuse = (faults: Fault[]) => {
    file.refused++
    for (const fault of faults) addFault(report, fault)
  }
  const headerOf = (field: string) => kind.columns.find((column) => column.field === field)?.headers[0] ?? field
  const flush = async () => {
    if (batch.length === 0) return
    const { counts, refusals } = await writeBatch(db, write, { contractor, fields: layout.fields }, batch)
    for (const { row, field, reason } of refusals)
      refuse([{ file: kind.file, line: row.line, field: headerOf(field), value: row.values[field] ?? null, reason }])
    file.added += counts.added
    file.updated += counts.updated
    file.unchanged += batch.length - refusals.length - counts.added - counts.updated
    batch = []
  }

  const onLayout = (found: Layout) => {
    layout = found
    file.ignored = found.ignored
  }
  try {
    for await (const item of readRows(kind, path, onLayout)) {
      file.rows++
      if ('faults' in item) {
        refuse(item.faults)
        continue
      }
      const reference = item.row.values.reference ?? ''
      const first = seen.firstLine(reference, item.row.line)
      if (first === undefined) batch.push(item.row)
      else
        refuse([
          {
            file: kind.file,
            line: item.row.line,
            field: kind.columns[0].headers[0],
            value: reference,
            reason: `is already used on line ${first}`,
          },
        ])
      if (batch.length === BATCH_ROWS) await flush()
    }
    await flush()
  } catch (error) {
    if (!(error instanceof UnusableFile)) throw error
    addFault(report, { file: kind.file, line: null, field: null, value: null, reason: error.message })
  }
}

async function filesOf(folder: string): Promise<Map<string, string>> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new ServiceError('bad_request', `The folder ${folder} cannot be read (${error.code}).`)
  })
  const found = new Map(names.map((name) => [name.toLowerCase(), join(folder, name)]))
  if (STEPS.some(([{ file }]) => found.has(file))) return found
  throw new ServiceError(
    'bad_request',
    `The folder ${folder} holds none of ${STEPS.map(([{ file }]) => file).join(', ')}.`,
  )
}

/**
 * Loads a folder of CSV files as a contractor exports them into a contractor's data, as a stream of batches. A second load of
 * the same files changes nothing; a changed row is an update; a row that cannot be used is reported and the rest goes on.
 * @throws ServiceError `bad_request` when the folder cannot be read or holds none of the files
 */
export async function loadFolder(db: Database, contractor: Contractor, folder: string): Promise<LoadReport> {
  const began = performance.now()
  const files = await filesOf(folder)
  const report: LoadReport = { files: [], faults: [], faultCount: 0, customersWithoutProject: 0, milliseconds: 0 }
  for (const step of STEPS) {
    const path = files.get(step[0].file)
    if (path !== undefined) await loadFile(db, contractor, path, step, report)
  }
  report.customersWithoutProject = await countWithoutProject(db.orm, contractor.id)
  report.milliseconds = Math.round(performance.now() - began)
  return report
}
