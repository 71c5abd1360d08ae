import { SERVICE } from '@/lib/core/service'
import type { Tool } from '../tools'
import { categoriesOf } from './categories'
import { authenticationOf, examplesOf, transportsOf } from './connection'
import type { Live } from './live'
import type { Site } from './site'

/** `GET /` (specification 2.8, ServerInfo). */
export const serverInfo = (site: Site, tools: readonly Tool[], live: Live) => ({
  name: SERVICE.name,
  description: SERVICE.description,
  version: SERVICE.version,
  status: live.status,
  uptime_seconds: live.uptimeSeconds,
  active_sessions: live.activeSessions,
  transports: transportsOf(site),
  authentication: authenticationOf(site),
  examples: examplesOf(site, tools),
  tool_categories: categoriesOf(tools),
})

/** `GET /mcp/info` (specification 2.8, McpInfo). */
export const mcpInfo = (site: Site, tools: readonly Tool[]) => ({
  name: SERVICE.name,
  version: SERVICE.version,
  transports: transportsOf(site),
  authentication: authenticationOf(site),
  examples: examplesOf(site, tools),
})
