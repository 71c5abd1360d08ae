import { SERVICE } from '@/lib/core/service'
import type { Tool } from '../tools'
import { catalogCategories } from './categories'
import { callOf, examplesOf } from './connection'
import { limitOf, limitSentence } from './limits'
import type { Site } from './site'

/**
 * `GET /mcp/tools.json` (specification 2.8, ToolsCatalog). It lists every tool; `tools/list` shows a key only those its scopes
 * allow.
 */
export const toolsCatalog = (site: Site, tools: readonly Tool[], updatedAt: Date) => ({
  name: SERVICE.name,
  description: `${SERVICE.description}: every tool there is. tools/list shows a key those its scopes allow. ${limitSentence(site)}`,
  server_url: site.mcp,
  tools_count: tools.length,
  categories: catalogCategories(tools),
  tools: tools.map((tool) => ({
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: tool.inputSchema,
    outputSchema: tool.outputSchema,
    annotations: tool.annotations,
    category: tool.category,
    scopes: tool.scopes,
    endpoint: `${site.mcp}/rpc`,
    authentication_required: true,
    rate_limited: true,
    rate_limit: limitOf(tool, site),
    example_usage: callOf(tool),
  })),
  examples: examplesOf(site, tools),
  updated_at: updatedAt.toISOString(),
})
