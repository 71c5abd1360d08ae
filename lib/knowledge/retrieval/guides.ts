import { createHash } from 'node:crypto'
import type { Database } from '@/db/client'
import { listDocumentReferences } from '@/db/queries/document-references'
import { putDocuments, removeDocuments, storedAlready } from '@/db/queries/documents'
import { env } from '@/lib/core/env'
import { BUILD, buildTime } from '@/lib/core/service'
import { Pace } from '@/lib/core/slices'
import { GUIDES_PATH, guideDocument, requireGuide } from '@/lib/guides/guides'
import { guideSources, readDocument } from '@/lib/guides/source'
import { PUBLIC_OWNER, type SourceDocument } from './document'

/** Pages of `docs/` that are written for users but are not guides. */
const PAGES = ['documents', 'keys', 'loading', 'materials', 'permit-rules', 'permits', 'reports', 'requests', 'search']

/** The names that search finds as guides: the guides and the pages above. */
export const GUIDES = [...guideSources().map(({ slug }) => slug), ...PAGES].sort()

const textOf = (name: string): string =>
  PAGES.includes(name) ? readDocument('docs', `${name}.md`) : guideDocument(requireGuide(name, env()))

/** The digest of a guide's text and of the build that reads it; none where code may change without a build. */
const digestOf = (text: string, build: string | null): string | undefined =>
  build === null ? undefined : createHash('sha256').update(`${build}\n${text}`).digest('hex')

async function readGuide(name: string, text: string, digest: string | undefined): Promise<SourceDocument> {
  // Loaded where something is to be read, which at most starts of a process is not.
  const [{ readMarkdown }, { chunkBlocks }] = await Promise.all([import('./readers/markdown'), import('./chunk')])
  const { title = name, blocks } = readMarkdown(text)
  const link = PAGES.includes(name) ? null : `${GUIDES_PATH}/${name}`
  return { type: 'guide', reference: name, title, link, untrusted: false, chunks: chunkBlocks(title, blocks), digest }
}

const thisBuild = () => (BUILD.commit === null ? null : `${BUILD.name}, ${buildTime().toISOString()}`)

/** Indexes this version's guides for every contractor, those that this build has not indexed yet, and removes guides that no longer exist. */
export async function loadGuides(db: Database, build: string | null = thisBuild()): Promise<void> {
  const texts = GUIDES.map((name) => ({ name, text: textOf(name) }))
  const guides = texts.map(({ name, text }) => ({ name, text, digest: digestOf(text, build) }))
  const digested = guides.flatMap(({ name, digest }) =>
    digest === undefined ? [] : [{ type: 'guide' as const, reference: name, digest }],
  )
  const stored = new Set((await storedAlready(db.orm, PUBLIC_OWNER, digested)).map(({ reference }) => reference))
  const pace = new Pace(db)
  for (const { name, text, digest } of guides.filter(({ name }) => !stored.has(name))) {
    // Requests have their turn in between.
    await pace.between()
    await putDocuments(db.orm, PUBLIC_OWNER, [await readGuide(name, text, digest)])
  }
  const known = await listDocumentReferences(db.orm, PUBLIC_OWNER, 'guide', '')
  const gone = known.filter((name) => !GUIDES.includes(name))
  if (gone.length > 0) await removeDocuments(db.orm, PUBLIC_OWNER, 'guide', gone)
}
