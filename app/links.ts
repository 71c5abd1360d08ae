import { isOAuthOffered } from '@/lib/auth/oauth/places'
import { baseUrls, type Env, env } from '@/lib/core/env'

/**
 * Returns the URLs of the pages. On one machine they share a host. With separate hosts, the explorer is on the portal's host, where people
 * are signed in, or else on the data API's; the console is on the MCP server's, because its page may only send requests to its own host.
 * `connects` says whether programs can be connected here.
 */
export function links(): { portal: string; explorer: string; console: string; connects: boolean } {
  const settings = env()
  const { hosts } = settings
  const urls = baseUrls(settings)
  return {
    portal: hosts.portal ? urls.portal : '',
    explorer: `${explorerHost(settings)}/developers/api`,
    console: hosts.mcp ? `${urls.mcp}/console` : '/mcp/console',
    connects: isOAuthOffered(settings),
  }
}

function explorerHost(settings: Env): string {
  const urls = baseUrls(settings)
  if (settings.hosts.portal) return urls.portal
  return settings.hosts.api ? urls.api : ''
}
