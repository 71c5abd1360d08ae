import { ANCHOR, day } from './dates'
import type { Random } from './random'

/** A row in BLDS fields. The town, addresses, companies and numbers are invented, and the town lies in the open Atlantic. */
export type DemoPermit = {
  number: string
  description: string
  applied: number
  issued: number | undefined
  completed: number | undefined
  status: string
  statusMapped: string
  address: string
  permitClass: string
  classMapped: string
  type: string
  typeMapped: string
  workClass: string
  dollars: number
  company: string
  latitude: string
  longitude: string
}

const FIRST_APPLIED = day('2024-01-08')
const ROWS = 460
const STREETS = ['Sample St', 'Example Ave', 'Specimen Rd', 'Placeholder Ln', 'Pattern Ct', 'Template Dr'] as const
const COMPANIES = [
  'Demonstration Roofing LLC',
  'Sampleton Builders Inc',
  'Placeholder Pools LLC',
  'Example Electric Co',
  'Specimen Remodeling LLC',
  'Owner',
] as const

/** A type of permit: the typical wait in days at the fictional office and its cost. Its weight says how often it occurs. */
const kind = (type: string, mapped: string, work: string, text: string, middle: number, dollars: number) => ({
  type,
  mapped,
  work,
  text,
  middle,
  dollars,
})
type Weighted = readonly [ReturnType<typeof kind>, number]
const KINDS: readonly [Weighted, ...Weighted[]] = [
  [kind('Residential Reroof', 'Roof', 'Existing', 'Replace shingles and flashing', 5, 12_000), 9],
  [kind('Residential Addition', 'Building', 'Existing', 'Add a room and a covered porch', 24, 65_000), 6],
  [kind('Residential New', 'Building', 'New', 'Build a single-family house', 38, 340_000), 5],
  [kind('Residential Deck', 'Building', 'New', 'Build a deck behind the house', 12, 9_500), 6],
  [kind('Electrical', 'Electrical', 'Existing', 'Replace the service panel', 3, 3_200), 8],
  [kind('Pool', 'Pool/Spa', 'New', 'Build an in-ground swimming pool', 19, 58_000), 3],
  [kind('Demolition', 'Demolition', 'Existing', 'Demolish a garage', 8, 6_000), 3],
]

/** A wait in whole days around a typical value, rarely far above it. */
const waitOf = (random: Random, middle: number) =>
  Math.round(middle * (0.4 + random.next() * 0.9) + (random.chance(0.12) ? middle * random.next() * 3 : 0))

/** Returns a permit's status in the office's words and in BLDS terms. */
function statusOf({ cancelled, issued, completed }: { cancelled: boolean } & Pick<DemoPermit, 'issued' | 'completed'>) {
  if (cancelled) return { status: 'Withdrawn', statusMapped: 'Permit Cancelled' }
  if (completed !== undefined) return { status: 'Closed', statusMapped: 'Permit Finaled' }
  return issued === undefined
    ? { status: 'Under review', statusMapped: 'In Review' }
    : { status: 'Issued', statusMapped: 'Permit Issued' }
}

function permitOf(random: Random, i: number): DemoPermit {
  const { type, mapped, work, text, middle, dollars } = random.weighted(KINDS)
  const applied = random.int(FIRST_APPLIED, ANCHOR - 3)
  const cancelled = random.chance(0.04)
  const decided = applied + waitOf(random, middle)
  const issued = cancelled || decided > ANCHOR ? undefined : decided
  const done = (issued ?? 0) + random.int(20, 160)
  const completed = issued !== undefined && done <= ANCHOR ? done : undefined
  const street = random.int(0, STREETS.length - 1)
  const house = random.int(1, 240)
  const commercial = type === 'Demolition' && random.chance(0.4)
  return {
    number: `DEMO-${String(i + 1).padStart(4, '0')}`,
    description: `${text} (demonstration data)`,
    applied,
    issued,
    completed,
    ...statusOf({ cancelled, issued, completed }),
    address: `${house} ${STREETS[street]}`,
    permitClass: commercial ? 'Commercial' : 'Residential',
    classMapped: commercial ? 'Non-Residential' : 'Residential',
    type,
    typeMapped: mapped,
    workClass: work,
    dollars: Math.round(dollars * (0.6 + random.next() * 0.9)),
    company: random.pick(COMPANIES),
    latitude: (33 + street * 0.004).toFixed(6),
    longitude: (-60 + house * 0.0001).toFixed(6),
  }
}

/** Generates the permit history of a town that does not exist, so that the permit tools return answers in the demonstration. */
export const makePermits = (random: Random): DemoPermit[] => Array.from({ length: ROWS }, (_, i) => permitOf(random, i))
