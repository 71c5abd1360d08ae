import type { Database } from '../client'
import { PUBLIC_OWNER } from '../schema'
import type { Reader, Scored } from './search'

const MISSING = {
  name: 'plumbline_chunks_without_vector',
  text: `select c.document::text, c.ordinal, c.title, c.heading, c.text from document_chunks c
    left join chunk_vectors v on v.document = c.document and v.ordinal = c.ordinal
    where v.model is distinct from $1 order by c.document desc, c.ordinal limit $2::int`,
}

/** A chunk that has no vector of the current model. */
export type Unembedded = { document: string; ordinal: number; title: string; heading: string; text: string }

/** Returns chunks without a vector of a model, newest documents first. */
export const chunksWithoutVector = (db: Database, model: string, limit: number): Promise<Unembedded[]> =>
  db.run<Unembedded>(MISSING, [model, limit])

const PUT = {
  name: 'plumbline_put_vectors',
  text: `insert into chunk_vectors (document, ordinal, model, vector)
    select c.document, c.ordinal, $2, array(select e::real from jsonb_array_elements_text(r.vector) with ordinality as x(e, i) order by i)
    from jsonb_to_recordset($1::jsonb) as r(document bigint, ordinal smallint, vector jsonb)
    join document_chunks c on c.document = r.document and c.ordinal = r.ordinal for key share of c
    on conflict (document, ordinal) do update set model = excluded.model, vector = excluded.vector`,
}

/** Stores vectors (of length 1). Skips vectors whose chunk has been deleted. */
export async function putVectors(
  db: Database,
  model: string,
  vectors: { document: string; ordinal: number; vector: number[] }[],
): Promise<void> {
  await db.run(PUT, [JSON.stringify(vectors), model])
}

/** The number of vectors of each readable shelf that are compared, in addition to those of chunks that match by words. */
const SCANNED = 500

const NEAREST = {
  name: 'plumbline_nearest_chunks',
  text: `with shelf as materialized (select id, type from search_shelves
      where owner in ($1, '${PUBLIC_OWNER}') and type = any(string_to_array($2, ' '))
    ), pool as (
      select n::bigint as document from jsonb_array_elements_text($3::jsonb) n
      union
      select d.number from shelf s cross join lateral
        (select number from documents where shelf_id = s.id order by number desc limit ${SCANNED}) d
    ), compared as (
      select v.document, v.ordinal, (select sum(a * b) from unnest(v.vector, $5::real[]) as x(a, b))::float8 as score
      from pool p cross join lateral (select document, ordinal, vector from chunk_vectors
        where document = p.document and model = $4 and cardinality(vector) = cardinality($5::real[]) limit ${SCANNED}) v
    ), best as (select distinct on (document) * from compared order by document, score desc)
    select d.id, s.type, k.title, k.heading, k.text, d.link, d.untrusted, b.score, b.document::text, b.ordinal
    from best b join documents d on d.number = b.document join shelf s on s.id = d.shelf_id
    join document_chunks k on k.document = b.document and k.ordinal = b.ordinal
    order by b.score desc, b.document limit $6::int`,
}

/** Returns the documents whose chunks are closest to a vector (by cosine), among the given documents and each shelf's newest. */
export function nearestChunks(
  db: Database,
  { contractorId, types }: Reader,
  query: { documents: string[]; model: string; vector: number[]; limit: number },
): Promise<Scored[]> {
  const { documents, model, vector, limit } = query
  return db.run<Scored>(NEAREST, [
    contractorId,
    types.join(' '),
    JSON.stringify(documents),
    model,
    `{${vector}}`,
    limit,
  ])
}
