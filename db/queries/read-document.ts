import type { Database } from '../client'
import { PUBLIC_OWNER } from '../schema'

/** The data of a document: what it is, how many sections it has, and some of them in order. */
export type DocumentRead = {
  id: string
  type: string
  title: string
  link: string | null
  untrusted: boolean
  total: number
  sections: { heading: string; text: string }[]
}

const TEXT = `select d.id, s.type, d.title, d.link, d.untrusted,
    (select count(*)::int from document_chunks c where c.document = d.number) as total,
    (select coalesce(json_agg(json_build_object('heading', c.heading, 'text', c.text) order by c.ordinal), '[]') from (
      select * from document_chunks c where c.document = d.number order by c.ordinal offset $4::int limit $5::int) c) as sections
  from documents d join search_shelves s on s.id = d.shelf_id
  where d.id = $2 and s.owner in ($1, '${PUBLIC_OWNER}') and s.type = any(string_to_array($3, ','))`

const STATEMENT = { name: 'plumbline_read_document', text: TEXT }

/**
 * Reads sections of a document of a contractor's, or of everybody's. Undefined when there is none of this id among these types.
 * @param skip sections before those that are read
 */
export async function readDocument(
  db: Database,
  query: { contractorId: string; id: string; types: readonly string[]; skip: number; limit: number },
): Promise<DocumentRead | undefined> {
  const { contractorId, id, types, skip, limit } = query
  const [row] = await db.run<DocumentRead>(STATEMENT, [contractorId, id, types.join(','), skip, limit])
  return row
}
