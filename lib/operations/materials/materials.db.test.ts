import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type * as z from 'zod'
import { type Database, rows, shareDatabase } from '@/db/client'
import { callTool, requireTool } from '@/lib/mcp/call-tool'
import { actorOf, answerOf } from '@/lib/testing/answer-of'
import { openTestDatabase } from '@/lib/testing/database'
import { makeTenant } from '@/lib/testing/tenant'
import { estimateTakeoff } from './estimate-takeoff'
import { priceProject } from './price-project'
import { searchMaterials } from './search-materials'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const NOW = new Date('2026-11-20T12:00:00Z')
const HEADER = 'Item,Name,Trade,Unit,Unit Cost,Currency,Supplier,Date,Region'
const book = (mark = '', cost = '') => [
  `shingle-architectural,Architectural shingles${mark},roofing,bundle,${cost || '38.00'},,River${mark},2026-11-02,Nashville`,
  `shingle-architectural,Architectural shingles${mark},roofing,bundle,${cost || '41.00'},,Hill${mark},2026-10-05,Franklin`,
  `shingle-architectural,Architectural shingles${mark},roofing,bundle,${cost || '36.50'},,River${mark},2026-08-16,Nashville`,
  `shingle-architectural,Architectural shingles${mark},roofing,bundle,${cost || '20.00'},,River${mark},2025-08-16,Nashville`,
  `ridge-cap,Hip and ridge cap${mark},roofing,bundle,${cost || '62.50'},,River${mark},2026-11-02,Nashville`,
  `starter-strip,Starter strip${mark},roofing,bundle,${cost || '54.80'},,River${mark},2026-11-02,Nashville`,
  `underlayment-synthetic-10sq,Synthetic underlayment${mark},roofing,roll,${cost || '99.75'},,River${mark},2026-03-01,Nashville`,
  `drip-edge-10ft,Drip edge${mark},roofing,ft,${cost || '1.08'},,River${mark},2026-11-02,Nashville`,
  `tomorrow,Announced${mark},roofing,each,${cost || '5.00'},,River${mark},2026-11-21,Nashville`,
]

async function tenantWith(lines: string[]) {
  const { contractor, load } = await makeTenant(db)
  const { faults } = await load({ 'materials.csv': [HEADER, ...lines].join('\n') })
  expect(faults).toEqual([])
  const actor = actorOf(contractor)
  return {
    contractor,
    search: (input: z.input<typeof searchMaterials.input>) => answerOf(searchMaterials, { actor, now: NOW, input }),
    price: (input: z.input<typeof priceProject.input>) => answerOf(priceProject, { actor, now: NOW, input }),
  }
}
const ROOF = { kind: 'roofing', length: 40, width: 30, rise: 6 } as const

test('price_project: a 30 by 40 ft gable at 6/12 from the book, each figure by hand', async () => {
  const { price } = await tenantWith(book())
  const { answer } = await price({ assemblies: [ROOF], markupPercent: 20, taxPercent: 9.25 })
  expect(answer.lines.map(({ item, quantity, unitCost, total }) => [item, quantity, unitCost, total])).toEqual([
    // The newest prices are River's 38.00 and Hill's 41.00; their median is 39.50; 45 bundles.
    [
      'shingle-architectural',
      45,
      { low: 36.5, expected: 39.5, high: 41 },
      { low: 1642.5, expected: 1777.5, high: 1845 },
    ],
    ['ridge-cap', 2, { low: 62.5, expected: 62.5, high: 62.5 }, { low: 125, expected: 125, high: 125 }],
    ['starter-strip', 2, { low: 54.8, expected: 54.8, high: 54.8 }, { low: 109.6, expected: 109.6, high: 109.6 }],
    [
      'underlayment-synthetic-10sq',
      2,
      { low: 99.75, expected: 99.75, high: 99.75 },
      { low: 199.5, expected: 199.5, high: 199.5 },
    ],
  ])
  expect(answer.lines[0]).toMatchObject({
    prices: 3,
    oldest: '2026-08-16',
    newest: '2026-11-02',
    suppliers: ['Hill', 'River'],
  })
  expect(answer.missing).toEqual([
    {
      item: 'drip-edge-10ft',
      name: 'Drip edge, 10 ft',
      quantity: 17,
      unit: 'each',
      reason: 'priced by ft, not by each',
    },
    {
      item: 'roofing-nails-coil-7200',
      name: 'Coil roofing nails, 7,200',
      quantity: 1,
      unit: 'box',
      reason: 'not in the price book',
    },
  ])
  expect(answer.stale).toEqual(['underlayment-synthetic-10sq'])
  // 1,777.50 + 125 + 109.60 + 199.50 = 2,211.60; 20 % = 442.32; 9.25 % of 2,211.60 = 204.573.
  expect([answer.materials, answer.markup, answer.tax, answer.total].map((range) => range?.expected)).toEqual([
    2211.6, 442.32, 204.57, 2858.49,
  ])
  expect(answer.notCounted).toContain('valleys')
  expect(answer.labor).toBeNull()
  expect(answer.notIncluded).toEqual(
    expect.arrayContaining(['labor: the price book has no labor-roofing', 'equipment, delivery and disposal']),
  )
})

test('price_project: labor that the book prices by the square or the foot is a sum of its own, by the hour it is asked for', async () => {
  const { price } = await tenantWith([
    ...book(),
    'labor-roofing,Roofing crew,labor,square,145.00,,Crew,2026-11-02,Nashville',
    'labor-deck,Deck crew,labor,hour,65.00,,Crew,2026-11-02,Nashville',
  ])
  const terms = { markupPercent: 20, taxPercent: 9.25 }
  const { answer } = await price({ assemblies: [ROOF], ...terms })
  // 13.416 squares x 145.00 = 1,945.32, beside the 2,858.49 of materials, markup and tax.
  expect([answer.labor?.expected, answer.total?.expected, answer.materials?.expected]).toEqual([
    1945.32, 4803.81, 2211.6,
  ])
  expect(answer.notIncluded.join()).not.toMatch(/labor|tax/)
  const deck = { kind: 'deck', length: 16, width: 12 } as const
  const byHour = (await price({ assemblies: [deck], lines: [{ item: 'labor-deck', quantity: 20 }] })).answer
  expect(byHour.labor?.expected).toBe(1300)
  expect(byHour.notIncluded).toContain('labor: labor-deck is priced by hour; give it as a line with a quantity')
})

test('price_project: an implausible dimension is a question, not a price', async () => {
  const { price } = await tenantWith(book())
  const flat = { ...ROOF, rise: 1 }
  const slab = { kind: 'concrete_slab', length: 20, width: 10, thickness: 18 } as const
  await expect(price({ assemblies: [flat] })).rejects.toThrow(/R905\.2\.2/)
  await expect(price({ assemblies: [ROOF, slab] })).rejects.toMatchObject({
    code: 'bad_request',
    fields: [{ field: 'assemblies.1.thickness', message: expect.stringContaining('18 in was given') }],
  })
  expect((await price({ assemblies: [slab], confirmed: ['assemblies.0.thickness'] })).answer.missing).toHaveLength(1)
})

test('price_project: the order of a take-off costs what its assemblies cost', async () => {
  const { contractor, price } = await tenantWith(book())
  const input = { assemblies: [ROOF, { ...ROOF, length: 20 }] }
  const { answer } = await answerOf(estimateTakeoff, { actor: actorOf(contractor), now: NOW, input })
  // 44.27 and 22.14 bundles: 45 and 23 alone, and 67 when one bundle serves both.
  expect(answer.order[0]).toEqual({ item: 'shingle-architectural', quantity: 67, unit: 'bundle' })
  expect((await price({ lines: answer.order })).answer.total).toEqual((await price(input)).answer.total)
})

test('estimate_takeoff: an order is rounded once for the job, and not for each assembly', async () => {
  const { contractor } = await tenantWith(book())
  const ask = async (assemblies: z.input<typeof estimateTakeoff.input>['assemblies']) => {
    const { answer } = await answerOf(estimateTakeoff, { actor: actorOf(contractor), now: NOW, input: { assemblies } })
    return Object.fromEntries(answer.order.map(({ item, quantity }) => [item, quantity]))
  }
  const bath = { kind: 'tile', area: 12, tileLength: 12, tileWidth: 12 } as const
  // 72 ft2 + 10 % = 79.2, so 80 ft2 and not 6 x 14: of mortar 79.2 / 60 = 1.32 bags; of grout 72 x 0.06503 + 10 % = 5.15 lb of 25.
  expect(await ask(Array.from({ length: 6 }, () => bath))).toEqual({ tile: 80, 'thinset-50lb': 2, 'grout-25lb': 1 })
  // Boxes of 10 and of 15 ft2 are two tiles: 13.2 ft2 are two boxes of the one and one of the other.
  expect(
    (
      await ask([
        { ...bath, boxArea: 10 },
        { ...bath, boxArea: 15 },
      ])
    ).tile,
  ).toBe(20 + 15)
})

test('estimate_takeoff: what no quantity was given for is named, and lines have what is described', async () => {
  const { contractor } = await tenantWith(book())
  const ask = async (assembly: z.input<typeof estimateTakeoff.input>['assemblies'][number]) =>
    (await answerOf(estimateTakeoff, { actor: actorOf(contractor), now: NOW, input: { assemblies: [assembly] } }))
      .answer.assemblies[0]
  const wall = { wallLength: 140, height: 9 }
  const channel = 'J-channel around the openings: give openingsPerimeter'
  expect((await ask({ kind: 'siding', ...wall, openingsArea: 90 }))?.notCounted).toContain(channel)
  for (const more of [{}, { openingsArea: 90, openingsPerimeter: 84 }])
    expect((await ask({ kind: 'siding', ...wall, ...more }))?.notCounted).not.toContain(channel)
  expect((await ask({ kind: 'fiber_cement_siding', ...wall, openingsArea: 90 }))?.notCounted).toContain(
    'trim around the openings: give openingsPerimeter',
  )
  const framed = await ask({ kind: 'framed_wall', length: 20, height: 8, openingsArea: 15 })
  expect(framed?.notCounted).toEqual(
    expect.arrayContaining(['studs of corners: give corners', 'studs beside the openings: give openings']),
  )
  expect(Object.keys(framed?.lines[0] ?? {})).toEqual(
    Object.keys(estimateTakeoff.example.assemblies[0]?.lines[0] ?? {}),
  )
})

test('price_project: lines, a region, a day in the past, another currency', async () => {
  const { price } = await tenantWith(book())
  const lines = [{ item: 'Shingle-Architectural', quantity: 10 }]
  const unit = async (input: object) => (await price({ lines, ...input })).answer
  expect((await unit({ region: 'FRANKLIN' })).lines[0]?.unitCost).toEqual({ low: 41, expected: 41, high: 41 })
  expect((await unit({ asOf: '2025-12-01' })).lines[0]).toMatchObject({ unitCost: { expected: 20 }, stale: false })
  expect((await unit({ asOf: '2026-07-01' })).stale).toEqual(['shingle-architectural'])
  expect((await unit({ asOf: '2025-01-01' })).missing[0]?.reason).toBe(
    'no price before 2025-08-16; from that day 20 USD by bundle',
  )
  expect((await unit({ currency: 'EUR' })).missing[0]?.reason).toBe('priced in USD only')
  expect((await price({ lines: [{ item: 'tomorrow', quantity: 1 }] })).answer).toMatchObject({
    lines: [],
    missing: [{ item: 'tomorrow', reason: 'no price before 2026-11-21; from that day 5 USD by each' }],
    total: null,
  })
})

test('search_materials: found despite typing errors, with prices and their days', async () => {
  const { search } = await tenantWith(book())
  const { answer } = await search({ query: 'archtectural shingel' })
  expect(answer).toMatchObject({ currency: 'USD', more: 0, complete: true })
  expect(answer.items).toMatchObject([
    {
      item: 'shingle-architectural',
      unit: 'bundle',
      unitCost: { low: 36.5, expected: 39.5, high: 41 },
      newest: '2026-11-02',
      stale: false,
    },
  ])
  expect((await search({ query: 'underlayment' })).answer.items[0]).toMatchObject({ stale: true, newest: '2026-03-01' })
  expect((await search({ query: 'roofing', limit: 2 })).answer).toMatchObject({ items: [{}, {}], more: 4 })
  expect((await search({ query: 'roofing', trade: 'siding' })).answer.items).toEqual([])
  expect((await search({ query: 'announced' })).answer).toMatchObject({
    items: [],
    ahead: [{ item: 'tomorrow', unit: 'each', unitCost: 5, from: '2026-11-21' }],
  })
  expect((await search({ query: "'; drop table material_prices; --" })).answer.items).toEqual([])
})

test('search_materials: where an item is cheapest, by each supplier’s newest price', async () => {
  const { search } = await tenantWith([
    ...book(),
    'deck-screw,Deck screw,decks,each,0.0475,,Hill,2026-11-01,Nashville',
    'deck-screw,Deck screw,decks,each,0.0499,,River,2026-11-02,Nashville',
    'deck-screw,Deck screw,decks,each,0.02,,River,2026-10-02,Nashville',
  ])
  const { answer } = await search({ query: 'architectural shingles' })
  expect(answer.items[0]?.suppliers).toEqual([
    { supplier: 'River', region: 'Nashville', unitCost: 38, day: '2026-11-02' },
    { supplier: 'Hill', region: 'Franklin', unitCost: 41, day: '2026-10-05' },
  ])
  // Low is River’s price of October; expected (0.0475 + 0.0499) / 2 = 0.0487.
  const { answer: screws } = await search({ query: 'deck screw' })
  expect(screws.items[0]).toMatchObject({
    unitCost: { low: 0.02, expected: 0.0487, high: 0.0499 },
    suppliers: [{ supplier: 'Hill', unitCost: 0.0475 }, { supplier: 'River' }],
  })
})

test('price_project: what the book does not have is named with what is like it, and costs null', async () => {
  const { price } = await tenantWith(book())
  const { answer } = await price({
    lines: [
      { item: 'architectural-shingels', quantity: 3 },
      { item: 'xylophone', quantity: 1 },
    ],
  })
  expect(answer).toMatchObject({
    missing: [
      { item: 'architectural-shingels', reason: 'not in the price book', didYouMean: ['shingle-architectural'] },
      { item: 'xylophone' },
    ],
    materials: null,
    total: null,
  })
  expect(answer.missing[1]).not.toHaveProperty('didYouMean')
})

test('search_materials, price_project: another contractor’s price book never leaves and never counts', async () => {
  const a = await tenantWith(book())
  const ask = async () => [
    await a.search({ query: 'roofing shingles' }),
    await a.search({ query: 'do-not-leak' }),
    await a.price({ assemblies: [ROOF], lines: [{ item: 'canary', quantity: 1 }] }),
  ]
  const alone = (await ask()).map(({ answer }) => answer)
  await tenantWith([
    ...book(' do-not-leak', '7777.77'),
    'canary,do-not-leak,roofing,each,7777.77,,do-not-leak,2026-11-02,',
  ])
  const beside = await ask()
  expect(beside.map(({ answer }) => answer)).toEqual(alone)
  for (const { text } of beside) expect(text).not.toMatch(/do-not-leak|7777/)
})

test('each tool’s example is a call that works; nothing to price and impossible dimensions say so', async () => {
  const { contractor } = await tenantWith(book())
  const actor = actorOf(contractor)
  if (actor.kind !== 'key') throw new Error('tools are called with a key')
  for (const name of ['estimate_takeoff', 'search_materials', 'price_project']) {
    const tool = requireTool(name)
    const result = await callTool(tool, actor, tool.example)
    expect([name, result.isError]).toEqual([name, undefined])
  }
  const refused = async (name: string, args: unknown) =>
    (await callTool(requireTool(name), actor, args)).content[0]?.text
  expect(await refused('price_project', {})).toContain('nothing to price')
  expect(await refused('estimate_takeoff', { assemblies: [{ kind: 'deck', length: 10, width: 40 }] })).toContain(
    'beam in between',
  )
  expect(await refused('price_project', { lines: [{ item: 'x', quantity: 0.0001 }] })).toContain('three decimals')
  expect(await refused('estimate_takeoff', { assemblies: [{ kind: 'stairs', height: 3, length: 9 }] })).toContain(
    'stairs takes height, width, wastePercent',
  )
  expect(await refused('price_project', { assemblies: [{ kind: 'roofing', length: 40 }] })).toContain(
    'assemblies.0.width',
  )
  expect(await refused('estimate_takeoff', { assemblies: [{ ...ROOF, contractorId: 'con_other' }] })).toContain(
    'bad_request',
  )
})

test('price_project: the list of a stored project, with lines beside it', async () => {
  const { contractor, load } = await makeTenant(db)
  const other = await makeTenant(db)
  const books = {
    'materials.csv': [HEADER, ...book()].join('\n'),
    'customers.csv': 'Customer ID,Name\nC-1,Ana Ruiz',
    'projects.csv':
      'Project ID,Customer ID,Name,Status,Total Amount\nP-1,C-1,Roof,scheduled,12500.50\nP-2,C-1,Shed,estimate,100',
    'project-materials.csv': [
      'Project ID,Item,Qty,Unit',
      'P-1,shingle-architectural,"1,000.5",bundles',
      'P-1,Ridge Cap,2,',
      'P-1,nails,3,box',
      'P-1,starter-strip,0,bundle',
      'P-1,ridge-cap,-1,bundle',
      'P-9,ridge-cap,1,bundle',
    ].join('\n'),
  }
  const first = await load(books)
  expect(first.faults.map(({ line, field }) => [line, field])).toEqual([
    [6, 'Quantity'],
    [7, 'Project ID'],
  ])
  expect((await load(books)).files.at(-1)).toMatchObject({ added: 0, updated: 0, unchanged: 4 })
  const [roof = '', shed = ''] = (
    await rows<{ id: string }>(
      db.orm,
      sql`select id from projects where contractor_id = ${contractor.id} order by source_reference`,
    )
  ).map(({ id }) => id)
  const ask = (input: z.input<typeof priceProject.input>, actor = actorOf(contractor)) =>
    answerOf(priceProject, { actor, now: NOW, input })
  const { answer } = await ask({ projectId: roof, lines: [{ item: 'starter-strip', quantity: 1 }] })
  expect(answer.project).toEqual({ id: roof, name: 'Roof', status: 'scheduled', totalAmount: 12500.5, listed: 3 })
  // 1,000.5 x 39.50 = 39,519.75; 2 x 62.50; 1 x 54.80.
  expect(answer.lines.map(({ item, total }) => [item, total.expected])).toEqual([
    ['ridge-cap', 125],
    ['shingle-architectural', 39519.75],
    ['starter-strip', 54.8],
  ])
  expect(answer.missing).toMatchObject([{ item: 'nails', quantity: 3, unit: 'box' }])
  await expect(ask({ projectId: shed })).rejects.toThrow('No list of materials is loaded')
  await expect(ask({ projectId: roof }, actorOf(other.contractor))).rejects.toThrow('no project with this id')
  await expect(ask({ projectId: roof }, actorOf(contractor, ['read:materials']))).rejects.toThrow('read:projects')
})
