import type { Database } from '@/db/client'
import {
  findByBeginning,
  findByWords,
  knownAmong,
  projectOfJob,
  type ShownKind,
  type WordKind,
} from '@/db/queries/find'
import { streetSpellings } from '@/lib/core/street'
import { oneMistakeAway } from '../retrieval/spelling'
import type { NumberKind, Wanted } from './wanted'

/** Ids by kind, with how sure it is that they are meant: undefined where the words decide. */
export type Candidates = { kind: ShownKind; ids: string[]; fit?: number }[]

/** So many records of each kind are ranked: of a common word no more are told apart by it. */
const MOST = 200
/** Records whose number or telephone number begins alike. */
const MOST_ALIKE = 20
/** A beginning as short as this is that of too much. */
const SHORTEST_BEGINNING = 3
/** Words that are looked for one mistake away, the longest first. */
const MOST_CORRECTED = 3
const SHORTEST_CORRECTED = 3
const LONGEST_CORRECTED = 24

const WORD_KINDS: WordKind[] = ['customer', 'project']

async function byWords(
  db: Database,
  contractorId: string,
  kinds: readonly ShownKind[],
  words: string[][],
): Promise<Candidates> {
  const isOpen = (words.at(-1)?.[0]?.length ?? 0) >= SHORTEST_BEGINNING
  const queries = [{ words, open: false }, ...(isOpen ? [{ words, open: true }] : [])]
  return await Promise.all(
    WORD_KINDS.filter((kind) => kinds.includes(kind)).map(async (kind) => ({
      kind,
      ids: await findByWords(db, kind, contractorId, queries, MOST),
    })),
  )
}

const isEmpty = (found: Candidates): boolean => found.every(({ ids }) => ids.length === 0)

/** Each of the longest words with the words the contractor has one mistake away; what is neither there nor near is left out. */
async function corrected(db: Database, contractorId: string, words: string[]): Promise<string[][]> {
  const longest = [...words]
    .filter((word) => word.length >= SHORTEST_CORRECTED && word.length <= LONGEST_CORRECTED && !/\d/.test(word))
    .sort((a, b) => b.length - a.length)
    .slice(0, MOST_CORRECTED)
  const nearBy = new Map(longest.map((word) => [word, oneMistakeAway(word)]))
  const asked = [...new Set([...words, ...[...nearBy.values()].flat()])]
  const known = new Set(await knownAmong(db, contractorId, asked))
  return words
    .map((word) => [word, ...(nearBy.get(word) ?? [])].filter((each) => known.has(each)))
    .filter((spellings) => spellings.length > 0)
}

/** By words as they are written; where nothing has them all, one mistake in each is allowed, and half of them may be missing. */
async function byWordsOrNear(
  db: Database,
  contractorId: string,
  kinds: readonly ShownKind[],
  words: string[],
): Promise<Candidates> {
  if (words.length === 0) return []
  const found = await byWords(db, contractorId, kinds, words.map(streetSpellings))
  if (!isEmpty(found)) return found
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
  { digits, only }: NonNullable<Wanted['number']>,
): Promise<Candidates> {
  const asked = (['invoice', 'estimate', 'payment'] as const).filter(
    (kind) => kinds.includes(NUMBERED[kind]) && (only === undefined || only === kind),
  )
  const found: Promise<Candidates[number]>[] = asked.map(async (kind) => ({
    kind: NUMBERED[kind],
    ids: await findByBeginning(db, kind, contractorId, digits, MOST_ALIKE),
  }))
  if (kinds.includes('project') && (only ?? 'job') === 'job' && Number(digits) <= LARGEST_JOB)
    found.push(
      projectOfJob(db.orm, contractorId, Number(digits)).then((ids) => ({ kind: 'project' as const, ids, fit: 1 })),
    )
  return await Promise.all(found)
}

/** What may be meant, of the kinds that may be shown; nothing here leaves but ids of the contractor's own records. */
export async function candidatesFor(
  db: Database,
  contractorId: string,
  kinds: readonly ShownKind[],
  { id, email, phone, number, words }: Wanted,
  kindOfId: (id: string) => ShownKind | undefined,
): Promise<Candidates> {
  const ofId = id && kindOfId(id)
  const customers = kinds.includes('customer')
  const beginning = async (kind: 'email' | 'phone', text: string): Promise<Candidates> => [
    { kind: 'customer', ids: await findByBeginning(db, kind, contractorId, text, MOST_ALIKE), fit: 0.98 },
  ]
  const found = await Promise.all([
    id && ofId && kinds.includes(ofId) ? [{ kind: ofId, ids: [id], fit: 1 }] : [],
    email && customers ? beginning('email', email) : [],
    phone && customers ? beginning('phone', phone) : [],
    number ? byNumber(db, contractorId, kinds, number) : [],
    // A telephone number is no street.
    phone && phone.length > 6 ? [] : byWordsOrNear(db, contractorId, kinds, words),
  ])
  return found.flat()
}
