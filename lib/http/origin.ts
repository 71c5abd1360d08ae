import { baseUrls, type Env } from '@/lib/core/env'

/**
 * Whether a page that sends a form is the portal's own: from this very host, the portal's where one is named, and by the portal's
 * scheme. Where the server is told no public address TLS may end in front of it, so https is ours too; http is not, where it is https.
 * @param origin the request's `Origin`, `host` its `Host`
 */
export function isOwnOrigin(origin: string | null, host: string | null, settings: Env): boolean {
  if (origin === null || host === null || !URL.canParse(origin)) return false
  const given = new URL(origin)
  const portal = new URL(baseUrls(settings).portal)
  if (given.host !== host.toLowerCase()) return false
  if (settings.hosts.portal !== undefined && given.host !== portal.host) return false
  return given.protocol === 'https:' || given.protocol === portal.protocol
}
