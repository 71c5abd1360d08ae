import type { Database } from '@/db/client'
import {
  findByBeginning,
  findByWords,
  findOccurringWords,
  projectOfJob,
  type ShownKind,
  type WordKind,
} from '@/db/queries/find'
import { streetSpellings } from '@/lib/knowledge/permits/street'
import { oneMistakeAway } from '../retrieval/spelling'
import type { NumberKind, Wanted } from './wanted'

/** Ids by kind, with how well they match; undefined when the words decide that later. */
export type Candidates = { kind: ShownKind; ids: string[]; fit?: number }[]

/** The most records of each kind that are ranked; a common word does not distinguish more. */
const MOST = 200
/** The most records with the same beginning of a number or phone number that are ranked. */
const MOST_ALIKE = 20
/** The shortest beginning of a word that stands alone: shorter ones match too much. Behind another word, one letter is enough. */
const SHORTEST_BEGINNING = 3
/** The most words that are corrected by one typo, the longest first. */
const MOST_CORRECTED = 3
const SHORTEST_CORRECTED = 3
const LONGEST_CORRECTED = 24

/** What is found by words: the kind that is shown, and the kinds that a caller has to be allowed to read. A lead's person is a customer. */
const WORD_KINDS: { by: WordKind; kind: ShownKind; needs: ShownKind[] }[] = [
  { by: 'customer', kind: 'customer', needs: ['customer'] },
  { by: 'project', kind: 'project', needs: ['project'] },
  { by: 'lead', kind: 'project', needs: ['project', 'customer'] },
]

async function byWords(
  db: Database,
  contractorId: string,
  kinds: readonly ShownKind[],
  words: string[][],
): Promise<Candidates> {
  const isOpen = words.length > 1 || (words[0]?.[0]?.length ?? 0) >= SHORTEST_BEGINNING
  const queries = [{ words, open: false }, ...(isOpen ? [{ words, open: true }] : [])]
  return await Promise.all(
    WORD_KINDS.filter(({ needs }) => needs.every((kind) => kinds.includes(kind))).map(async ({ by, kind }) => ({
      kind,
      ids: await findByWords(db, by, contractorId, queries, MOST),
    })),
  )
}

const isEmpty = (found: Candidates): boolean => found.every(({ ids }) => ids.length === 0)

/** Returns each word with the contractor's words one typo away (for the longest words); unknown words are left out. */
async function corrected(db: Database, contractorId: string, words: string[]): Promise<string[][]> {
  const longest = [...words]
    .filter((word) => word.length >= SHORTEST_CORRECTED && word.length <= LONGEST_CORRECTED && !/\d/.test(word))
    .sort((a, b) => b.length - a.length)
    .slice(0, MOST_CORRECTED)
  const nearBy = new Map(longest.map((word) => [word, oneMistakeAway(word)]))
  const asked = [...new Set([...words, ...[...nearBy.values()].flat()])]
  const known = new Set(await findOccurringWords(db, contractorId, asked))
  return words
    .map((word) => [word, ...(nearBy.get(word) ?? [])].filter((each) => known.has(each)))
    .filter((spellings) => spellings.length > 0)
}

/**
 * Finds records by exact words, then without a word that names a kind. When none has them all, each word may have one typo and half of
 * them may be missing.
 */
async function byWordsOrTypos(
  db: Database,
  contractorId: string,
  kinds: readonly ShownKind[],
  { words: given, of }: Wanted,
): Promise<Candidates> {
  if (given.length === 0) return []
  const found = await byWords(db, contractorId, kinds, given.map(streetSpellings))
  if (!isEmpty(found)) return found
  const words = of?.words ?? given
  const named = of ? await byWords(db, contractorId, kinds, words.map(streetSpellings)) : found
  if (!isEmpty(named)) return named
  const near = await corrected(db, contractorId, words)
  return near.length * 2 < words.length || near.length === 0 ? found : byWords(db, contractorId, kinds, near)
}

const NUMBERED: Record<Exclude<NumberKind, 'job'>, ShownKind> = {
  invoice: 'invoice',
  estimate: 'estimate',
  payment: 'payment',
}
const LARGEST_JOB = 2_147_483_647

async function byNumber(
  db: Database,
  contractorId: string,
  kinds: readonly ShownKind[],
  { groups, only }: NonNullable<Wanted['number']>,
): Promise<Candidates> {
  const digits = groups[groups.length - 1] ?? ''
  const asked = (['invoice', 'estimate', 'payment'] as const).filter(
    (kind) => kinds.includes(NUMBERED[kind]) && (only === undefined || only === kind),
  )
  const found: Promise<Candidates[number]>[] = asked.map(async (kind) => ({
    kind: NUMBERED[kind],
    ids: await findByBeginning(db, kind, contractorId, digits, MOST_ALIKE),
  }))
  if (kinds.includes('project') && (only ?? 'job') === 'job' && groups.length === 1 && Number(digits) <= LARGEST_JOB)
    found.push(
      projectOfJob(db.orm, contractorId, Number(digits)).then((ids) => ({ kind: 'project' as const, ids, fit: 1 })),
    )
  return await Promise.all(found)
}

/** Returns the candidates of the kinds that may be shown, as ids of the contractor's own records. */
export async function candidatesFor(
  db: Database,
  contractorId: string,
  kinds: readonly ShownKind[],
  wanted: Wanted,
  kindOfId: (id: string) => ShownKind | undefined,
): Promise<Candidates> {
  const { id, email, phone, number } = wanted
  const ofId = id && kindOfId(id)
  const customers = kinds.includes('customer')
  const beginning = async (kind: 'email' | 'phone', text: string): Promise<Candidates> => {
    const [theirs, ofLeads] = await Promise.all([
      findByBeginning(db, kind, contractorId, text, MOST_ALIKE),
      kinds.includes('project') ? findByBeginning(db, `lead_${kind}`, contractorId, text, MOST_ALIKE) : [],
    ])
    return [
      { kind: 'customer', ids: theirs, fit: 0.98 },
      { kind: 'project', ids: ofLeads, fit: 0.97 },
    ]
  }
  const found = await Promise.all([
    id && ofId && kinds.includes(ofId) ? [{ kind: ofId, ids: [id], fit: 1 }] : [],
    email && customers ? beginning('email', email) : [],
    phone && customers ? beginning('phone', phone) : [],
    number ? byNumber(db, contractorId, kinds, number) : [],
    // A phone number is not a street.
    phone && phone.length > 6 ? [] : byWordsOrTypos(db, contractorId, kinds, wanted),
  ])
  return found.flat()
}
