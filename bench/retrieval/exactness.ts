import type { Database } from '@/db/client'
import { findChunks, resolveTerms, type WeighedList } from '@/db/queries/search'
import { DOCUMENT_TYPES } from '@/db/schema'
import { candidatesFor, weighLists } from '@/lib/knowledge/retrieval/weigh'
import { QUERIES } from './queries'

const EACH = 20
const FOUND = 10
const ALL = 10_000_000
/** The most lists of a query; more take longer to read completely than a statement may. */
const MOST_LISTS = 10

/** Prints how much of the exact first ten's scores a search has that reads only a part of long lists, without feedback. */
export async function measureExactness(db: Database, contractorId: string): Promise<void> {
  const reader = { contractorId, types: DOCUMENT_TYPES }
  for (const [name, make] of Object.entries(QUERIES)) {
    const shares: number[] = []
    for (let i = 0; i < EACH; i++) {
      const { terms, chunks, words } = await resolveTerms(db, reader, { text: make(), phrases: [] })
      const scores = async (lists: WeighedList[], candidates: number) => {
        const more = { chunks, averageLength: words / chunks, phrases: null, limit: FOUND, feedback: false }
        const found = await findChunks(db, reader, { lists, candidates, ...more })
        return found.reduce((sum, { score }) => sum + score, 0)
      }
      const lists = weighLists(terms, chunks)
      if (lists.length === 0 || lists.length > MOST_LISTS) continue
      const best = await scores(
        lists.map((list) => ({ ...list, postings: ALL })),
        ALL,
      )
      shares.push((await scores(lists, candidatesFor(FOUND, false))) / best)
    }
    if (shares.length === 0) continue
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length
    console.log(
      `  ${name.padEnd(20)} ${mean.toFixed(3)} of the exact scores, at worst ${Math.min(...shares).toFixed(3)}`,
    )
  }
}
