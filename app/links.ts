import { baseUrls, env } from '@/lib/core/env'

/**
 * Where the pages are: beside each other on one machine; where the faces have hosts of their own, the explorer is beside the data API
 * and the console beside the MCP server, as a browser sends their requests to nobody else.
 */
export function links(): { portal: string; explorer: string; console: string } {
  const settings = env()
  const { hosts } = settings
  const urls = baseUrls(settings)
  return {
    portal: hosts.portal ? urls.portal : '',
    explorer: `${hosts.api ? urls.api : ''}/developers/api`,
    console: hosts.mcp ? `${urls.mcp}/console` : '/mcp/console',
  }
}
