/**
 * Types and limits shared by the document sources and the index. The index itself is in the database; see
 * `db/queries/documents.ts`.
 */
export type { Chunk, SourceDocument } from '@/db/queries/documents'
export { MOST } from '@/db/queries/documents'
export { DOCUMENT_TYPES, type DocumentType, PUBLIC_OWNER } from '@/db/schema'
