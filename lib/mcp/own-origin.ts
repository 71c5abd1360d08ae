import { baseUrls, env } from '@/lib/core/env'
import type { ServiceRequest } from '@/lib/http/request'
import { RPC, RpcFault } from './fault'

const LOOPBACK = /^(localhost|[\w-]+\.localhost|127\.0\.0\.1|\[::1\])$/

/** Reports whether an origin is ours: one machine has several local names, and pages from other hosts are rejected. */
function isOurs(origin: string): boolean {
  const { api, mcp, portal } = baseUrls(env())
  if (!URL.canParse(origin)) return false
  const given = new URL(origin)
  return [api, mcp, portal].some((base) => {
    const ours = new URL(base)
    return (
      given.origin === ours.origin ||
      (given.protocol === ours.protocol &&
        given.port === ours.port &&
        LOOPBACK.test(ours.hostname) &&
        LOOPBACK.test(given.hostname))
    )
  })
}

/**
 * Prevents pages of other sites from reaching this server through a visitor's browser (MCP 2025-11-25, transports, security
 * warning).
 */
export function requireOwnOrigin({ headers }: ServiceRequest): void {
  const origin = headers.get('origin')
  if (origin === null || isOurs(origin)) return
  throw new RpcFault(403, RPC.forbidden, 'Forbidden', {
    data: { reason: 'Requests from pages of another origin are refused. Call from a server, or from our own console.' },
  })
}
