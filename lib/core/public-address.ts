import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Whether an address is on the public internet: not this machine, a private or shared network, cloud metadata, multicast or reserved. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  return ipaddr.process(address).range() === 'unicast'
}

/** Returns a URL's host without the brackets of IPv6. */
const bare = (host: string) => host.replace(/^\[(.*)\]$/, '$1')

/** Returns what is wrong with a webhook URL; undefined when it is valid. The name's addresses are checked on connecting. */
export function urlFault(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'https:') return 'must be a URL that starts with https://'
  if (url.username || url.password) return 'must not contain a user name or password'
  return hostFault(bare(url.hostname))
}

/** Returns what is wrong with a host that somebody entered; undefined when it is valid. Its addresses are checked on connecting. */
export function hostFault(host: string): string | undefined {
  if (!/^[\w.:-]+$/.test(host)) return 'must be a host name or an IP address'
  const isPrivate = ipaddr.isValid(host)
    ? !isPublicAddress(host)
    : !host.includes('.') || /\.(local|internal|localhost)\.?$/i.test(host)
  return isPrivate ? 'must be an address on the public internet' : undefined
}

/** Thrown when a name has no public address. */
class PrivateAddress extends Error {
  constructor(host: string) {
    super(`${host} is not an address on the public internet`)
  }
}

/** Looks a name up and returns all its addresses, as Node's `lookup` does when asked for all. */
type Resolve = (
  host: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void

/**
 * Resolves a name for a connection and returns only public addresses. The socket connects to what is returned here, so a name that
 * resolves differently the next time (DNS rebinding) gains nothing.
 */
export const publicLookup =
  (isAllowed: (address: string) => boolean = isPublicAddress, resolve: Resolve = lookup): LookupFunction =>
  (host, options, done) => {
    resolve(host, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '', 0)
      const allowed = found.filter(({ address }) => isAllowed(address))
      const [first] = allowed
      if (!first) return done(new PrivateAddress(host), '', 0)
      if (options.all) return done(null, allowed)
      done(null, first.address, first.family)
    })
  }
