import type { Facts } from './facts'
import type { Place } from './registry'
import { SOURCES, type SourceKey } from './sources'
import { type WorkType, workType } from './work-types'

type Kind = 'document' | 'inspection' | 'who_applies'
type Entry = {
  kind: Kind
  text: string
  section: string
  source: SourceKey
  for: 'all' | 'trades' | 'flood' | readonly WorkType[]
}

/** An item of the checklist: what to bring, who inspects or who applies, and its source. */
export type ChecklistItem = {
  kind: Kind
  text: string
  section: string
  source: { title: string; link: string }
  for: WorkType[]
}

const STRUCTURES = [
  'deck',
  'patio_cover',
  'accessory_structure',
  'addition',
  'adu',
  'new_dwelling',
  'retaining_wall',
  'pool',
  'grading',
] as const
const FRAMED = [
  'deck',
  'patio_cover',
  'adu',
  'accessory_structure',
  'addition',
  'new_dwelling',
  'roof_structure',
  'finish_basement',
  'interior_remodel',
] as const
const FOUNDED = [
  'deck',
  'patio_cover',
  'accessory_structure',
  'addition',
  'adu',
  'new_dwelling',
  'retaining_wall',
  'foundation',
] as const
const DRAWN = [...FRAMED, 'retaining_wall', 'foundation', 'grading', 'pool', 'solar'] as const

/** Entries from the model code; jurisdictions ask for more or less. */
const MODEL: Entry[] = [
  {
    kind: 'document',
    text: 'Application: the work, its place, its use and its value.',
    section: 'R105, R108',
    source: 'ircRequired',
    for: 'all',
  },
  {
    kind: 'document',
    text: 'Site plan: new and existing structures with their distances from the lot lines.',
    section: 'R106',
    source: 'ircRequired',
    for: STRUCTURES,
  },
  {
    kind: 'document',
    text: 'Construction drawings that show the work meets the code.',
    section: 'R106',
    source: 'ircRequired',
    for: DRAWN,
  },
  {
    kind: 'document',
    text: 'Elevations of the floors, where the site is in a flood hazard area.',
    section: 'R106.1.4',
    source: 'ircRequired',
    for: 'flood',
  },
  {
    kind: 'inspection',
    text: 'Footings and foundation: forms and reinforcement set, before concrete is placed.',
    section: 'R109.1.1',
    source: 'ircInspections',
    for: FOUNDED,
  },
  {
    kind: 'inspection',
    text: 'Rough wiring, piping, gas and ducts, before they are covered.',
    section: 'R109.1.2',
    source: 'ircInspections',
    for: 'trades',
  },
  {
    kind: 'inspection',
    text: 'Framing, when roof, bracing and fire stops are in and the rough trades approved.',
    section: 'R109.1.4',
    source: 'ircInspections',
    for: FRAMED,
  },
  { kind: 'inspection', text: 'Final, before use.', section: 'R109, R110', source: 'ircRequired', for: 'all' },
]

const WHO_BY_MODEL: Entry = {
  kind: 'who_applies',
  text: 'The owner, or an agent the owner has authorized, such as the contractor.',
  section: 'R105.1',
  source: 'ircRequired',
  for: 'all',
}

/** Entries from what jurisdictions with rules here say about who applies, and what else they ask for. */
const LOCAL: Record<string, Entry[]> = {
  'us-tn-nashville': [
    {
      kind: 'who_applies',
      text: 'Contractors registered with Metro apply in ePermits; others send the papers to the Zoning Help Desk.',
      section: 'Applying for a Permit',
      source: 'nashvilleProcess',
      for: 'all',
    },
    {
      kind: 'document',
      text: 'Sign-offs of other Metro agencies: those the zoning examiner’s checklist names.',
      section: 'Obtaining Department Approvals',
      source: 'nashvilleProcess',
      for: 'all',
    },
  ],
  'us-tn-springfield': [
    {
      kind: 'who_applies',
      text: 'Home-owners for their own primary residence; otherwise a licensed and insured contractor (home improvement license from $3,000, contractor’s license above $24,999), with license and insurance on file.',
      section: 'Permitting',
      source: 'springfieldPermitting',
      for: 'all',
    },
  ],
  'us-or-portland': [
    {
      kind: 'who_applies',
      text: 'A contractor with an Oregon CCB license, its number on the application; plumbers and electricians are licensed further.',
      section: 'Who can do the work',
      source: 'portlandWho',
      for: 'all',
    },
  ],
}

const hasTrades = (work: WorkType) => workType(work).permits.some((permit) => permit !== 'building')

function concerns(entry: Entry, works: readonly WorkType[], facts: Facts): WorkType[] {
  if (entry.for === 'all') return [...works]
  if (entry.for === 'trades') return works.filter(hasTrades)
  if (entry.for === 'flood')
    return facts.floodZone === false ? [] : works.filter((work) => workType(work).ground === true)
  const wanted = entry.for
  return works.filter((work) => wanted.includes(work))
}

/**
 * Returns the checklist for work that needs or may need a permit. Each line has its source and the kinds of work it covers. Empty
 * when no work needs one.
 */
export function checklistFor(works: readonly WorkType[], facts: Facts, place: Place | undefined): ChecklistItem[] {
  const local = LOCAL[place?.id ?? ''] ?? [WHO_BY_MODEL]
  return [...MODEL, ...local].flatMap((entry) => {
    const concerned = concerns(entry, works, facts)
    const { kind, text, section, source } = entry
    return concerned.length > 0 ? [{ kind, text, section, source: SOURCES[source], for: concerned }] : []
  })
}
