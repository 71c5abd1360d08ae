import type { Database } from '@/db/client'
import { listDocumentReferences } from '@/db/queries/document-references'
import { putDocuments, removeDocuments } from '@/db/queries/documents'
import { env } from '@/lib/core/env'
import { Pace } from '@/lib/core/slices'
import { GUIDES_PATH, guideDocument, requireGuide } from '@/lib/guides/guides'
import { guideSources, readDocument } from '@/lib/guides/source'
import { chunkBlocks } from './chunk'
import { PUBLIC_OWNER, type SourceDocument } from './document'
import { readMarkdown } from './readers/markdown'

/** Pages of `docs/` that are written for users but are not guides. */
const PAGES = ['documents', 'keys', 'loading', 'materials', 'permit-rules', 'permits', 'reports', 'requests', 'search']

/** The names that search finds as guides: the guides and the pages above. */
export const GUIDES = [...guideSources().map(({ slug }) => slug), ...PAGES].sort()

const textOf = (name: string): string =>
  PAGES.includes(name) ? readDocument('docs', `${name}.md`) : guideDocument(requireGuide(name, env()))

function readGuide(name: string): SourceDocument {
  const { title = name, blocks } = readMarkdown(textOf(name))
  const link = PAGES.includes(name) ? null : `${GUIDES_PATH}/${name}`
  return { type: 'guide', reference: name, title, link, untrusted: false, chunks: chunkBlocks(title, blocks) }
}

/** Indexes this version's guides for every contractor, and removes guides that no longer exist. */
export async function loadGuides(db: Database): Promise<void> {
  const pace = new Pace(db)
  for (const name of GUIDES) {
    // Requests have their turn in between.
    await pace.between()
    await putDocuments(db.orm, PUBLIC_OWNER, [readGuide(name)])
  }
  const known = await listDocumentReferences(db.orm, PUBLIC_OWNER, 'guide', '')
  const gone = known.filter((name) => !GUIDES.includes(name))
  if (gone.length > 0) await removeDocuments(db.orm, PUBLIC_OWNER, 'guide', gone)
}
