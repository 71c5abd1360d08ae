import { baseUrls, type Env, env } from '@/lib/core/env'

/**
 * Where the pages are: beside each other on one machine. Where the faces have hosts of their own, the explorer is on the portal's, where
 * people are signed in, else beside the data API; the console is beside the MCP server, as a browser sends its requests to nobody else.
 */
export function links(): { portal: string; explorer: string; console: string } {
  const settings = env()
  const { hosts } = settings
  const urls = baseUrls(settings)
  return {
    portal: hosts.portal ? urls.portal : '',
    explorer: `${explorerHost(settings)}/developers/api`,
    console: hosts.mcp ? `${urls.mcp}/console` : '/mcp/console',
  }
}

function explorerHost(settings: Env): string {
  const urls = baseUrls(settings)
  if (settings.hosts.portal) return urls.portal
  return settings.hosts.api ? urls.api : ''
}
