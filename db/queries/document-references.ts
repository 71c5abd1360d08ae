import { sql } from 'drizzle-orm'
import { type Orm, rows } from '../client'
import type { DocumentType } from '../schema'

/** Returns the references of an owner's documents of one type that begin with `prefix`. */
export async function listDocumentReferences(
  orm: Orm,
  owner: string,
  type: DocumentType,
  beginning: string,
): Promise<string[]> {
  const found = await rows<{ reference: string }>(
    orm,
    sql`select d.reference from documents d join search_shelves s on s.id = d.shelf_id
      where s.owner = ${owner} and s.type = ${type} and starts_with(d.reference, ${beginning}) order by d.reference`,
  )
  return found.map(({ reference }) => reference)
}
