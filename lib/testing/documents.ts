import type { SourceDocument } from '@/db/queries/documents'

/** A document of one chunk for tests of the search, found again by its title. */
export const makeDocument = (title: string, text: string, more: Partial<SourceDocument> = {}): SourceDocument => ({
  type: 'document',
  reference: title,
  title,
  link: null,
  untrusted: false,
  chunks: [{ heading: '', text }],
  ...more,
})
