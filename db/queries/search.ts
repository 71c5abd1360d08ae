import type { Database } from '../client'
import { type DocumentType, PUBLIC_OWNER } from '../schema'

/**
 * The constants of BM25: how quickly repetitions of a word stop adding to the score (k1), and how much a long chunk is penalized (b).
 * Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), 3.5, recommend k1 from 1.2 to 2 and b from 0.5
 * to 0.8.
 */
const BM25 = { k1: 1.2, b: 0.6 } as const

/** Limits a search to a contractor's own documents and the public ones, of the types its key may read. */
export type Reader = { contractorId: string; types: readonly DocumentType[] }

/** A query word as the index knows it. `lists` holds one posting list per shelf that contains it, with its number of chunks. */
export type ResolvedTerm = {
  lexeme: string
  words: string[]
  repeats: number
  lists: { term: number; shelf: number; chunks: number }[]
}

/**
 * A query analyzed: its terms, and the totals of the readable shelves. A chunk must contain `phrases` verbatim. `isBehind` says that
 * changes of the contractor's records, or of those all may read, are queued that the index does not have yet.
 */
export type AnalyzedQuery = {
  terms: ResolvedTerm[]
  chunks: number
  words: number
  phrases: string | null
  isBehind: boolean
}

const SHELVES = `select id, chunks, words from search_shelves
  where owner in ($1, '${PUBLIC_OWNER}') and type = any(string_to_array($2, ' '))`

// A lateral join with a limit always becomes an index scan, whatever statistics the planner has.
const ASK = {
  name: 'plumbline_search_ask',
  text: `with shelf as materialized (${SHELVES}), asked as materialized (
      select lexeme, json_agg(word order by word) as words, sum(repeats)::int as repeats from (
        select lexeme as word, cardinality(positions) as repeats,
          case when lexeme ~ '[0-9]' then lexeme else (ts_lexize('pg_catalog.english_stem', lexeme))[1] end as lexeme
        from unnest(to_tsvector('pg_catalog.simple', search_text($3)))) w
      where lexeme is not null group by lexeme)
    select a.lexeme, a.words, a.repeats, coalesce(f.lists, '[]') as lists, whole.chunks, whole.words as "wordsInAll", p.phrases,
      exists (select from search_queue where owner in ($1, '${PUBLIC_OWNER}')) as "isBehind"
    from (select coalesce(sum(chunks), 0)::int as chunks, coalesce(sum(words), 0)::float8 as words from shelf) whole
    cross join (select string_agg('(' || q || ')', ' & ') as phrases from (
      select phraseto_tsquery('pg_catalog.english', search_text(p))::text as q from jsonb_array_elements_text($4::jsonb) p) n
      where q <> '') p
    left join asked a on true
    left join lateral (select json_agg(json_build_object('term', t.id, 'shelf', s.id, 'chunks', t.chunks)) as lists
      from shelf s cross join lateral (
        select id, chunks from search_terms where shelf_id = s.id and term = a.lexeme limit 1) t) f on true`,
}

type AskRow = {
  lexeme: string | null
  words: string[]
  repeats: number
  lists: ResolvedTerm['lists']
  chunks: number
  wordsInAll: number
  phrases: string | null
  isBehind: boolean
}

const typesOf = ({ types }: Reader) => types.join(' ')

/** Analyzes a query with the index's own stemming and stop words, and looks up where each word occurs. */
export async function resolveTerms(
  db: Database,
  reader: Reader,
  query: { text: string; phrases: string[] },
): Promise<AnalyzedQuery> {
  const found = await db.run<AskRow>(ASK, [
    reader.contractorId,
    typesOf(reader),
    query.text,
    JSON.stringify(query.phrases),
  ])
  const [first] = found
  const terms = found.flatMap(({ lexeme, words, repeats, lists }) =>
    lexeme === null ? [] : [{ lexeme, words, repeats, lists }],
  )
  const { chunks = 0, wordsInAll: words = 0, phrases = null, isBehind = false } = first ?? {}
  return { terms, chunks, words, phrases, isBehind }
}

/** A posting list, what its word weighs (its idf times its repeats in the query), and how many of its postings are read. */
export type WeighedList = { term: number; weight: number; postings: number }

/**
 * The settings of relevance feedback by Bo1 (Amati, "Probability models for information retrieval based on divergence from randomness",
 * 2003): the words that are unexpectedly frequent in the first `documents` are added to the query, the best of `words`, each in at least
 * `together` of them, of at least `letters` and without digits (years and abbreviations tell no topic), and weighed by at most `weight` of
 * a query word. The first `ranked` documents are then scored again; when fewer match, the first ones would be too large a share of them to
 * tell a topic, and nothing is added.
 */
const FEEDBACK = { documents: 10, words: 20, together: 2, letters: 3, weight: 0.3, ranked: 100 } as const

/** A document's best chunk, with its score. */
export type Scored = {
  id: string
  type: DocumentType
  title: string
  heading: string
  text: string
  link: string | null
  untrusted: boolean
  score: number
  document: string
  ordinal: number
}

/**
 * Returns SQL of what a word that occurs `count` times in a chunk of a `length` adds to its score, of the word's weight: count / (count +
 * norm), BM25 without its factor k1 + 1, which the weights have. $5 is k1 * b / average length: `0.6 * length` would be computed in
 * decimals.
 */
const norm = (length: string) => `(${BM25.k1 * (1 - BM25.b)}::float8 + $5::float8 * ${length})`
const added = (weight: string, norm: string, count: string) => `${weight} / (1 + ${norm} / ${count})`

/**
 * The place where the word of `a` is, or would be, among the terms of `k`, which are in order: found by halving, where `array_position`
 * compares each.
 */
const PLACE = 'width_bucket(a.term, k.terms)'
/** The number of times the word of `a` is in the chunk of `k`; null when it is not. */
const COUNT = `case when k.terms[${PLACE}] = a.term then k.counts[${PLACE}] end`

/**
 * The score of a chunk of `c` by the weighted words of a list of them, from the chunk's own words; null where `wanted` is false, and then
 * nothing is read. A word it has not adds null.
 */
const exactly = (asked: string, wanted: string) => `select sum(${added('a.weight', 'k.norm', COUNT)}) as score
        from (select terms, counts, ${norm('length')} as norm from chunk_terms
          where document = c.document and ordinal = c.ordinal limit 1) k cross join ${asked} a where ${wanted}`

/**
 * Reads the postings of each list that can add the most to a score. The chunks that lead after that are scored exactly from all of
 * their words, some of which may be in the unread part of a list; where no shelf has such a part beside another list, the scores are exact
 * already. Only the best chunk of each document is returned. With feedback ($10), the documents that lead are scored again with the words they have in common.
 */
const FIND = {
  name: 'plumbline_search_find',
  text: `with shelf as materialized (${SHELVES}), asked as materialized (
      select a.term, ${BM25.k1 + 1} * a.weight as weight, a.postings, t.shelf_id, t.chunks
      from unnest($3::int[], $4::float8[], $6::int[]) as a(term, weight, postings)
      cross join lateral (select shelf_id, chunks from search_terms where id = a.term limit 1) t
      where t.shelf_id in (select id from shelf)
    ), whole as materialized (
      select bool_and(is_whole) as is_whole
      from (select count(*) = 1 or bool_and(postings >= chunks) as is_whole from asked group by shelf_id) w
    ), candidate as materialized (
      select p.document, p.ordinal, sum(${added('a.weight', norm('p.length'), 'p.count')}) as score
      from asked a cross join lateral (select document, ordinal, count, length from search_postings
        where term_id = a.term order by impact desc limit a.postings) p
      group by p.document, p.ordinal
      order by score desc limit $7::int
    ), exact as materialized (
      select c.document, c.ordinal, coalesce(f.score, c.score) as score
      from candidate c cross join lateral (${exactly('asked', 'not (select is_whole from whole)')}) f
      where $8::text is null or (select lexemes from document_chunks
        where document = c.document and ordinal = c.ordinal limit 1) @@ $8::tsquery
    ), ahead as materialized (
      select * from (select distinct on (document) * from exact order by document, score desc, ordinal) b
      order by score desc, document limit greatest($9::int, ${FEEDBACK.ranked})
    ), common as materialized (
      select w.term, sum(w.count)::float8 as count
      from (select * from ahead order by score desc, document limit ${FEEDBACK.documents}) c
      cross join lateral (select terms, counts from chunk_terms where document = c.document and ordinal = c.ordinal limit 1) k
      cross join lateral unnest(k.terms, k.counts) as w(term, count)
      where $10::boolean and (select count(*) from ahead) >= ${FEEDBACK.ranked}
      group by w.term having count(*) >= ${FEEDBACK.together}
    ), telling as materialized (
      select t.term, c.count * ln((1 + n.share) / n.share) + ln(1 + n.share) as gain
      from common c cross join lateral (select shelf_id, term, chunks from search_terms where id = c.term limit 1) t
      join shelf s on s.id = t.shelf_id and length(t.term) >= ${FEEDBACK.letters} and t.term = translate(t.term, '0123456789', '')
      cross join lateral (select least(1, t.chunks::float8 / greatest(1, s.chunks)) as share) n
      order by gain desc, t.term limit ${FEEDBACK.words}
    ), added as materialized (
      select l.term, ${FEEDBACK.weight * (BM25.k1 + 1)}::float8 * g.gain * ln(1 + ($11::float8 - l.n + 0.5) / (l.n + 0.5)) as weight
      from (select term, max(gain) / max(max(gain)) over () as gain from telling group by term) g
      cross join lateral (select t.id as term, (sum(t.chunks) over ())::float8 as n from shelf s cross join lateral (
        select id, chunks from search_terms where shelf_id = s.id and term = g.term limit 1) t) l
    ), extended as materialized (
      select term, sum(weight) as weight from (select term, weight from asked union all select * from added) a group by term
    ), best as (
      select c.document, c.ordinal, coalesce(f.score, c.score) as score from ahead c
      cross join lateral (${exactly('extended', 'exists (select from added)')}) f
      order by 3 desc, c.document limit $9::int
    )
    select d.id, d.type, k.title, k.heading, k.text, d.link, d.untrusted, b.score, b.document::text, b.ordinal
    from best b
    cross join lateral (select d.id, s.type, d.link, d.untrusted from documents d join search_shelves s on s.id = d.shelf_id
      where d.number = b.document limit 1) d
    cross join lateral (select title, heading, text from document_chunks
      where document = b.document and ordinal = b.ordinal limit 1) k
    order by b.score desc, b.document`,
}

/**
 * Returns the best documents for weighted words, each with its best chunk. `chunks` is how many the readable shelves have, and
 * `averageLength` their average length; `candidates` chunks are scored exactly; `feedback` says whether {@link FEEDBACK} is used.
 */
export function findChunks(
  db: Database,
  reader: Reader,
  query: {
    lists: WeighedList[]
    chunks: number
    averageLength: number
    phrases: string | null
    limit: number
    candidates: number
    feedback: boolean
  },
): Promise<Scored[]> {
  const { lists, chunks, averageLength, phrases, limit, candidates, feedback } = query
  return db.run<Scored>(FIND, [
    reader.contractorId,
    typesOf(reader),
    `{${lists.map(({ term }) => term)}}`,
    `{${lists.map(({ weight }) => weight)}}`,
    (BM25.k1 * BM25.b) / averageLength,
    `{${lists.map(({ postings }) => postings)}}`,
    candidates,
    phrases,
    limit,
    feedback,
    chunks,
  ])
}
