import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { ServiceError } from '@/lib/core/errors'
import { newId } from '@/lib/core/ids'
import { type Orm, rows } from '../client'
import type { DocumentType } from '../schema'

/** A part of a document that search returns on its own. `heading` is the path of headings above it ('' when there are none). */
export type Chunk = { heading: string; text: string }

/**
 * A document to index. `reference` is the sender's id for it, unique per owner and type; loading it again replaces it. `digest` is that of what
 * it was made from, where that is known without making it; else that of all that is sent is stored.
 */
export type SourceDocument = {
  type: DocumentType
  reference: string
  title: string
  link: string | null
  untrusted: boolean
  chunks: Chunk[]
  digest?: string | undefined
}

/** Upper limits: characters (UTF-16 code units) per text, and chunks per document. */
export const MOST = { reference: 500, title: 500, heading: 1_000, text: 20_000, link: 2_000, chunks: 10_000 } as const

/** Postgres can store neither NUL nor a lone surrogate. */
const storable = (text: string) => text.toWellFormed().replaceAll('\0', '')

const tooLong = (reference: string, what: string, most: number) =>
  new ServiceError(
    'bad_request',
    `Document ${reference.slice(0, 80)}: ${what} is longer than ${most}. Split it before loading it.`,
  )

/** Returns a document in its stored form. @throws ServiceError when a part is longer than {@link MOST} */
function storedForm({ type, reference, title, link, untrusted, chunks, digest: made }: SourceDocument) {
  if (reference.length > MOST.reference) throw tooLong(reference, 'its reference', MOST.reference)
  if (title.length > MOST.title) throw tooLong(reference, 'its title', MOST.title)
  if (link !== null && link.length > MOST.link) throw tooLong(reference, 'its link', MOST.link)
  if (chunks.length > MOST.chunks) throw tooLong(reference, 'the list of its chunks', MOST.chunks)
  for (const { heading, text } of chunks) {
    if (heading.length > MOST.heading) throw tooLong(reference, 'a heading', MOST.heading)
    if (text.length > MOST.text) throw tooLong(reference, 'the text of a chunk', MOST.text)
  }
  // A document without text can still be found by its title.
  const pieces = chunks.length > 0 ? chunks : [{ heading: '', text: '' }]
  const content = {
    type,
    reference: storable(reference),
    title: storable(title),
    link: link === null ? null : storable(link),
    untrusted,
    chunks: pieces.map(({ heading, text }) => ({ heading: storable(heading), text: storable(text) })),
  }
  const digest = made ?? createHash('sha256').update(JSON.stringify(content)).digest('hex')
  return { ...content, id: newId('document'), digest }
}

/** Returns an owner's shelves and creates missing ones. Locks them in id order, so that two writers cannot deadlock. */
async function lockShelves(orm: Orm, owner: string, types: DocumentType[]): Promise<Map<string, number>> {
  const asked = sql`(select jsonb_array_elements_text(${JSON.stringify(types)}::jsonb))`
  const locked = () =>
    rows<{ type: string; id: number }>(
      orm,
      sql`select type, id from search_shelves where owner = ${owner} and type in ${asked} order by id for no key update`,
    )
  let shelves = await locked()
  if (shelves.length < types.length) {
    await orm.execute(sql`insert into search_shelves (owner, type)
      select ${owner}, t from ${asked} as n(t)
      where not exists (select 1 from search_shelves where owner = ${owner} and type = t)
      order by t on conflict do nothing`)
    shelves = await locked()
  }
  return new Map(shelves.map(({ type, id }) => [type, id]))
}

type StoredForm = ReturnType<typeof storedForm>
const nameOf = ({ type, reference }: Pick<StoredForm, 'type' | 'reference'>) => `${type} ${reference}`

type Digested = Pick<StoredForm, 'type' | 'reference' | 'digest'>

/** Returns which of an owner's documents are stored with their digest. */
export async function storedAlready(orm: Orm, owner: string, all: Digested[]): Promise<Digested[]> {
  const asked = all.map(({ type, reference, digest }) => ({ type, reference, digest }))
  return await rows<Digested>(
    orm,
    sql`select r.type, r.reference, r.digest
      from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as r(type text, reference text, digest text)
      cross join lateral (select digest from documents where reference = r.reference and shelf_id =
        (select id from search_shelves where owner = ${owner} and type = r.type) limit 1) d where d.digest = r.digest`,
  )
}

const RECORD = `r(id text, shelf_id int, reference text, title text, link text, untrusted boolean, digest text)`

/** Inserts or updates documents. Returns the numbers of the written ones, by shelf and reference. */
async function writeDocuments(orm: Orm, records: object[]) {
  return rows<{ number: string; shelf: number; reference: string; inserted: boolean }>(
    orm,
    sql`insert into documents as d (id, shelf_id, reference, title, link, untrusted, digest)
      select r.* from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as ${sql.raw(RECORD)}
      on conflict (shelf_id, reference) do update set title = excluded.title, link = excluded.link,
        untrusted = excluded.untrusted, digest = excluded.digest
      where d.digest <> excluded.digest
      returning number::text, shelf_id as shelf, reference, xmax = 0 as inserted`,
  )
}

const deleteChunks = (orm: Orm, numbers: string[]) =>
  orm.execute(sql`delete from document_chunks
    where document in (select n::bigint from jsonb_array_elements_text(${JSON.stringify(numbers)}::jsonb) n)`)

const CHUNK = sql`c(document bigint, ordinal smallint, shelf int, title text, heading text, text text)`

/** Replaces the chunks of documents by others; those that stay as they are, which is most of them, are not indexed again. */
async function replaceChunks(orm: Orm, numbers: string[], chunks: object[]): Promise<void> {
  const wanted = sql`jsonb_to_recordset(${JSON.stringify(chunks)}::jsonb) as ${CHUNK}`
  if (numbers.length > 0)
    await orm.execute(sql`delete from document_chunks as k
      where k.document in (select n::bigint from jsonb_array_elements_text(${JSON.stringify(numbers)}::jsonb) n)
        and (k.document, k.ordinal, k.title, k.heading, k.text) not in
          (select c.document, c.ordinal, c.title, c.heading, c.text from ${wanted})`)
  if (chunks.length > 0)
    await orm.execute(sql`insert into document_chunks (document, ordinal, shelf_id, title, heading, text)
      select * from ${wanted} on conflict (document, ordinal) do nothing`)
}

/**
 * Stores documents of an owner (a contractor's id, or `public` for documents every contractor may read). Replaces those with the
 * same type and reference and skips unchanged ones. Documents and index are written in one transaction. When two have the same
 * reference, the last one wins. Send a few hundred chunks at a time.
 * @throws ServiceError `bad_request` when a part is longer than {@link MOST}
 */
export async function putDocuments(
  orm: Orm,
  owner: string,
  documents: SourceDocument[],
): Promise<{ added: number; updated: number; unchanged: number }> {
  const forms = new Map(documents.map(storedForm).map((form) => [nameOf(form), form]))
  if (forms.size === 0) return { added: 0, updated: 0, unchanged: 0 }
  // Most are stored already, at each start of a process and each load of a folder: they lock nothing.
  const stored = new Set((await storedAlready(orm, owner, [...forms.values()])).map(nameOf))
  const all = [...forms.values()].filter((form) => !stored.has(nameOf(form)))
  if (all.length === 0) return { added: 0, updated: 0, unchanged: forms.size }
  return orm.transaction(async (tx) => {
    const shelves = await lockShelves(tx, owner, [...new Set(all.map(({ type }) => type))])
    const records = all.map(({ chunks: _, type, ...form }) => ({ ...form, shelf_id: shelves.get(type) }))
    const written = await writeDocuments(tx, records)
    const replaced = written.filter(({ inserted }) => !inserted)
    const numbers = new Map(written.map(({ shelf, reference, number }) => [`${shelf} ${reference}`, number]))
    const chunks = all.flatMap(({ type, reference, title, chunks }) => {
      const shelf = shelves.get(type)
      const document = numbers.get(`${shelf} ${reference}`)
      return document === undefined
        ? []
        : chunks.map((chunk, ordinal) => ({ document, ordinal, shelf, title, ...chunk }))
    })
    await replaceChunks(
      tx,
      replaced.map(({ number }) => number),
      chunks,
    )
    const updated = replaced.length
    return { added: written.length - updated, updated, unchanged: forms.size - written.length }
  })
}

/** Removes an owner's documents of one type by their references. Returns how many it removed. */
export async function removeDocuments(
  orm: Orm,
  owner: string,
  type: DocumentType,
  references: string[],
): Promise<number> {
  return orm.transaction(async (tx) => {
    await lockShelves(tx, owner, [type])
    const found = await rows<{ number: string }>(
      tx,
      sql`select d.number::text from jsonb_array_elements_text(${JSON.stringify(references.map(storable))}::jsonb) as r(reference)
        cross join lateral (select number from documents where reference = r.reference and shelf_id =
          (select id from search_shelves where owner = ${owner} and type = ${type}) limit 1) d group by d.number`,
    )
    const numbers = found.map(({ number }) => number)
    if (numbers.length === 0) return 0
    await deleteChunks(tx, numbers)
    await tx.execute(sql`delete from documents
      where number in (select n::bigint from jsonb_array_elements_text(${JSON.stringify(numbers)}::jsonb) n)`)
    return numbers.length
  })
}

/**
 * Vacuums the index, so that searches are fast right after many documents were added: Postgres reads postings from the index alone
 * once their pages are marked as visible. Autovacuum does the same later; a load does not wait for it. Cannot run inside a
 * transaction.
 */
export async function tidyIndex(orm: Orm): Promise<void> {
  for (const table of [
    'search_postings',
    'search_terms',
    'search_words',
    'chunk_terms',
    'document_chunks',
    'documents',
  ])
    await orm.execute(sql`vacuum (analyze) ${sql.identifier(table)}`)
}
