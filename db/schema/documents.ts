import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  customType,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  real,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { lifeTimes } from './columns'

/** What kind of thing a document was made from. */
export const DOCUMENT_TYPES = ['document', 'guide', 'project', 'lead', 'permit', 'material'] as const
export type DocumentType = (typeof DOCUMENT_TYPES)[number]

/** The owner of what every contractor may read. */
export const PUBLIC_OWNER = 'public'

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })
const number = (name: string) => bigint(name, { mode: 'number' })

/**
 * What is counted together: the documents of one owner and one type. A search reads the shelves its key may read, and nothing of
 * any other goes into an answer or a score. Writers of a shelf wait for each other here, so that its counts stay exact.
 */
export const searchShelves = pgTable(
  'search_shelves',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    /** A contractor's id, or `public`. */
    owner: text('owner').notNull(),
    type: text('type').notNull(),
    chunks: integer('chunks').notNull().default(0),
    /** Lengths of all chunks together, in counted words. */
    words: number('words').notNull().default(0),
  },
  (t) => [uniqueIndex('search_shelves_owner').on(t.owner, t.type)],
)

/** Documents to be searched, known again by the reference they were sent under. */
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
    /** SHA-256 of everything that was sent, so that what did not change is not written again. */
    digest: text('digest').notNull(),
    ...lifeTimes(),
  },
  (t) => [uniqueIndex('documents_reference').on(t.shelfId, t.reference)],
)

/** The pieces a document is found by. Triggers keep everything below in step with the rows that come and go here. */
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

/** The words of a shelf as Postgres stems them, with the number of chunks that hold each. */
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

/** The words of a shelf as they were written, for help with typing errors. */
export const searchWords = pgTable(
  'search_words',
  { shelfId: integer('shelf_id').notNull(), word: text('word').notNull(), termId: integer('term_id').notNull() },
  (t) => [primaryKey({ columns: [t.shelfId, t.word] }), uniqueIndex('search_words_term').on(t.termId, t.word)],
)

/**
 * Which chunks hold a term, and how often: `count` is weighted by where the word stands, `length` is the chunk's, `impact` (0 to
 * 10,000) orders a term's postings by what they are worth, so that of a common word only the best need be read.
 */
export const searchPostings = pgTable('search_postings', {
  document: number('document').notNull(),
  termId: integer('term_id').notNull(),
  ordinal: smallint('ordinal').notNull(),
  impact: smallint('impact').notNull(),
  count: smallint('count').notNull(),
  length: integer('length').notNull(),
})

/** The same the other way round: the terms of a chunk, to score it exactly and to take it out again. */
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

/** What an embedding model made of a chunk, when one is configured; filled in after the chunk, never needed by a search. */
export const chunkVectors = pgTable(
  'chunk_vectors',
  {
    document: number('document').notNull(),
    ordinal: smallint('ordinal').notNull(),
    model: text('model').notNull(),
    /** Of length 1, so that a product of two is their cosine. */
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
 * Records whose documents must be rewritten: a row for each change, added by triggers in the record's transaction. Nothing is
 * unique here, so that no writer ever waits for the one who works it off.
 */
export const searchQueue = pgTable(
  'search_queue',
  {
    id: number('id').primaryKey().generatedAlwaysAsIdentity(),
    /** A contractor's id, or `public`. */
    owner: text('owner').notNull(),
    kind: text('kind', { enum: ['project', 'material', 'permit'] }).notNull(),
    reference: text('reference').notNull(),
  },
  (t) => [index('search_queue_owner').on(t.owner, t.id)],
)
