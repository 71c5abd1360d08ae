import { type Database, withinContractor } from '@/db/client'
import { type FoundRow, type ShownKind, showByIds, showNewestOf } from '@/db/queries/find'
import { mistakes } from '@/lib/core/nearest'
import { type Candidates, candidatesFor } from './candidates'
import { digitGroups, readWanted, type Wanted } from './wanted'
import { wordsIn } from './words'

/** A found record and how well it matches: 1 when it has every word exactly. */
type Ranked = FoundRow & { fit: number }

/** The weight of a word by how it matches. Customers rank higher because people search for them more often than for their records. */
const WORTH = { exact: 1, beginning: 0.85, misspelled: 0.6, inStreet: 0.9 }
const KIND: Record<FoundRow['type'], number> = {
  customer: 0,
  project: 0.01,
  lead: 0.01,
  invoice: 0.02,
  estimate: 0.03,
  payment: 0.04,
}

function likeness(wanted: string, word: string): number {
  if (word === wanted) return WORTH.exact
  if (word.startsWith(wanted)) return WORTH.beginning
  // Candidates have at most one typo per word.
  return wanted.length > 2 && mistakes(wanted, word) === 1 ? WORTH.misspelled : 0
}

/** Returns how well a record matches the words, 0 to 1: by its title, or a lead by who wrote it. */
const fitOf = (words: readonly string[], { title, person, street }: FoundRow): number =>
  Math.max(fitOfName(words, title, street), person === null ? 0 : fitOfName(words, person, street))

/** Returns how well a name and a street match the words: each word by its best match; a name with few other words ranks higher. */
function fitOfName(words: readonly string[], name: string, place: string | null): number {
  if (words.length === 0) return 0
  const [title, street] = [wordsIn(name), wordsIn(place ?? '')]
  const met = words.map((wanted) =>
    Math.max(
      0,
      ...title.map((word) => likeness(wanted, word)),
      ...street.map((word) => likeness(wanted, word) * WORTH.inStreet),
    ),
  )
  const share = Math.min(1, words.length / Math.max(1, title.length))
  return (met.reduce((sum, each) => sum + each, 0) / words.length) * (0.9 + 0.1 * share)
}

/** Sorts by match, then customers before their records, then the newest first. */
const byFit = (a: Ranked, b: Ranked): number =>
  b.fit - KIND[b.type] - (a.fit - KIND[a.type]) || (b.at ?? '').localeCompare(a.at ?? '') || a.id.localeCompare(b.id)

/** The rank of a number that matches exactly, or as the beginning of a longer one. */
const EXACT_NUMBER = 0.99
const NUMBER_PREFIX = 0.7
/** The most projects and invoices of a single matching customer that are added if there is room, and their rank. */
const MOST_RELATED = 3
const RELATED_FIT = 0.3
/** The number of best-matching customers whose records of a named kind are added, and how far those rank above their customer. */
const MOST_OWNERS = 3
const NAMED_BONUS = 0.05

/** Returns how well the end of a record's number matches the one that was typed; 0 when another group of digits differs. */
function fitOfNumber(wanted: readonly string[], title: string): number {
  const groups = digitGroups(title).slice(-wanted.length)
  const before = wanted.slice(0, -1).every((digits, at) => digits === groups[at])
  const [typed = '', last = ''] = [wanted.at(-1), groups.at(-1)]
  if (!before || !last.startsWith(typed)) return 0
  return last === typed ? EXACT_NUMBER : NUMBER_PREFIX
}

const OWN_WORDS: readonly ShownKind[] = ['customer', 'project']

function rank(wanted: Wanted, kind: ShownKind, fit: number | undefined, row: FoundRow): Ranked {
  if (fit !== undefined) return { ...row, fit }
  if (OWN_WORDS.includes(kind))
    return { ...row, fit: Math.max(fitOf(wanted.words, row), wanted.of ? fitOf(wanted.of.words, row) : 0) }
  return { ...row, fit: fitOfNumber(wanted.number?.groups ?? [], row.title) }
}

/** Returns the newest projects and invoices of a matching customer. */
async function relatedTo(
  work: Parameters<typeof showNewestOf>[0],
  contractorId: string,
  kinds: readonly ShownKind[],
  customerId: string,
): Promise<Ranked[]> {
  const found: Ranked[] = []
  for (const kind of ['project', 'invoice'] as const)
    if (kinds.includes(kind))
      for (const row of await showNewestOf(work, kind, contractorId, customerId, MOST_RELATED))
        found.push({ ...row, fit: RELATED_FIT })
  return found
}

/** Returns the records of the kind that the text names, of the customers that match best: of `wagner project`, the projects of Wagner. */
async function namedOf(
  work: Parameters<typeof showNewestOf>[0],
  { contractorId, kinds }: Finding,
  wanted: Wanted,
  customers: readonly Ranked[],
): Promise<Ranked[]> {
  const kind = wanted.of?.kind === 'lead' ? 'project' : wanted.of?.kind
  if (kind === undefined || kind === 'customer' || !kinds.includes(kind)) return []
  const best = customers.filter(({ fit }) => fit === customers[0]?.fit).slice(0, MOST_OWNERS)
  const found: Ranked[] = []
  for (const { id, fit } of best)
    for (const row of await showNewestOf(work, kind, contractorId, id, MOST_RELATED))
      if (row.type === wanted.of?.kind) found.push({ ...row, fit: fit + NAMED_BONUS })
  return found
}

/** Returns each record once, with its best match. */
function distinct(found: readonly Ranked[]): Ranked[] {
  const best = new Map<string, Ranked>()
  for (const row of found) if (row.fit > (best.get(row.id)?.fit ?? 0)) best.set(row.id, row)
  return [...best.values()]
}

/** A search, and what the layers above know about records. */
export type Finding = {
  contractorId: string
  /** The kinds that the caller may read. */
  kinds: readonly ShownKind[]
  text: string
  limit: number
  /** Returns the kind of an id by its prefix. */
  kindOfId(id: string): ShownKind | undefined
  /** Records whose whole number is the text. */
  numbered: Promise<Candidates>
  /** Updates time-dependent statuses of the kinds that are about to be shown. */
  bringToDate(kinds: ReadonlySet<ShownKind>): Promise<void>
}

/** The best records, and how many match of each type, as far as they were looked at. */
export type FoundRecords = { records: Ranked[]; counts: ReadonlyMap<FoundRow['type'], number> }

function countByType(all: readonly Ranked[]): FoundRecords['counts'] {
  const counts = new Map<FoundRow['type'], number>()
  for (const { type } of all) counts.set(type, (counts.get(type) ?? 0) + 1)
  return counts
}

/**
 * Finds the records of a contractor that match a text, the best first. The search returns ids; the records are then read behind row-level
 * security, so that another contractor's record could not be shown.
 */
export async function findRecords(db: Database, finding: Finding): Promise<FoundRecords> {
  const { contractorId, kinds, text, limit } = finding
  const wanted = readWanted(text)
  const [numbered, others] = await Promise.all([
    finding.numbered,
    candidatesFor(db, contractorId, kinds, wanted, finding.kindOfId),
  ])
  const candidates = [...numbered, ...others].filter(({ ids }) => ids.length > 0)
  if (candidates.length === 0) return { records: [], counts: new Map() }
  await finding.bringToDate(new Set(candidates.map(({ kind }) => kind)))
  return await withinContractor(db.orm, contractorId, async (work) => {
    const shown: Ranked[] = []
    for (const { kind, ids, fit } of candidates)
      for (const row of await showByIds(work, kind, contractorId, ids)) shown.push(rank(wanted, kind, fit, row))
    const matched = distinct(shown).sort(byFit)
    const customers = matched.filter(({ type }) => type === 'customer')
    const named = await namedOf(work, finding, wanted, customers)
    const all = distinct([...matched, ...named]).sort(byFit)
    const counts = countByType(all)
    const found = all.slice(0, limit)
    const [first, second] = customers
    const isMeant = first && found.length < limit && (!second || second.fit < first.fit)
    if (!isMeant) return { records: found, counts }
    const related = await relatedTo(work, contractorId, kinds, first.id)
    return {
      records: distinct([...found, ...related])
        .sort(byFit)
        .slice(0, limit),
      counts,
    }
  })
}
