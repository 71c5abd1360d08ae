import { type Asked, type HostSettings, isMisspelledApiPath, type Routed, routeHost, UNKNOWN_PATH } from './hosts'

export { type Routed, UNKNOWN_PATH }

/** Senders of leads are set up by people, who paste an address with a slash at its end. */
const withoutSlash = (path: string): string =>
  /^(\/(?:api\/)?webhooks\/leads\/[\w.-]{1,200})\/$/.exec(path)?.[1] ?? path

/**
 * Returns where a request leads, by its host, its path as it was sent, and what it asks for. Everything that looks at a path before an
 * endpoint does asks this function: the one-machine server, and the middleware.
 */
export function routeRequest(
  { host, path, ...asked }: Asked & { host: string | null | undefined; path: string },
  settings: HostSettings,
): Routed {
  const meant = withoutSlash(path)
  return routeHost(host, isMisspelledApiPath(meant) ? UNKNOWN_PATH : meant, settings, asked)
}
