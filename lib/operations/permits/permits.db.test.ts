import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type * as z from 'zod'
import { type Database, shareDatabase } from '@/db/client'
import { callTool, requireTool } from '@/lib/mcp/call-tool'
import { actorOf, answerOf } from '@/lib/testing/answer-of'
import { openTestDatabase } from '@/lib/testing/database'
import { csvOf, loadPermitText, NASHVILLE_MAP, nashvilleRow } from '@/lib/testing/permits'
import { makeTenant } from '@/lib/testing/tenant'
import { estimatePermitTimeline } from './estimate-permit-timeline'
import { getPermitCoverage } from './get-permit-coverage'
import { searchPermits } from './search-permits'

const NOW = new Date('2026-11-20T12:00:00Z')
const ACTOR = actorOf({ id: 'con_of_a_test' })

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
  await loadPermitText(db, csvOf(CITY), { jurisdiction: 'us-tn-nashville', format: 'csv', map: NASHVILLE_MAP })
  await loadPermitText(db, csvOf(TOWN), { jurisdiction: 'us-xx-town' })
})
afterAll(() => db.close())

/** A thousandth of a degree of latitude is 111.2 m. */
const CITY = [
  nashvilleRow('S0', { Address: '100 EXAMPLE AVE S', Lat: '36.1600', Purpose: 'Replace shingles after hail' }),
  nashvilleRow('S1', { Address: '102 EXAMPLE AVE S', Lat: '36.1610', Date_Entered: '1683781200000' }),
  nashvilleRow('S2', { Address: '104 EXAMPLE AVE S', Lat: '36.1620', Contact: 'Stone & Sons Builders, Inc.' }),
  nashvilleRow('S3', {
    Address: '7 SAMPLE PIKE',
    Lat: '36.1700',
    Contact: 'STONE AND SONS BUILDERS',
    Permit_Type_Description: 'Building Demolition Permit',
    Per_Ty: 'CADM',
    Purpose: 'Demolish a swimming pool',
  }),
  nashvilleRow('S4', { Address: '300 FARAWAY LN', Lat: '36.3000', Contact: 'Northfield Exteriors LLC' }),
  nashvilleRow('S5', { Address: '300 FARAWAY LN', Lat: '36.1000', ZIP: '37299', Contact: 'Northfield Exteriors LLC' }),
]

type Filed = {
  type: string
  class: string
  work: string
  cost: number
  applied: number
  days: number | null
  status?: string
}
const dayAt = (days: number) => new Date(Date.UTC(2025, 0, 1) + days * 86_400_000).toISOString().slice(0, 10)
const filed = (count: number, each: (i: number) => Filed) => Array.from({ length: count }, (_, i) => each(i))
const roof = { type: 'ROOF', class: 'Residential', work: 'Existing', cost: 12_000 }

/** Waits that increase unevenly, so that median and mean differ. */
const ROOFS = filed(61, (i) => ({ ...roof, applied: i * 5, days: 3 + ((i * i) % 97) }))
const FILED: Filed[] = [
  ...ROOFS,
  ...filed(3, (i) => ({ ...roof, applied: i, days: -2 })),
  ...filed(2, (i) => ({ ...roof, applied: i, days: 1826 })),
  ...filed(4, (i) => ({ ...roof, applied: 300 + i, days: null })),
  { ...roof, applied: 300, days: null, status: 'Withdrawn by applicant' },
  ...filed(10, (i) => ({ ...roof, type: 'DECK', work: 'New', applied: i, days: 20 })),
  ...filed(25, (i) => ({ ...roof, type: 'DECK', work: 'Existing', applied: i, days: 40 + i })),
  { ...roof, type: 'DOCK', class: 'Marine', applied: 10, days: 5 },
]
const TOWN = FILED.map(({ type, class: permitClass, work, cost, applied, days, status = '' }, i) => ({
  PermitNum: `T-${i}`,
  AppliedDate: dayAt(applied),
  IssuedDate: days === null ? '' : dayAt(applied + days),
  StatusCurrent: status,
  OriginalAddress1: `${i + 1} TOWN RD`,
  PermitClass: permitClass,
  PermitType: type,
  WorkClass: work,
  EstProjectCost: cost,
  ContractorCompanyName: 'Town Builders LLC',
}))

const search = async (input: z.input<typeof searchPermits.input>) =>
  (await answerOf(searchPermits, { actor: ACTOR, now: NOW, input })).answer
const numbers = async (input: z.input<typeof searchPermits.input>) =>
  (await search(input)).permits.map(({ permitNum }) => permitNum)
const timeline = async (input: z.input<typeof estimatePermitTimeline.input>) =>
  (await answerOf(estimatePermitTimeline, { actor: ACTOR, now: NOW, input })).answer

test('search_permits: near a point, the nearest first, with distances, as far as the radius and no farther', async () => {
  const point = { latitude: 36.16, longitude: -86.78 }
  const { permits, near, truncated } = await search({ ...point, radius: 1112, unit: 'm' })
  expect(permits.map(({ permitNum, distance }) => [permitNum, distance])).toEqual([
    ['S0', 0],
    ['S1', 111],
    ['S2', 222],
    ['S3', 1112],
  ])
  expect([near?.radiusMeters, near?.located, truncated]).toEqual([1112, null, false])
  expect(await numbers({ ...point, radius: 1111, unit: 'm' })).toEqual(['S0', 'S1', 'S2'])
  // 0.1 degree of latitude is 11,119.5 m, 6.91 miles.
  expect(await numbers({ ...point, radius: 6.92, permitType: 'roof' })).toEqual(['S0', 'S1', 'S2', 'S5'])
  expect((await search({ ...point, radius: 0.1 })).permits[1]?.distance).toBeCloseTo(0.069, 3)
})

test('search_permits: near an address as the loaded permits know it, its neighbour, or not at all', async () => {
  const at = await search({ address: '102 Example Avenue South, Nashville, TN', radius: 150, unit: 'm' })
  expect(at.permits.map(({ permitNum }) => permitNum)).toEqual(['S1', 'S0', 'S2'])
  expect(at.near?.located).toEqual({ by: 'address', address: '102 EXAMPLE AVE S, NASHVILLE, 37200 (us-tn-nashville)' })
  const beside = await search({ address: '110 Example Ave S Nashville TN', radius: 10, unit: 'm' })
  expect([beside.near?.located?.by, beside.permits[0]?.permitNum]).toEqual(['nearest number on the street', 'S2'])
  await expect(search({ address: '900 Example Ave S' })).rejects.toThrow('not among the loaded permits')
  await expect(search({ address: 'Example Ave S' })).rejects.toThrow('must begin with a house number')
  await expect(search({ address: '300 Faraway Ln' })).rejects.toThrow(/several places.*37200.*37299/)
  expect(await numbers({ address: '300 Faraway Ln, Nashville, TN 37299' })).toEqual(['S5'])
})

test('search_permits: by street, type, class, work, day, and words', async () => {
  const jurisdiction = 'us-tn-nashville'
  expect(await numbers({ street: 'example avenue s' })).toEqual(expect.arrayContaining(['S0', 'S1', 'S2']))
  expect(await numbers({ jurisdiction, permitType: 'demolition' })).toEqual(['S3'])
  expect(await numbers({ jurisdiction, permitType: 'CADM' })).toEqual(['S3'])
  expect(
    await numbers({ jurisdiction, permitClass: 'Residential', workClass: 'existing', from: '2023-05-01' }),
  ).toEqual(['S1'])
  expect(await numbers({ jurisdiction, from: '2023-05-11', to: '2023-05-11' })).toEqual(['S1'])
  expect(await numbers({ jurisdiction, to: '2023-04-10' })).toEqual([])
  expect(await numbers({ text: 'demolishing pools' })).toEqual(['S3'])
  expect(await numbers({ text: 'shingle -hail', street: 'EXAMPLE AVE S', from: '2023-05-01' })).toEqual(['S1'])
  expect(await numbers({ text: "'; drop table permits; --" })).toEqual([])
})

test('search_permits: a contractor by the beginning of the name, and despite typing errors', async () => {
  const { permits, contractors } = await search({ contractor: 'stone & sons' })
  expect(permits.map(({ permitNum }) => permitNum).sort()).toEqual(['S2', 'S3'])
  expect(contractors).toMatchObject({ by: 'beginning', complete: true })
  const misspelled = await search({ contractor: 'Nortfield Exterors' })
  expect(misspelled.permits.map(({ permitNum }) => permitNum).sort()).toEqual(['S4', 'S5'])
  expect(misspelled.contractors).toEqual({ by: 'likeness', companies: ['Northfield Exteriors LLC'], complete: true })
  expect(await search({ contractor: 'Zebra Quilting' })).toMatchObject({ permits: [], contractors: { by: 'none' } })
  expect(await search({ contractor: '100%' })).toMatchObject({ permits: [], contractors: { by: 'none' } })
})

test('search_permits: pages hold every permit once, in both orders; a token is bound to its search', async () => {
  for (const input of [{ jurisdiction: 'us-xx-town' }, { latitude: 36.16, longitude: -86.78, radius: 20 }]) {
    const seen: string[] = []
    let pageToken: string | undefined
    do {
      const page: Awaited<ReturnType<typeof search>> = await search({ ...input, limit: 4, pageToken })
      seen.push(...page.permits.map(({ permitNum }) => permitNum))
      expect(page.truncated).toBe(page.nextPageToken !== null)
      pageToken = page.nextPageToken ?? undefined
    } while (pageToken)
    expect(seen).toHaveLength('radius' in input ? CITY.length : TOWN.length)
    expect(new Set(seen).size).toBe(seen.length)
  }
  const { nextPageToken } = await search({ jurisdiction: 'us-xx-town', limit: 4 })
  const other = search({ jurisdiction: 'us-tn-nashville', limit: 4, pageToken: nextPageToken ?? '' })
  await expect(other).rejects.toThrow('does not belong to this request')
})

test('search_permits: what cannot be asked says why; what is loaded stands beside every answer', async () => {
  await expect(search({ latitude: 36 })).rejects.toThrow('give both')
  await expect(search({ radius: 1 })).rejects.toThrow('needs an address')
  await expect(search({ latitude: 36, longitude: -86, radius: 26 })).rejects.toThrow('at most 25 miles')
  await expect(search({ latitude: 36, longitude: -86, address: '1 A St' })).rejects.toThrow('not both')
  await expect(search({ jurisdiction: 'us-tn-memphis' })).rejects.toThrow('Loaded are: us-tn-nashville, us-xx-town')
  const { coverage, note } = await search({ text: 'nothing like it' })
  expect(coverage.map(({ jurisdiction, permits }) => [jurisdiction, permits])).toEqual([
    ['us-tn-nashville', CITY.length],
    ['us-xx-town', TOWN.length],
  ])
  expect(note).toContain('Only the loaded permits were searched')
})

test('get_permit_coverage: counts, shares, source, and what cannot be answered', async () => {
  const { answer } = await answerOf(getPermitCoverage, { actor: ACTOR, now: NOW, input: {} })
  const [city, town] = answer.jurisdictions
  expect(city).toMatchObject({
    permits: 6,
    firstApplied: '2023-04-11',
    lastApplied: '2023-05-11',
    withIssued: 0,
    shares: { appliedDate: 1, issuedDate: 0, both: 0, coordinates: 1, status: 0, cost: 1, contractorName: 1 },
    source: { link: 'https://data.nashville.gov/', licence: null },
    permitTypes: [
      { value: 'Building Residential - Roofing / Siding', permits: 5 },
      { value: 'Building Demolition Permit', permits: 1 },
    ],
  })
  expect(city?.cannotAnswer.join()).toMatch(/how long permits take.*what became of an application/)
  expect(town?.cannotAnswer.join()).toContain(`${TOWN.length} permits are not found by distance`)
  expect(town?.cannotAnswer.join()).not.toContain('how long')
  expect(town?.shares.issuedDate).toBe(Math.round(((TOWN.length - 5) / TOWN.length) * 10_000) / 10_000)
})

/** The value at a fraction of sorted numbers, between two ranks in proportion: R. J. Hyndman and Y. Fan (1996), definition 7. */
function quantile(values: number[], fraction: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (sorted.length - 1) * fraction
  const [low = 0, high = low] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]]
  return low + (high - low) * (at - Math.floor(at))
}

test('estimate_permit_timeline: percentiles with open permits waiting, and intervals; negative and absurd ones are counted apart', async () => {
  const answer = await timeline({ jurisdiction: 'us-xx-town', permitType: 'roof' })
  const waits = ROOFS.map(({ days }) => days ?? 0)
  // Four applications that are still open can only lengthen the wait of the 61 that were issued.
  for (const [name, share] of [
    ['p10', 0.1],
    ['p50', 0.5],
    ['p90', 0.9],
  ] as const) {
    expect(answer.days?.[name], name).toBeGreaterThanOrEqual(Math.floor(quantile(waits, share)))
    expect(answer.intervals?.[name]?.low, name).toBeLessThanOrEqual(answer.days?.[name] ?? 0)
  }
  expect(answer).toMatchObject({
    status: 'estimated',
    n: 61,
    excluded: { negative: 3, longerThanFiveYears: 2 },
    open: 4,
    cancelled: 1,
    window: { from: '2023-10-31', to: '2025-10-31' },
    widened: [{ step: 'as asked, the 24 months to 2025-10-31', n: 61 }],
    reason: null,
  })
  expect(answer.notes.join()).toContain('4 more applications')
  expect(answer.notes.join()).toContain('history ends on 2025-10-31')
})

test('estimate_permit_timeline: widened step by step until there are enough, each step named with what it found', async () => {
  const input = { jurisdiction: 'us-xx-town', permitType: 'DECK', workClass: 'New', valuationMin: 50_000 }
  const answer = await timeline(input)
  expect(answer.widened).toEqual([
    { step: 'as asked, the 24 months to 2025-10-31', n: 0 },
    { step: 'valuation left out', n: 10 },
    { step: '60 months instead of 24', n: 10 },
    { step: 'work class left out', n: 35 },
  ])
  expect(answer.basis).toEqual({
    permitType: 'DECK',
    permitTypes: ['DECK'],
    permitClass: null,
    workClass: null,
    text: null,
    valuation: null,
    windowMonths: 60,
  })
  // Ten times 20 and 40 to 64: of 35 in order the 18th is 47.
  expect([answer.n, answer.days?.p50]).toEqual([35, 47])
  // 35 tell the middle and not the tenths.
  expect([answer.days?.p10, answer.days?.p90]).toEqual([null, null])
  expect(answer.notes.join()).toContain('fewer than 60')
})

test('estimate_permit_timeline: not enough data, no issue dates, nothing loaded: no number, and the reason', async () => {
  const few = await timeline({ jurisdiction: 'us-xx-town', permitType: 'DOCK', permitClass: 'marine' })
  expect(few).toMatchObject({ status: 'not_enough_data', days: null, n: 1 })
  expect(few.reason).toContain('Only 1 permits even when widened; fewer than 30')
  expect(few.widened).toHaveLength(4)
  const undated = await timeline({ jurisdiction: 'us-tn-nashville', permitType: 'Roof' })
  expect(undated).toMatchObject({ status: 'not_enough_data', days: null, n: 0, widened: [] })
  expect(undated.reason).toMatch(/None of the 6 loaded permits .* has an issue date/)
  const none = await timeline({ jurisdiction: 'us-tn-memphis' })
  expect(none).toMatchObject({ status: 'not_enough_data', days: null, jurisdictionName: null })
  expect(none.reason).toContain('No permit history of us-tn-memphis is loaded')
})

test('estimate_permit_timeline: a type left out is not answered as an estimate of it', async () => {
  // One DOCK of the class Marine, and 96 of every type and class.
  const wider = await timeline({ jurisdiction: 'us-xx-town', permitType: 'DOCK' })
  expect(wider).toMatchObject({ status: 'estimated_wider', basis: { permitType: null, permitTypes: null } })
  const decks = await timeline({ jurisdiction: 'us-xx-town', permitType: 'decks' })
  expect(decks).toMatchObject({ status: 'estimated', n: 35, basis: { permitType: 'decks', permitTypes: ['DECK'] } })
  const none = await timeline({ jurisdiction: 'us-xx-town', permitType: 'Sauna' })
  expect(none).toMatchObject({ status: 'not_enough_data', days: null, n: 0, widened: [] })
  expect(none.reason).toBe('No loaded permit is of the type Sauna. Types there are: ROOF, DECK, DOCK.')
})

test('search_permits: a type is matched by a part of its name, or refused with those there are', async () => {
  const input = { jurisdiction: 'us-tn-nashville', permitType: 'roofs' }
  expect(await search(input)).toMatchObject({ permitTypes: ['Building Residential - Roofing / Siding'] })
  expect(await numbers(input)).toHaveLength(5)
  await expect(search({ permitType: 'Sauna' })).rejects.toThrow(
    /No loaded permit is of the type Sauna. Types there are: Building Residential - Roofing \/ Siding, .*ROOF/,
  )
})

test('estimate_permit_timeline: what is dated after now does not count', async () => {
  const input = { jurisdiction: 'us-xx-town', permitType: 'ROOF' }
  const { answer } = await answerOf(estimatePermitTimeline, {
    actor: ACTOR,
    now: new Date('2025-06-30T12:00:00Z'),
    input,
  })
  // Applied for on day 0, 5, … 180 of 2025, as 30 June is day 180.
  expect([answer.n, answer.window?.to]).toEqual([37, '2025-06-30'])
})

test('each tool’s example is a call that works', async () => {
  const { contractor } = await makeTenant(db)
  const actor = actorOf(contractor)
  if (actor.kind !== 'key') throw new Error('tools are called with a key')
  for (const name of ['search_permits', 'get_permit_coverage', 'estimate_permit_timeline']) {
    const tool = requireTool(name)
    const result = await callTool(tool, actor, tool.example)
    expect([name, result.isError]).toEqual([name, undefined])
  }
  const refused = await callTool(requireTool('search_permits'), actor, { radius: -1, limit: 26 })
  expect(refused.content[0]?.text).toMatch(/radius.*limit/)
})

test('estimate_permit_timeline: how long for a deck permit, asked as people ask', async () => {
  const jurisdiction = 'us-zz-demonstration'
  await loadPermitText(db, await readFile('db/demo/permits/us-zz-demonstration.csv', 'utf8'), { jurisdiction })
  const { status, days, n, basis } = await timeline({ jurisdiction, permitType: 'Deck' })
  // Of 56 Residential Deck permits of the last 24 months half were issued after 11 days; of all types together it would be 9 or 10.
  expect([status, days?.p50, n, basis.permitTypes]).toEqual(['estimated', 11, 56, ['Residential Deck']])
})
