import { addContractorNames, type JurisdictionLabels, provideJurisdiction } from '@/db/queries/permits/load'
import { type UpsertRecord, upsertByReference } from '@/db/queries/upsert'
import { newId } from '@/lib/core/ids'
import { inSlices } from '@/lib/core/slices'
import { companyKey, streetParts } from '@/lib/knowledge/permits/street'
import type { Row } from '../rows'
import type { Target } from '../write'
import { BLDS, PERMIT_NUM } from './blds'

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
export function permitWriter(target: PermitTarget): Target['write'] {
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
