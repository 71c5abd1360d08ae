import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, shareDatabase } from '@/db/client'
import { findJurisdiction } from '@/db/queries/permits/jurisdictions'
import { findPermits } from '@/db/queries/permits/search'
import { runCommand } from '@/lib/cli/run'
import { openTestDatabase } from '@/lib/testing/database'
import { csvOf, loadPermitText, NASHVILLE_MAP, nashvilleRow } from '@/lib/testing/permits'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const inOrder = async (jurisdiction: string) =>
  (await findPermits(db, { jurisdiction, limit: 100 })).sort((a, b) => (a.permitNum < b.permitNum ? -1 : 1))
const countsOf = ({ files: [file] }: Awaited<ReturnType<typeof loadPermitText>>) =>
  [file?.rows, file?.added, file?.updated, file?.unchanged, file?.refused] as const

test('a city’s own columns load through a built-in mapping as BLDS fields, dates and values; a second load changes nothing', async () => {
  const csv = csvOf([
    nashvilleRow('T1'),
    nashvilleRow('T2', { Permit_Type_Description: 'Building Sign Permit', Per_Ty: 'CASN', Lat: '0', Lon: '0' }),
    nashvilleRow('T3', { Permit_Type_Description: 'Building Demolition Permit', Date_Issued: '1681275600000' }),
  ])
  const load = () => loadPermitText(db, csv, { jurisdiction: 'us-tn-city', format: 'csv', map: NASHVILLE_MAP })
  const report = await load()
  expect([report.faults, countsOf(report)]).toEqual([[], [3, 3, 0, 0, 0]])
  const [roof, sign, demolition] = await inOrder('us-tn-city')
  expect(roof).toMatchObject({
    permitNum: 'T1',
    appliedDate: '2023-04-11',
    issuedDate: null,
    permitType: 'Building Residential - Roofing / Siding',
    permitClass: 'Single Family Residence',
    workClass: 'Roofing / Siding',
    estProjectCost: '12500.00',
    contractor: 'EXAMPLE ROOFING LLC',
    address: '100 EXAMPLE AVE S',
    latitude: 36.16,
    longitude: -86.78,
  })
  expect(sign).toMatchObject({ latitude: null, longitude: null, workClass: null })
  expect(demolition).toMatchObject({ issuedDate: '2023-04-12', workClass: 'Demolition' })
  const found = await findPermits(db, { jurisdiction: 'us-tn-city', permitTypes: ['ROOF'], limit: 9 })
  expect(found.map(({ permitNum }) => permitNum)).toEqual(['T1'])
  expect(await findJurisdiction(db, 'us-tn-city')).toMatchObject({
    jurisdictionName: 'Metropolitan Nashville and Davidson County',
    permits: 3,
    withIssued: 1,
    withBoth: 1,
    withCoordinates: 2,
    firstApplied: '2023-04-11',
    firstIssued: '2023-04-12',
  })
  expect(countsOf(await load())).toEqual([3, 0, 0, 3, 0])
})

test('a changed row is an update, a blank cell clears the value, a missing column keeps it', async () => {
  const jurisdiction = 'us-xx-updates'
  const row = {
    PermitNum: 'A1',
    AppliedDate: '2026-01-05',
    StatusCurrent: 'In Review',
    Fee: '50',
    Latitude: '36',
    Longitude: '-86',
  }
  await loadPermitText(db, csvOf([row]), { jurisdiction })
  const changed = {
    PermitNum: 'A1',
    AppliedDate: '2026-01-05',
    IssuedDate: '2026-01-20',
    StatusCurrent: '',
    Latitude: '37',
  }
  expect(countsOf(await loadPermitText(db, csvOf([changed]), { jurisdiction }))).toEqual([1, 0, 1, 0, 0])
  expect(await inOrder(jurisdiction)).toMatchObject([
    { issuedDate: '2026-01-20', status: null, latitude: 36, longitude: -86 },
  ])
  expect(await findJurisdiction(db, jurisdiction)).toMatchObject({ jurisdictionName: jurisdiction, state: 'XX' })
})

test('bad rows are reported with line, column and reason; the others are loaded', async () => {
  const rows = [
    {
      permitnum: 'B1',
      applieddate: '2026-01-05',
      issueddate: '',
      estprojectcost: '1000.5000',
      latitude: '36.1',
      link: '',
    },
    { permitnum: '', applieddate: '2026-01-05', issueddate: '', estprojectcost: '', latitude: '', link: '' },
    {
      permitnum: 'B3',
      applieddate: '13/13/2026',
      issueddate: '',
      estprojectcost: '-5',
      latitude: '136',
      link: 'ftp://x',
    },
    { permitnum: 'B4', applieddate: '', issueddate: '', estprojectcost: '', latitude: '', link: '' },
    { permitnum: 'B1', applieddate: '2026-02-05', issueddate: '', estprojectcost: '', latitude: '', link: '' },
    { permitnum: 'B6', applieddate: '', issueddate: '2026-02-05', estprojectcost: '', latitude: '', link: '' },
  ]
  const report = await loadPermitText(db, csvOf(rows), { jurisdiction: 'us-xx-faults' })
  expect(countsOf(report)).toEqual([6, 2, 0, 0, 4])
  expect(report.faults.map(({ line, field, reason }) => `${line} ${field} ${reason}`)).toEqual([
    '3 PermitNum is blank',
    '4 AppliedDate is not a date such as 2026-11-20',
    '4 EstProjectCost is not an amount of zero or more such as 12500.00',
    '4 Latitude is not degrees from -90 to 90',
    '4 Link is not an http or https URL',
    '5 AppliedDate is blank, and so is IssuedDate; one of them is required',
    '6 PermitNum is already used on line 2',
  ])
  expect(await inOrder('us-xx-faults')).toMatchObject([
    { permitNum: 'B1', estProjectCost: '1000.50', latitude: null },
    { permitNum: 'B6', datedOn: '2026-02-05' },
  ])
})

test('values of a mapping: unlisted ones are refused or become the `otherwise` value; constants apply to every row', async () => {
  const map = {
    jurisdiction: { name: 'Exampleton', state: 'XX', source: 'Open data', licence: 'CC0' },
    fields: {
      PermitNum: 'No',
      AppliedDate: { column: 'Filed', date: 'MM/DD/YYYY' },
      PermitType: 'Kind',
      PermitTypeMapped: { column: 'Kind', values: { 'Re-Roof': 'Roof' } },
      WorkClass: { column: 'Work', values: { n: 'New' }, otherwise: 'Existing' },
    },
    constants: { OriginalCity: 'Exampleton', StatusCurrent: 'Issued' },
  }
  const csv = 'No,Filed,Kind,Work\n1,1/2/2026,re-roof,N\n2,1/3/2026,Deck,x\n3,1/4/2026,Re-Roof,x'
  const report = await loadPermitText(db, csv, { jurisdiction: 'us-xx-values', format: 'csv', map })
  expect(report.faults).toMatchObject([{ line: 3, field: 'Kind', value: 'Deck' }])
  expect(await inOrder('us-xx-values')).toMatchObject([
    { permitNum: '1', workClass: 'New', city: 'Exampleton', status: 'Issued', permitType: 're-roof' },
    { permitNum: '3', workClass: 'Existing' },
  ])
})

test('a file that cannot be loaded says why, and adds no jurisdiction', async () => {
  const csv = 'No,Filed\n1,2026-01-02'
  const refused = (options: Parameters<typeof loadPermitText>[2]) => expect(loadPermitText(db, csv, options)).rejects
  await refused({ jurisdiction: 'Nashville' }).toThrow('is not an id such as us-tn-nashville')
  await refused({ jurisdiction: 'us-xx-none', format: 'csv' }).toThrow('needs a mapping file')
  const map = {
    jurisdiction: { name: 'X', state: 'XX' },
    fields: { PermitNum: 'No', AppliedDate: 'Filed', Fee: 'Fees' },
  }
  const { files } = await loadPermitText(db, csv, { jurisdiction: 'us-xx-none', format: 'csv', map })
  expect(files[0]?.problem).toContain('The column Fees is missing')
  expect(await findJurisdiction(db, 'us-xx-none')).toBeUndefined()
})

test('load-permits prints the report; with --strict it exits with 1 when a row was refused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-cli-'))
  try {
    writeFileSync(join(folder, 'p.csv'), csvOf([nashvilleRow('C1'), nashvilleRow('C1'), nashvilleRow('C2')]))
    const [out, err]: string[][] = [[], []]
    const io = { out: (text: string) => void out?.push(text), err: (text: string) => void err?.push(text), cwd: folder }
    const argv = ['load-permits', '--jurisdiction', 'us-tn-cli', '--format', 'csv', '--map', NASHVILLE_MAP, 'p.csv']
    expect(await runCommand(argv, io)).toBe(0)
    expect(out?.join('')).toMatch(/p\.csv +3 +2 +0 +0 +1\n/)
    expect(out?.join('')).toContain('p.csv:3 Permit__ "C1": is already used on line 2')
    expect(out?.join('')).toContain(
      'us-tn-cli now: 2 permits, applied for from 2023-04-11 to 2023-04-11; 0 with an issue date',
    )
    expect(await runCommand([...argv, '--strict'], io)).toBe(1)
    expect(err?.join('')).toContain('Some rows or the file were refused')
    expect(await runCommand(['load-permits', '--jurisdiction', 'us-tn-cli', '--format', 'xml', 'p.csv'], io)).toBe(2)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
