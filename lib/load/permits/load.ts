import { basename } from 'node:path'
import type { Database } from '@/db/client'
import {
  countJurisdiction,
  type LoadedJurisdiction,
  loadedJurisdiction,
  refreshPermitStatistics,
} from '@/db/queries/permits/load'
import { databaseNow, indexQueued, queuePermits } from '@/db/queries/search-queue'
import { ServiceError } from '@/lib/core/errors'
import { loadFile } from '../file'
import { type LoadOptions, type LoadReport, newReport } from '../report'
import { constantsOf, permitKind } from './kind'
import { readMapping } from './mapping'
import { permitWriter } from './write'

export const PERMIT_FORMATS = ['blds', 'csv'] as const
export type PermitFormat = (typeof PERMIT_FORMATS)[number]

/** A file of permits: its jurisdiction, its format, and the path of the mapping file. */
export type PermitFile = { jurisdiction: string; format: PermitFormat; map: string | undefined; path: string }

/** The result of loading permits, and what is now loaded for the jurisdiction; null when nothing is. */
export type PermitReport = LoadReport & { jurisdiction: string; loaded: LoadedJurisdiction | null }

const JURISDICTION = /^[a-z]{2}-[a-z]{2}(?:-[a-z0-9]+)+$/

/** @throws ServiceError `bad_request` when the id does not have the form of a jurisdiction's id */
function requireJurisdictionId(id: string): void {
  if (id.length <= 60 && JURISDICTION.test(id)) return
  throw new ServiceError(
    'bad_request',
    `The jurisdiction ${id.slice(0, 60)} is not an id such as us-tn-nashville: country, state and place in lower-case letters and digits, with dashes.`,
  )
}

/**
 * Loads a CSV file of permits in batches. A permit is identified by its number within the jurisdiction: loading the same file again
 * changes nothing, a changed row is an update. An unusable row is reported and the rest continues.
 * @throws ServiceError `bad_request` when the jurisdiction's id or the mapping file cannot be used
 */
export async function loadPermits(db: Database, file: PermitFile, options: LoadOptions = {}): Promise<PermitReport> {
  const began = performance.now()
  const started = await databaseNow(db)
  const { jurisdiction, format, map, path } = file
  requireJurisdictionId(jurisdiction)
  const mapping = map === undefined ? undefined : await readMapping(map)
  if (format === 'csv' && mapping?.fields.PermitNum === undefined)
    throw new ServiceError(
      'bad_request',
      'A file with a city’s own columns (--format csv) needs a mapping file (--map) whose fields name at least PermitNum and AppliedDate or IssuedDate.',
    )
  const report = newReport()
  const kind = permitKind(basename(path), format, mapping)
  const write = permitWriter({ jurisdiction, labels: mapping?.jurisdiction, constants: constantsOf(mapping) })
  await loadFile({ db, kind, write }, path, { report, options })
  await queuePermits(db.orm, jurisdiction, started)
  report.stopped = options.signal?.aborted === true
  if (!report.stopped) await indexQueued(db, 'public', options.signal)
  await countJurisdiction(db.orm, jurisdiction)
  await refreshPermitStatistics(db.orm)
  report.milliseconds = Math.round(performance.now() - began)
  return { ...report, jurisdiction, loaded: (await loadedJurisdiction(db.orm, jurisdiction)) ?? null }
}
