import type { Database } from '@/db/client'
import { listDocumentReferences } from '@/db/queries/document-references'
import { putDocuments, removeDocuments } from '@/db/queries/documents'
import { env } from '@/lib/core/env'
import { GUIDES_PATH, guideDocument, requireGuide } from '@/lib/site/guides/guides'
import { guideSources, readDocument } from '@/lib/site/guides/source'
import { chunkBlocks } from './chunk'
import { PUBLIC_OWNER, type SourceDocument } from './document'
import { readMarkdown } from './readers/markdown'

/** Pages of `docs/` beside the guides that are written for those who use the service. */
const PAGES = ['documents', 'keys', 'loading', 'materials', 'permit-rules', 'permits', 'reports', 'requests', 'search']

/** What is found as a guide, by name: the guides, and pages beside them. */
export const GUIDES = [...guideSources().map(({ slug }) => slug), ...PAGES].sort()

const textOf = (name: string): string =>
  PAGES.includes(name) ? readDocument('docs', `${name}.md`) : guideDocument(requireGuide(name, env()))

function readGuide(name: string): SourceDocument {
  const { title = name, blocks } = readMarkdown(textOf(name))
  const link = PAGES.includes(name) ? null : `${GUIDES_PATH}/${name}`
  return { type: 'guide', reference: name, title, link, untrusted: false, chunks: chunkBlocks(title, blocks) }
}

/** Puts the guides of this version into the index for every contractor, and takes out those it no longer has. */
export async function loadGuides(db: Database): Promise<void> {
  await putDocuments(db.orm, PUBLIC_OWNER, GUIDES.map(readGuide))
  const known = await listDocumentReferences(db.orm, PUBLIC_OWNER, 'guide', '')
  const gone = known.filter((name) => !GUIDES.includes(name))
  if (gone.length > 0) await removeDocuments(db.orm, PUBLIC_OWNER, 'guide', gone)
}
