import { RESOURCE_NAMES, RESOURCES_IN_WORDS } from '@/lib/core/resource-names'
import { SERVICE } from '@/lib/core/service'
import type { Tool } from '../tools'
import { categoriesOf } from './categories'
import { transportsOf } from './connection'
import { limitsOf } from './limits'
import { PROTOCOL_VERSIONS } from './protocol'
import { PUBLIC_PLACES, type Site, urlOf } from './site'

const TAGS = ['contractors', 'construction', ...RESOURCE_NAMES, 'receivables', 'leads', 'crm', 'accounting']

const USE_CASES = [
  'Review what customers owe and how late it is',
  'See what a project was contracted for, invoiced and paid',
  'Follow cash in by week or month',
  'Record a lead from a conversation, once',
  `Look up ${RESOURCES_IN_WORDS}`,
]

/** `GET /mcp/.well-known/mcp-server.json` (specification 2.8, ServerDiscovery). */
export const serverDiscovery = (site: Site, tools: readonly Tool[], updatedAt: Date) => ({
  name: SERVICE.name,
  version: SERVICE.version,
  description: SERVICE.description,
  homepage: site.portal,
  documentation: urlOf(site, 'llms'),
  logo: `${site.origin}/icon.svg`,
  transports: transportsOf(site),
  endpoints: Object.fromEntries([
    ['mcp', site.mcp],
    ['rpc', `${site.mcp}/rpc`],
    ...Object.entries(PUBLIC_PLACES).map(([name, { path }]) => [name, `${site.origin}${path}`]),
  ]),
  technical_specs: {
    message_format: 'JSON-RPC 2.0',
    protocol_versions: PROTOCOL_VERSIONS,
    tools_count: tools.length,
    authentication: `API key in X-API-Key${site.signIn ? ', or sign-in by OAuth 2.1' : ''}`,
    rate_limit: limitsOf(site),
  },
  contact: { name: SERVICE.name, url: site.portal, security: urlOf(site, 'security') },
  categories: categoriesOf(tools),
  tags: TAGS,
  use_cases: USE_CASES,
  industry: 'Construction and home services',
  updated_at: updatedAt.toISOString(),
  schema_version: '1.0',
})
