import { type Database, withinContractor } from '@/db/client'
import { type FoundRow, type ShownKind, showByIds, showNewestOf } from '@/db/queries/find'
import { candidatesFor } from './candidates'
import { byFit, fitOf, type Ranked } from './rank'
import { readWanted, type Wanted } from './wanted'

/** How a number fits: as it was written, or as the beginning of a longer one. */
const AS_WRITTEN = 0.99
const BEGINS_SO = 0.7
/** What is shown of the one customer a text names, where there is room. */
const THEIRS = 3
const FIT_OF_THEIRS = 0.3

const endOf = (title: string) => /(\d+)\D*$/.exec(title)?.[1]?.replace(/^0+/, '')

const OWN_WORDS: readonly ShownKind[] = ['customer', 'project']

function rank(wanted: Wanted, kind: ShownKind, fit: number | undefined, row: FoundRow): Ranked {
  if (fit !== undefined) return { ...row, fit }
  if (OWN_WORDS.includes(kind)) return { ...row, fit: fitOf(wanted.words, row) }
  return { ...row, fit: endOf(row.title) === wanted.number?.digits ? AS_WRITTEN : BEGINS_SO }
}

/** The newest projects and invoices of a customer who is meant. */
async function theirs(
  work: Parameters<typeof showNewestOf>[0],
  contractorId: string,
  kinds: readonly ShownKind[],
  customerId: string,
): Promise<Ranked[]> {
  const found: Ranked[] = []
  for (const kind of ['project', 'invoice'] as const)
    if (kinds.includes(kind))
      for (const row of await showNewestOf(work, kind, contractorId, customerId, THEIRS))
        found.push({ ...row, fit: FIT_OF_THEIRS })
  return found
}

/** One of each record, at its best. */
function distinct(found: readonly Ranked[]): Ranked[] {
  const best = new Map<string, Ranked>()
  for (const row of found) if (row.fit > (best.get(row.id)?.fit ?? 0)) best.set(row.id, row)
  return [...best.values()]
}

/** What is looked for, and what of records the rooms above know. */
export type Finding = {
  contractorId: string
  /** What whoever asks may read. */
  kinds: readonly ShownKind[]
  text: string
  limit: number
  /** The kind that an id's beginning tells. */
  kindOfId(id: string): ShownKind | undefined
  /** Brings statuses that follow the clock to date, of the kinds that are about to be shown. */
  bringToDate(kinds: ReadonlySet<ShownKind>): Promise<void>
}

/**
 * Records of a contractor that a text may mean, the best first. What is looked for are ids; the records themselves are read behind the
 * second fence, so that what should not be among them has nothing to show.
 */
export async function findRecords(db: Database, finding: Finding): Promise<Ranked[]> {
  const { contractorId, kinds, text, limit } = finding
  const wanted = readWanted(text)
  const all = await candidatesFor(db, contractorId, kinds, wanted, finding.kindOfId)
  const candidates = all.filter(({ ids }) => ids.length > 0)
  if (candidates.length === 0) return []
  await finding.bringToDate(new Set(candidates.map(({ kind }) => kind)))
  return await withinContractor(db.orm, contractorId, async (work) => {
    const shown: Ranked[] = []
    for (const { kind, ids, fit } of candidates)
      for (const row of await showByIds(work, kind, contractorId, ids)) shown.push(rank(wanted, kind, fit, row))
    const found = distinct(shown).sort(byFit).slice(0, limit)
    const [first, second] = found.filter(({ type }) => type === 'customer')
    const isMeant = first && found.length < limit && (!second || second.fit < first.fit)
    if (!isMeant) return found
    return distinct([...found, ...(await theirs(work, contractorId, kinds, first.id))])
      .sort(byFit)
      .slice(0, limit)
  })
}
