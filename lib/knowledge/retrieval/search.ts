import type { Database } from '@/db/client'
import { askTerms, findChunks, type Reader, type Scored } from '@/db/queries/search'
import { indexSome } from '@/db/queries/search-queue'
import { nearestChunks } from '@/db/queries/vectors'
import type { DocumentType } from '@/db/schema'
import { fillSometimes, queryVector } from './embed'
import { fuse } from './fuse'
import { snippetOf } from './snippet'
import { type Correction, correctTerms } from './spelling'
import { effortFor, weighLists } from './weigh'

/** A document that was found, by its best chunk. `score` is BM25's: higher is better, comparable within one answer only. */
export type Hit = {
  id: string
  type: DocumentType
  title: string
  snippet: string
  score: number
  link: string | null
  untrusted: boolean
}

/** What a search found; `words` is how many words of the query are looked for, `corrections` what was taken for typing errors. */
export type Found = { hits: Hit[]; words: number; corrections: Correction[] }

const QUOTED = /["“”]([^"“”]+)["“”]/gu

/** The parts of a query in quotes, which must stand in a chunk as they are, and the whole without the quotes. */
export function readQuery(query: string): { text: string; phrases: string[] } {
  const phrases = [...query.matchAll(QUOTED)].map(([, phrase = '']) => phrase.trim())
  return { text: query.toWellFormed().replaceAll('\0', ' '), phrases: phrases.filter(Boolean) }
}

function hitOf({ id, type, title, heading, text, link, untrusted, score }: Scored, stems: string[]): Hit {
  const place = heading === '' ? '' : `${heading}: `
  return { id, type, title, snippet: place + snippetOf(text, stems), score, link, untrusted }
}

/** Documents of each ranking that are fused. */
const FUSED = 50

/** The best documents by their words. */
async function byWords(db: Database, reader: Reader, query: string, limit: number) {
  const asked = await askTerms(db, reader, readQuery(query))
  const corrected = asked.terms.some(({ lists }) => lists.length === 0)
    ? await correctTerms(db, reader, asked.terms)
    : { terms: asked.terms, corrections: [] }
  const lists = weighLists(corrected.terms, asked.chunks)
  const hasPhrases = asked.phrases !== null
  const found =
    lists.length === 0
      ? []
      : await findChunks(db, reader, {
          lists,
          averageLength: asked.words / asked.chunks,
          phrases: asked.phrases,
          limit,
          effort: effortFor(lists.length, limit, hasPhrases),
        })
  return { ...corrected, found, hasPhrases }
}

/** Batches of changes a search works off first; a load works off its own, so that this many are rarely there. */
const CATCH_UP = 4

/** What was written a moment ago is found: a search works off what is queued of its contractor before it looks. */
async function catchUp(db: Database, contractorId: string): Promise<void> {
  for (let batch = 0; batch < CATCH_UP; batch++) if ((await indexSome(db, contractorId)) === 0) return
}

/**
 * Searches the documents a reader may read (its own and the public ones, of its types): the best first, each document once.
 * Words count by BM25, however they are inflected; a word no document holds is taken for the nearest that one does. Where
 * embeddings are configured, what means the same is ranked with it, but never instead: quoted words must stand there.
 */
export async function searchDocuments(
  db: Database,
  { query, limit, ...reader }: Reader & { query: string; limit: number },
): Promise<Found> {
  const meaning = queryVector(query)
  fillSometimes(db)
  await catchUp(db, reader.contractorId)
  const vector = await meaning
  const { terms, corrections, found, hasPhrases } = await byWords(
    db,
    reader,
    query,
    vector ? Math.max(FUSED, limit) : limit,
  )
  const stems = terms.map(({ lexeme }) => lexeme)
  const isByWords = !vector || hasPhrases || terms.length === 0
  const ranked = isByWords
    ? found
    : fuse([
        found,
        await nearestChunks(db, reader, { ...vector, documents: found.map(({ document }) => document), limit: FUSED }),
      ])
  return { hits: ranked.slice(0, limit).map((scored) => hitOf(scored, stems)), words: terms.length, corrections }
}
