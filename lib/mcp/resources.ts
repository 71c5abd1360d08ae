import type { KeyActor } from '@/lib/auth/actor'
import { env } from '@/lib/core/env'
import { RESOURCES_IN_WORDS } from '@/lib/core/resource-names'
import { guideDocument, requireGuide } from '@/lib/guides/guides'
import { guideSources, readDocument } from '@/lib/guides/source'
import type { Context } from '@/lib/operations/define'
import { execute } from '@/lib/operations/execute'
import { operations } from '@/lib/operations/registry'
import { readView } from './apps'
import { UnknownResource } from './invalid-params'
import { type ResourceContents, readRecords } from './record-resources'

/** A document that agents can read; `resources/list` returns everything except `read`. */
export type McpResource = {
  uri: string
  name: string
  title: string
  description: string
  mimeType: string
  /** Reads the document. @throws ServiceError when its operation does */
  read(ctx: Context): Promise<ResourceContents>
}

function markdown(name: string, title: string, description: string, text: () => string): McpResource {
  const uri = `plumbline://guides/${name}`
  const mimeType = 'text/markdown'
  return { uri, name, title, description, mimeType, read: async () => ({ uri, mimeType, text: text() }) }
}

/** The guides as the portal shows them, with this deployment's addresses. */
const guides = guideSources().map(({ slug, title, description }) =>
  markdown(slug, title, description, () => guideDocument(requireGuide(slug, env()))),
)

/** A document that is not a guide, served unchanged. */
const documentOf = (name: string, title: string, description: string) =>
  markdown(name, title, description, () => readDocument('docs', `${name}.md`))

const METADATA = { uri: 'plumbline://metadata', mimeType: 'application/json' }

const metadata: McpResource = {
  ...METADATA,
  name: 'metadata',
  title: 'Metadata',
  description: 'The resources of the data API, the query parameters each takes, and its fields with their types.',
  read: async (ctx) => ({ ...METADATA, text: JSON.stringify(await execute(operations.getMetadata, ctx, {})) }),
}

/** The documents, in list order. */
export const mcpResources: readonly McpResource[] = [
  metadata,
  ...guides,
  documentOf(
    'loading',
    'Loading a contractor’s files',
    `The columns of the CSV files that ${RESOURCES_IN_WORDS} are loaded from, and how each is read.`,
  ),
  documentOf(
    'reports',
    'Reports',
    'What the reports count: currencies, days, balance and unpaid, receivables of a past day, won and lost leads.',
  ),
]

const byUri = new Map(mcpResources.map((resource) => [resource.uri, resource]))

/** Says which URIs there are, to whoever asked for another. */
const noSuchResource = (uri: string) =>
  new UnknownResource(
    uri,
    `There is no resource of this URI. There are ${[...byUri.keys()].join(', ')}, and those of resources/templates/list.`,
  )

/** Checks that a URI is of a document or a view. @throws UnknownResource */
export function requireDocument(uri: string): void {
  if (!byUri.has(uri) && !readView(uri)) throw noSuchResource(uri)
}

/**
 * Returns the contents of a document, or of records, by their URI.
 * @throws UnknownResource when nothing has this URI
 */
export async function readResource(uri: string, actor: KeyActor): Promise<ResourceContents> {
  const contents = byUri.get(uri)?.read({ actor, now: new Date() }) ?? readView(uri) ?? (await readRecords(uri, actor))
  if (contents) return contents
  throw noSuchResource(uri)
}
