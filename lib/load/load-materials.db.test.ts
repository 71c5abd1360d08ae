import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows } from '@/db/client'
import { openTestDatabase } from '@/lib/testing/database'
import { makeTenant } from '@/lib/testing/tenant'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

const HEADER = 'Item,Name,Trade,Unit,Unit Cost,Currency,Supplier,Date,Region'
const csv = (...lines: string[]) => ({ 'materials.csv': [HEADER, ...lines].join('\n') })
const stored = (contractorId: string) =>
  rows<{ item: string; unit: string; cost: string; currency: string; day: string }>(
    db.orm,
    sql`select item_key as item, unit, unit_cost::text as cost, currency, observed_on::text as day
      from material_prices where contractor_id = ${contractorId} order by item_key, observed_on, supplier`,
  )

test('materials.csv: a new day adds a price, the same day corrects it, the same file changes nothing', async () => {
  const { contractor, load } = await makeTenant(db)
  const first = csv('Rebar #4,x,,ea,1,,,2026-01-02,', 'tile,Tile,floors,Sq. Ft.,$3.49,,A,11/02/2026,Nashville')
  expect((await load(first)).files[0]).toMatchObject({ rows: 2, added: 1, refused: 1 })
  expect((await load(first)).files[0]).toMatchObject({ added: 0, updated: 0, unchanged: 1 })
  const later = csv(
    'TILE,Tile,floors,sf,3.59,,A,2026-11-02,Nashville',
    'tile,Tile,floors,ft2,3.69,,A,2026-11-20,Nashville',
    'tile,Tile,floors,ft2,3.39,EUR,B,2026-11-20,Nashville',
  )
  expect((await load(later)).files[0]).toMatchObject({ added: 2, updated: 1 })
  expect(await stored(contractor.id)).toEqual([
    { item: 'tile', unit: 'ft2', cost: '3.59', currency: 'USD', day: '2026-11-02' },
    { item: 'tile', unit: 'ft2', cost: '3.69', currency: 'USD', day: '2026-11-20' },
    { item: 'tile', unit: 'ft2', cost: '3.39', currency: 'EUR', day: '2026-11-20' },
  ])
})

test('materials.csv: bad rows are reported, the others are loaded', async () => {
  const { contractor, load } = await makeTenant(db)
  const { faults } = await load(
    csv(
      'osb,OSB,,sheet,16.45,,,2026-11-02,',
      'osb,OSB,,sheet,17.00,,,2026-11-02,',
      'osb,OSB,,sheet,0.00,,,2026-11-03,',
      'osb,OSB,,sheet,-1,,,2026-11-04,',
      'osb,OSB,,sheet,16.455,,,2026-11-05,',
      'osb,,,sheet,16,,,2026-11-06,',
      'osb,OSB,,sheet,16.45501,,,2026-11-08,',
      'osb,OSB,,sheet,16,,,soon,',
    ),
  )
  expect(faults.map(({ line, field, reason }) => [line, field, reason.split(' ').slice(0, 4).join(' ')])).toEqual([
    [3, 'Item', 'is already used on'],
    [4, 'Unit Cost', 'is not a price'],
    [5, 'Unit Cost', 'is not a price'],
    [6, 'Unit Cost', 'may be thousands or'],
    [7, 'Name', 'is blank'],
    [8, 'Unit Cost', 'is not a price'],
    [9, 'Date', 'is not a date'],
  ])
  expect(await stored(contractor.id)).toHaveLength(1)
})

test('materials.csv: unit costs of up to four decimals are kept as they are', async () => {
  const { contractor, load } = await makeTenant(db)
  const file = csv(
    'screw,Screw,,ea,0.0475,,,2026-11-02,',
    'wire,Wire,,ft,$1.2500,,,2026-11-02,',
    'nut,Nut,,ea,0.125,,,2026-11-02,',
  )
  expect((await load(file)).faults).toEqual([])
  expect((await stored(contractor.id)).map(({ item, cost }) => [item, cost])).toEqual([
    ['nut', '0.125'],
    ['screw', '0.0475'],
    ['wire', '1.25'],
  ])
  expect((await load(file)).files[0]).toMatchObject({ added: 0, updated: 0, unchanged: 3 })
})

test('materials.csv: two contractors’ price books stay separate, even with the same line in both', async () => {
  const [a, b] = [await makeTenant(db), await makeTenant(db)]
  await a.load(csv('osb,OSB,,sheet,16.45,,,2026-11-02,'))
  expect((await b.load(csv('osb,OSB,,sheet,99.99,,,2026-11-02,'))).files[0]).toMatchObject({ added: 1 })
  expect(await stored(a.contractor.id)).toMatchObject([{ cost: '16.45' }])
})
