import { baseUrls, type Env } from '@/lib/core/env'

/**
 * Reports whether a submitted form comes from the portal's own page: from this host, which must be the portal's where one is configured,
 * and over the portal's scheme. Without a configured public address, TLS may end in front of the server, so https is accepted too; http is
 * not accepted where the portal uses https.
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
