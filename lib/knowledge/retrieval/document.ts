/** What the sources of documents and the index agree on; the index itself is in the database, see `db/queries/documents.ts`. */
export type { Chunk, SourceDocument } from '@/db/queries/documents'
export { MOST } from '@/db/queries/documents'
export { DOCUMENT_TYPES, type DocumentType, PUBLIC_OWNER } from '@/db/schema'
