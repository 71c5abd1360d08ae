import { isKeyShaped, isTokenShaped } from '@/lib/auth/keys'
import { presentedKey } from '@/lib/auth/presented-key'
import type { ServiceRequest } from './request'

/** Paths that need a key, after routing. */
const NEEDS_KEY = /^\/(api\/v1\/|api\/webhooks\/leads\/inbound$|mcp$|mcp\/rpc$)/

/**
 * Reports whether a request to a path that needs a key has none that could be one: it is missing, or has a wrong format or checksum, and is
 * no access token either. Other senders of leads put their key in the path, a password or the body, which only their endpoint reads.
 * @param path the path after routing
 */
export function lacksKey({ headers }: Pick<ServiceRequest, 'headers'>, path: string): boolean {
  if (!NEEDS_KEY.test(path)) return false
  const key = presentedKey(headers)
  return key === undefined || !(isKeyShaped(key) || isTokenShaped(key))
}
