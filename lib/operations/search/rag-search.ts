import * as z from 'zod'
import { database } from '@/db/client'
import { MOST_BEHIND } from '@/db/queries/search-queue'
import { DOCUMENT_TYPES } from '@/db/schema'
import { searchDocuments } from '@/lib/knowledge/retrieval/search'
import { defineOperation } from '../define'
import { ownTypesFor, typesFor } from './document-types'
import { lookUpRecords, NAMED_TYPES, namedRecords } from './named-records'

const NOTES = {
  empty: 'The query holds no word to look for, only words such as the and of. Name what it is about.',
  none: 'Nothing was found. Use other or fewer words, and quotes only around words that stand together.',
  unquoted: 'No text has the quoted words together, so they were searched one by one.',
} as const

/** Returns how far the index is behind, in words; null when it is not. */
function behindNote(behind: number): string | null {
  if (behind === 0) return null
  const count = `${behind >= MOST_BEHIND ? 'at least ' : ''}${behind.toLocaleString('en-US')}`
  return `The search index is behind: what was written lately in ${count} ${behind === 1 ? 'record' : 'records'} is not in it yet. Search again in a minute.`
}

/** The types of results: texts, and the records that a query names. `project` and `lead` are either. */
const TYPES = [...new Set([...DOCUMENT_TYPES, ...NAMED_TYPES])] as const

/** Rounds `score` to four decimals: the rest tells nothing and costs a model’s context. */
const rounded = (score: number) => Math.round(score * 10_000) / 10_000

const TOP_K = { error: 'must be a whole number from 1 to 25' }
const LENGTH = { error: 'must have 1 to 400 characters' }

/** Searches the full text of what a contractor has: documents, guides, project notes, leads' messages, permits, the price book. */
export const ragSearch = defineOperation({
  name: 'rag.search',
  title: 'Search documents',
  description:
    'Finds text in this contractor’s documents, projects with the notes that people and agents wrote on them, leads’ messages, permits and price book; ' +
    'only what the key may read. Records that the query names come first, then each document once, with the part that matches. Typing errors are ' +
    'corrected; "words in quotes" should stand together. For figures use the other tools. read_document has the whole of a document.',
  access: 'read:documents',
  effect: 'read',
  limit: 'rag',
  input: z
    .object({
      query: z.string().trim().min(1, LENGTH).max(400, LENGTH).describe('What is looked for, in English words'),
      topK: z.int(TOP_K).min(1, TOP_K).max(25, TOP_K).default(10).describe('Documents in the answer, at most'),
      guides: z.boolean().default(false).describe('Also in the guides to this service, written for developers'),
    })
    .strict(),
  output: z.object({
    hits: z.array(
      z.object({
        id: z.string(),
        type: z.enum(TYPES),
        title: z.string(),
        snippet: z.string().describe('The part that matches, cut out'),
        score: z.number().describe('Higher is better; comparable within this answer only'),
        link: z.string().nullable(),
        untrusted: z.boolean().describe('True when people outside of the company wrote it'),
      }),
    ),
    corrections: z
      .array(z.object({ from: z.string(), to: z.string() }))
      .describe('Words no document holds, and what was looked for instead'),
    note: z
      .string()
      .nullable()
      .describe(
        'Why there are no hits, how far the index is behind, and what to do; null when there is nothing to say',
      ),
  }),
  example: {
    hits: [
      {
        id: 'doc_01k9zq4w0000000000000000aa',
        type: 'guide',
        title: 'Loading records',
        snippet: 'A file is read row by row; what is wrong with a row is told with its line …',
        score: 4.2718,
        link: null,
        untrusted: false,
      },
    ],
    corrections: [],
    note: null,
  },
  tool: { category: 'search', example: { query: 'ridge vent flashing', topK: 5 }, untrusted: ['title', 'snippet'] },
  run: async ({ actor }, { query, topK, guides }) => {
    const { contractorId } = actor
    const db = await database()
    const [known, { hits: documents, words, corrections, isUnquoted, behind }] = await Promise.all([
      lookUpRecords(actor, query),
      searchDocuments(db, { contractorId, types: guides ? typesFor(actor) : ownTypesFor(actor), query, limit: topK }),
    ])
    const records = namedRecords(known, corrections.length > 0 || documents.length === 0)
    // Records come first, so their scores are above those of the documents.
    const above = documents[0]?.score ?? 0
    const hits = [...records.map((record) => ({ ...record, score: above + record.score })), ...documents]
    const note = isUnquoted ? NOTES.unquoted : hits.length > 0 ? null : words === 0 ? NOTES.empty : NOTES.none
    const notes = [note, behindNote(behind)].filter((each) => each !== null)
    return {
      hits: hits.slice(0, topK).map((hit) => ({ ...hit, score: rounded(hit.score) })),
      corrections,
      note: notes.join(' ') || null,
    }
  },
})
