import { type Asked, type HostSettings, isMisspelledApiPath, type Routed, routeHost, UNKNOWN_PATH } from './hosts'

export { type Routed, UNKNOWN_PATH }

/**
 * Where a request leads, by its host, its path as it was sent, and what it asks for. Everything that looks at a path before an endpoint
 * does asks this function: `server.ts`, the front of `next start`, and the middleware.
 */
export function routeRequest(
  { host, path, ...asked }: Asked & { host: string | null | undefined; path: string },
  settings: HostSettings,
): Routed {
  return routeHost(host, isMisspelledApiPath(path) ? UNKNOWN_PATH : path, settings, asked)
}
