import type { Database } from '../client'
import { PUBLIC_OWNER } from '../schema'
import type { Reader } from './search'

/** A word that documents contain, and its stem's posting list on one shelf. */
export type IndexedWord = { word: string; lexeme: string; term: number; shelf: number; chunks: number }

const READABLE = `s.owner in ($1, '${PUBLIC_OWNER}') and s.type = any(string_to_array($2, ' '))`
const TERM = 'cross join lateral (select id, term, chunks from search_terms where id = k.term_id limit 1) t'
const COLUMNS = 'k.word, t.term as lexeme, t.id as term, s.id as shelf, t.chunks'

const KNOWN = {
  name: 'plumbline_search_known_words',
  text: `select ${COLUMNS} from search_shelves s cross join jsonb_array_elements_text($3::jsonb) v(word)
    cross join lateral (select word, term_id from search_words where shelf_id = s.id and word = v.word limit 1) k ${TERM}
    where ${READABLE}`,
}

/** Returns which of the given words occur in the readable documents. */
export const findIndexedWords = (
  db: Database,
  { contractorId, types }: Reader,
  words: string[],
): Promise<IndexedWord[]> => db.run<IndexedWord>(KNOWN, [contractorId, types.join(' '), JSON.stringify(words)])

const BEGINNING = {
  name: 'plumbline_search_words_beginning',
  text: `select ${COLUMNS} from search_shelves s
    cross join lateral (select word, term_id from search_words where shelf_id = s.id and word >= $3
      and word < $3 || chr(1114109) and length(word) between $4::int and $5::int order by word limit $6::int) k ${TERM}
    where ${READABLE}`,
}

/** Returns words with the same beginning and a similar length, at most `limit` per shelf. */
export function wordsBeginning(
  db: Database,
  { contractorId, types }: Reader,
  like: { beginning: string; shortest: number; longest: number; limit: number },
): Promise<IndexedWord[]> {
  return db.run<IndexedWord>(BEGINNING, [
    contractorId,
    types.join(' '),
    like.beginning,
    like.shortest,
    like.longest,
    like.limit,
  ])
}
