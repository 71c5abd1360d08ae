import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '@/db/client'
import { csvLine } from '@/lib/core/csv-line'
import { loadPermits, type PermitFormat, type PermitReport } from '@/lib/load/permits/load'

/** The mapping of Nashville's own columns that comes with us. */
export const NASHVILLE_MAP = join(import.meta.dirname, '..', 'load', 'permits', 'maps', 'us-tn-nashville.json')

/** Loads a CSV text as a file of permits. `map` is a path, or a mapping to write to a file next to it. */
export async function loadPermitText(
  db: Database,
  csv: string,
  options: { jurisdiction: string; format?: PermitFormat; map?: string | object },
): Promise<PermitReport> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-permits-'))
  const path = join(folder, 'permits.csv')
  writeFileSync(path, csv)
  const { jurisdiction, format = 'blds', map } = options
  const mapPath = typeof map === 'object' ? join(folder, 'map.json') : map
  if (typeof map === 'object') writeFileSync(join(folder, 'map.json'), JSON.stringify(map))
  try {
    return await loadPermits(db, { jurisdiction, format, map: mapPath, path })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A CSV text of rows with the same fields in the same order. */
export const csvOf = (rows: Record<string, string | number>[]): string =>
  [Object.keys(rows[0] ?? {}), ...rows.map(Object.values)].map(csvLine).join('')

/** A row in the columns of Nashville's portal; addresses and people are invented. */
export const nashvilleRow = (number: string, change: Record<string, string | number> = {}) => ({
  Permit__: number,
  Permit_Type_Description: 'Building Residential - Roofing / Siding',
  Permit_Subtype_Description: 'Single Family Residence',
  Parcel: '00000000000',
  Date_Entered: '1681189200000',
  Date_Issued: '',
  Const_Cost: '12500',
  Address: '100 EXAMPLE AVE S',
  City: 'NASHVILLE',
  State: 'TN',
  Subdivision_Lot: 'LOT 1',
  Contact: 'EXAMPLE ROOFING LLC',
  Per_Ty: 'CARK',
  Per_SubTy: 'CAA01R301',
  IVR_Trk_: '1',
  Purpose: 'Replace shingles',
  Council_Dist: '1',
  Lon: '-86.78',
  Lat: '36.16',
  ObjectId: '1',
  ZIP: '37200',
  ...change,
})
