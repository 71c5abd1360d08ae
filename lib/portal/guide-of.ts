import { RESOURCE_NAMES } from '@/lib/core/resource-names'

/** Guides by the beginning of a page's path; the first match counts. */
const GUIDES: [path: string, slug: string, title: string][] = [
  ['/keys', 'authentication', 'Authentication and rotation'],
  ['/logs', 'errors-and-limits', 'Errors and limits'],
  ['/usage', 'errors-and-limits', 'Errors and limits'],
  ['/leads', 'leads', 'Leads and adapters'],
  ['/data/load', 'loading-files', 'Loading files'],
  ['/data/quickbooks', 'connecting-quickbooks', 'Connecting QuickBooks Online'],
  ['/data/sources', 'loading-files', 'Loading files'],
  ...RESOURCE_NAMES.map((name): [string, string, string] => [`/${name}`, 'reading-data', 'Reading data']),
  ['/developers/api/create_lead', 'leads', 'Leads and adapters'],
  ['/developers/api/receive_lead', 'leads', 'Leads and adapters'],
  ['/developers/api/swagger', 'quick-start', 'Quick start'],
  ['/developers/api/get_openapi', 'changelog', 'Changelog and deprecations'],
  ['/developers/api', 'reading-data', 'Reading data'],
  ['/mcp/console', 'agents', 'Agents'],
  ['/connections', 'agents', 'Agents'],
  ['/outgoing', 'webhooks', 'Webhooks'],
  ['/team', 'authentication', 'Authentication and rotation'],
  ['/audit', 'authentication', 'Authentication and rotation'],
]

/** Returns the guide of a page; undefined when it has none. */
export function guideOf(path: string): { slug: string; title: string } | undefined {
  const found = GUIDES.find(([beginning]) => path === beginning || path.startsWith(`${beginning}/`))
  return found && { slug: found[1], title: found[2] }
}

/** The guides that a page links to. */
export const LINKED_GUIDES: readonly (readonly [slug: string, title: string])[] = GUIDES.map(([, slug, title]) => [
  slug,
  title,
])
