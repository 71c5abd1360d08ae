import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '@/db/client'
import { contradictions, countWithoutProject, refreshStatistics } from '@/db/queries/load'
import { databaseNow, indexQueued } from '@/db/queries/search-queue'
import { ServiceError } from '@/lib/core/errors'
import type { ResourceName } from '@/lib/core/resource-names'
import { RESOURCES } from '@/lib/resources/registry'
import type { WriteBatch } from './batches/batch'
import { writeCustomers } from './batches/customers'
import { writeInvoices } from './batches/invoices'
import { writeMaterials } from './batches/materials'
import { writePayments } from './batches/payments'
import { plainWriter } from './batches/plain'
import { writeProjectMaterials } from './batches/project-materials'
import type { FileKind } from './columns'
import { loadFile } from './file'
import { fileKind, MATERIALS, PROJECT_MATERIALS } from './kinds'
import { type CompleteFile, completeFiles } from './missing'
import { addContradiction, type LoadOptions, type LoadReport } from './report'
import { Slices } from './slices'
import type { Target } from './write'

/** The most invoices that are named. */
const MOST_NAMED = 1_000

type Step = { kind: FileKind; write: WriteBatch }

/** Writers of resources that do more than copy cells: they build ids, normalize phone numbers, or check amounts against a type. */
const SPECIAL_WRITERS: Partial<Record<ResourceName, WriteBatch>> = {
  customers: writeCustomers,
  invoices: writeInvoices,
  payments: writePayments,
}

/** In this order, because each file refers to rows of the earlier ones. */
const STEPS: Step[] = [
  ...RESOURCES.map(
    (resource): Step => ({
      kind: fileKind(resource),
      write: SPECIAL_WRITERS[resource.name] ?? plainWriter(resource),
    }),
  ),
  { kind: MATERIALS, write: writeMaterials },
  { kind: PROJECT_MATERIALS, write: writeProjectMaterials },
]

const TABLES = STEPS.map(({ kind }) => kind.table)

/** The file names in the order in which they are loaded; each refers only to earlier ones. */
export const FILES = STEPS.map(({ kind }) => kind.file)

/**
 * Returns the paths of a folder's files, by their names in lower case.
 * @throws ServiceError `bad_request` when it cannot be read, has none of the files, or has one twice
 */
export async function filesOf(folder: string): Promise<Map<string, string>> {
  const names = await readdir(folder).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? error.code : error
    throw new ServiceError('bad_request', `The folder ${folder} cannot be read (${code}).`)
  })
  const found = new Map<string, string>()
  for (const name of names.filter((name) => FILES.includes(name.toLowerCase()))) {
    if (found.has(name.toLowerCase()))
      throw new ServiceError('bad_request', `The folder ${folder} contains ${name.toLowerCase()} twice. Remove one.`)
    found.set(name.toLowerCase(), join(folder, name))
  }
  if (found.size > 0) return found
  throw new ServiceError('bad_request', `The folder ${folder} contains none of ${FILES.join(', ')}.`)
}

/** Names the invoices that this load changed and whose file says another balance than their payments leave. */
async function nameContradictions(
  db: Database,
  contractorId: string,
  since: string,
  report: LoadReport,
): Promise<void> {
  for (const { number, stated, left, counts } of await contradictions(db.orm, contractorId, since, MOST_NAMED))
    addContradiction(report, {
      file: 'invoices.csv',
      line: null,
      field: 'Balance',
      value: number,
      reason: `the file says that ${stated} is open, the payments leave ${left}; ${counts} counts. Load the missing payments, or correct the balance`,
    })
}

/**
 * Loads a folder of exported CSV files into a contractor's data, in slices that let requests run. Loading the same files again
 * changes nothing; a changed row is an update; an unusable row is reported and the rest continues. Files that are declared complete
 * delete the records that they no longer have; a price book is a history, which loses none.
 * @throws ServiceError `bad_request` when the folder cannot be read, has none of the files, or has one twice
 */
export async function loadFolder(
  db: Database,
  contractor: { id: string; currency: string },
  folder: string,
  options: LoadOptions = {},
): Promise<LoadReport> {
  const began = performance.now()
  const files = await filesOf(folder)
  const report: LoadReport = {
    files: [],
    faults: [],
    faultCount: 0,
    customersWithoutProject: 0,
    milliseconds: 0,
    stopped: false,
  }
  const started = await databaseNow(db)
  const complete: CompleteFile[] = []
  const unissued = new Set<string>()
  for (const { kind, write } of STEPS) {
    const path = files.get(kind.file)
    const writeFor: Target['write'] = (context, batch) => write({ ...context, contractor, unissued }, batch)
    if (path === undefined) continue
    const target = { db, contractorId: contractor.id, kind, write: writeFor }
    const file = await loadFile(target, path, { report, options })
    if (options.complete && kind !== MATERIALS) complete.push(file)
    report.stopped = options.signal?.aborted === true
    if (report.stopped) break
  }
  if (options.complete && !report.stopped) {
    await completeFiles({ db, contractorId: contractor.id }, complete, options.complete, { report, options })
    report.stopped = options.signal?.aborted === true
  }
  if (!report.stopped) await nameContradictions(db, contractor.id, started.toISOString(), report)
  // The next search or load indexes what a stopped load left in the queue.
  if (!report.stopped) {
    const slices = new Slices(db)
    await indexQueued(db, contractor.id, slices, options.signal)
    await refreshStatistics(db, TABLES, () => slices.between())
    report.customersWithoutProject = await countWithoutProject(db.orm, contractor.id)
  }
  report.milliseconds = Math.round(performance.now() - began)
  return report
}
