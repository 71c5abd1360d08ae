import { sql } from 'drizzle-orm'
import {
  boolean,
  customType,
  foreignKey,
  integer,
  pgTable,
  primaryKey,
  real,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { lifeTimes, number } from './columns'

/** The kinds of things documents come from. */
export const DOCUMENT_TYPES = ['document', 'guide', 'project', 'lead', 'permit', 'material'] as const
export type DocumentType = (typeof DOCUMENT_TYPES)[number]

/** The owner of documents that every contractor may read. */
export const PUBLIC_OWNER = 'public'

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })

/**
 * A shelf: the documents of one owner and one type, counted together. A search reads the shelves its key may read; other shelves
 * affect neither results nor scores. Writers lock the shelf, so that its counts stay exact.
 */
export const searchShelves = pgTable(
  'search_shelves',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    /** A contractor's id, or `public`. */
    owner: text('owner').notNull(),
    type: text('type').notNull(),
    chunks: integer('chunks').notNull().default(0),
    /** The total length of all chunks, in counted words. */
    words: number('words').notNull().default(0),
  },
  (t) => [uniqueIndex('search_shelves_owner').on(t.owner, t.type)],
)

/** Documents to search, identified by the reference they were sent with. */
export const documents = pgTable(
  'documents',
  {
    number: number('number').primaryKey().generatedAlwaysAsIdentity(),
    id: text('id').notNull().unique(),
    shelfId: integer('shelf_id')
      .notNull()
      .references(() => searchShelves.id),
    reference: text('reference').notNull(),
    title: text('title').notNull(),
    link: text('link'),
    untrusted: boolean('untrusted').notNull(),
    /** The SHA-256 of everything that was sent, so that an unchanged document is not written again. */
    digest: text('digest').notNull(),
    ...lifeTimes(),
  },
  (t) => [uniqueIndex('documents_reference').on(t.shelfId, t.reference)],
)

/** The parts of a document that search finds. Triggers keep the tables below up to date with this one. */
export const documentChunks = pgTable(
  'document_chunks',
  {
    document: number('document')
      .notNull()
      .references(() => documents.number),
    ordinal: smallint('ordinal').notNull(),
    shelfId: integer('shelf_id').notNull(),
    title: text('title').notNull(),
    heading: text('heading').notNull(),
    text: text('text').notNull(),
    lexemes: tsvector('lexemes').generatedAlwaysAs(sql`search_lexemes(title, heading, text)`),
  },
  (t) => [primaryKey({ columns: [t.document, t.ordinal] })],
)

/** The words of a shelf as Postgres stems them, with the number of chunks that contain each. */
export const searchTerms = pgTable(
  'search_terms',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    shelfId: integer('shelf_id').notNull(),
    term: text('term').notNull(),
    chunks: integer('chunks').notNull(),
  },
  (t) => [uniqueIndex('search_terms_term').on(t.shelfId, t.term)],
)

/** The words of a shelf as written, for correcting typos. */
export const searchWords = pgTable(
  'search_words',
  { shelfId: integer('shelf_id').notNull(), word: text('word').notNull(), termId: integer('term_id').notNull() },
  (t) => [primaryKey({ columns: [t.shelfId, t.word] }), uniqueIndex('search_words_term').on(t.termId, t.word)],
)

/**
 * The chunks that contain a term, and how often. `count` is weighted by where the word occurs, `length` is the chunk's length, and `impact`
 * (0 to 10,000) orders a term's postings by how much they can add to a score, so that a search reads only the best postings of a common
 * word.
 */
export const searchPostings = pgTable('search_postings', {
  document: number('document').notNull(),
  termId: integer('term_id').notNull(),
  ordinal: smallint('ordinal').notNull(),
  impact: smallint('impact').notNull(),
  count: smallint('count').notNull(),
  length: integer('length').notNull(),
})

/** The inverse: the terms of a chunk, used to score it exactly and to remove it from the index. */
export const chunkTerms = pgTable(
  'chunk_terms',
  {
    document: number('document').notNull(),
    ordinal: smallint('ordinal').notNull(),
    shelfId: integer('shelf_id').notNull(),
    length: integer('length').notNull(),
    terms: integer('terms').array().notNull(),
    counts: smallint('counts').array().notNull(),
  },
  (t) => [primaryKey({ columns: [t.document, t.ordinal] })],
)

/** Embeddings of chunks, when a model is configured. Filled in after the chunk is stored; a search works without them. */
export const chunkVectors = pgTable(
  'chunk_vectors',
  {
    document: number('document').notNull(),
    ordinal: smallint('ordinal').notNull(),
    model: text('model').notNull(),
    /** A vector of length 1, so that the dot product of two vectors is their cosine. */
    vector: real('vector').array().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.document, t.ordinal] }),
    foreignKey({
      columns: [t.document, t.ordinal],
      foreignColumns: [documentChunks.document, documentChunks.ordinal],
    }).onDelete('cascade'),
  ],
)

/**
 * Records whose documents must be rewritten, one row per change, added by triggers in the record's transaction. There is no unique
 * constraint, so that a writer never waits for the indexer.
 */
export const searchQueue = pgTable(
  'search_queue',
  {
    id: number('id').generatedAlwaysAsIdentity(),
    /** A contractor's id, or `public`. */
    owner: text('owner').notNull(),
    kind: text('kind', { enum: ['project', 'material', 'permit'] }).notNull(),
    reference: text('reference').notNull(),
  },
  (t) => [primaryKey({ columns: [t.owner, t.id] })],
)
