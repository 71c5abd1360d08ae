import { basename } from 'node:path'
import type { Database } from '@/db/client'
import {
  addContractorNames,
  countJurisdiction,
  type JurisdictionLabels,
  type LoadedJurisdiction,
  loadedJurisdiction,
  provideJurisdiction,
  refreshPermitStatistics,
} from '@/db/queries/permits/load'
import { databaseNow, indexQueued, queuePermits } from '@/db/queries/search-queue'
import { type UpsertRecord, upsertByReference } from '@/db/queries/upsert'
import { ServiceError } from '@/lib/core/errors'
import { newId } from '@/lib/core/ids'
import { inSlices } from '@/lib/core/slices'
import { companyKey, streetParts } from '@/lib/knowledge/permits/street'
import { type Column, type FileKind, plain, type Read } from '../columns'
import { loadFile } from '../file'
import { type LoadOptions, type LoadReport, newReport } from '../report'
import type { Row } from '../rows'
import type { Target } from '../write'
import { BLDS, type BldsField, bldsField, PERMIT_NUM } from './blds'
import { dateReader } from './dates'
import { type Mapping, readMapping } from './mapping'

type Source = Mapping['fields'][string]

/** Maps a cell by a table of values, compared without case and surrounding blanks. */
function byValues(values: Record<string, string | null>, otherwise: string | null | undefined): (cell: string) => Read {
  const table = new Map(Object.entries(values).map(([raw, mapped]) => [raw.trim().toLowerCase(), mapped]))
  return (cell) => {
    const mapped = table.get(cell.toLowerCase())
    if (mapped !== undefined) return { value: mapped }
    return otherwise === undefined
      ? { reason: 'is not in the values of the mapping file; add it there, or add otherwise' }
      : { value: otherwise }
  }
}

function readerOf({ type, read }: BldsField, source: Source): Column['read'] {
  const { date, timeZone, values, otherwise } = typeof source === 'string' ? {} : source
  if (type === 'date') return dateReader(date ?? 'iso', timeZone)
  return values ? byValues(values, otherwise) : read
}

function columnOf(field: BldsField, source: Source): Column {
  const header = typeof source === 'string' ? source : source.column
  const column: Column = { field: field.field, headers: [header], read: readerOf(field, source) }
  return field === PERMIT_NUM ? { ...column, required: true } : column
}

/**
 * Returns how a file of permits is read. `blds`: columns have the specification's names, or those that cities write for them, unless
 * the mapping renames them; `csv`: only
 * mapped columns are read, and all of them must exist.
 */
function permitKind(file: string, format: 'blds' | 'csv', mapping: Mapping | undefined): FileKind {
  const named: Column[] = BLDS.flatMap((field) => {
    const source = mapping?.fields[field.name] ?? (format === 'blds' ? field.name : undefined)
    if (source === undefined || field.name in (mapping?.constants ?? {})) return []
    const column = columnOf(field, source)
    const isNamed = field.name in (mapping?.fields ?? {})
    if (format === 'blds' && !isNamed && field.aliases) return [{ ...column, aliases: field.aliases }]
    // A mapped column must exist: a misspelled one must not count as blank.
    return [isNamed ? { ...column, expected: true as const } : column]
  })
  const [first = columnOf(PERMIT_NUM, PERMIT_NUM.name), ...others] = named
  return { file, table: 'permits', columns: [first, ...others], oneOf: ['appliedDate', 'issuedDate'] }
}

/** Returns the fields that are the same for every permit, by their names in a row. */
const constantsOf = (mapping: Mapping | undefined): Record<string, string> =>
  Object.fromEntries(
    Object.entries(mapping?.constants ?? {}).map(([name, value]) => [bldsField(name)?.field ?? plain(name), value]),
  )

/** The jurisdiction of a file's permits, and the values all of them share. */
export type PermitTarget = {
  jurisdiction: string
  labels: JurisdictionLabels | undefined
  constants: Record<string, string>
}

/** Computed columns, each with the field it is computed from. */
const DERIVED = [
  { column: 'street_key', type: 'text', from: 'originalAddress1' },
  { column: 'house_number', type: 'int', from: 'originalAddress1' },
  { column: 'contractor_key', type: 'text', from: 'contractorCompanyName' },
]

function recordOf({ jurisdiction, constants }: PermitTarget, row: Row): UpsertRecord {
  const values: Row['values'] = { ...constants, ...row.values }
  const record: UpsertRecord = { id: newId('permit'), jurisdiction_id: jurisdiction }
  for (const { column, field } of BLDS) record[column] = values[field] ?? null
  // A latitude without a longitude, or the reverse, is ignored.
  if (record.latitude === null || record.longitude === null) record.latitude = record.longitude = null
  const { number, street } = streetParts(values.originalAddress1 ?? '')
  const { contractorCompanyName: company } = values
  return { ...record, street_key: street, house_number: number, contractor_key: company ? companyKey(company) : null }
}

/** Returns the columns to write. Both halves of a coordinate change together: a file with only one of its columns changes neither. */
function columnsFor(present: string[]) {
  const place = ['latitude', 'longitude']
  const has = (field: string) => (place.includes(field) ? place : [field]).every((each) => present.includes(each))
  return [
    { column: 'id', type: 'text', update: false },
    { column: 'jurisdiction_id', type: 'text', update: false },
    ...BLDS.map((each) => ({ column: each.column, type: each.type, update: each !== PERMIT_NUM && has(each.field) })),
    ...DERIVED.map(({ column, type, from }) => ({ column, type, update: has(from) })),
  ]
}

const contractorsOf = (records: UpsertRecord[]) => {
  const names = new Map<string, string>()
  for (const { contractor_key: key, contractor_company_name: name } of records)
    if (typeof key === 'string' && typeof name === 'string' && key !== '' && !names.has(key)) names.set(key, name)
  return [...names].map(([key, name]) => ({ key, name }))
}

/** Writes permits of a jurisdiction in the order of their numbers, so that two loads wait for each other instead of deadlocking. */
function permitWriter(target: PermitTarget): Target['write'] {
  const { jurisdiction, labels, constants } = target
  return async ({ orm, fields, verdicts }, batch) => {
    for (const row of batch)
      if (!row.values.appliedDate && !row.values.issuedDate)
        verdicts.refuse(row, 'appliedDate', 'is blank, and so is IssuedDate; one of them is required')
    const sound = batch.filter((row) => verdicts.isSound(row))
    const records = await inSlices(sound, (row) => recordOf(target, row))
    records.sort((a, b) => (String(a.permit_num) < String(b.permit_num) ? -1 : 1))
    const fallback = { name: jurisdiction, state: jurisdiction.slice(3, 5).toUpperCase() }
    await provideJurisdiction(orm, jurisdiction, labels, fallback)
    const columns = columnsFor([...fields, ...Object.keys(constants)])
    const counts = await upsertByReference(orm, 'permits', columns, records, { key: 'jurisdiction_id, permit_num' })
    await addContractorNames(orm, jurisdiction, contractorsOf(records))
    return counts
  }
}

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
