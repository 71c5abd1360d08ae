import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

const ranges = (...all: string[]) => all.map((range) => ipaddr.parseCIDR(range))

/** The places where an address can be; the first that holds counts. */
const PLACES = {
  // What clouds route to themselves although its numbers are the internet's: Azure's agent of each machine, and IBM's services.
  cloud: ranges('168.63.129.16/32', '161.26.0.0/16', '166.8.0.0/14'),
  // What IANA gives out to networks. Of IPv6 all else is private, on one link, or IPv4 in another form, such as ::/96 and 64:ff9b::/96.
  internet: ranges('0.0.0.0/0', '2000::/3'),
}

/**
 * Reports whether an address is on the public internet: given out to a network, and none that is special (IANA's special-purpose
 * registries): this machine, a private or shared network, cloud metadata, a tunnel to IPv4, multicast or reserved.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const found = ipaddr.process(address)
  return found.range() === 'unicast' && ipaddr.subnetMatch(found, PLACES, 'elsewhere') === 'internet'
}

/** Last labels of names that lead into somebody's own network, or nowhere: IANA's special-use names, and those that routers give. */
const OWN_NAMES: ReadonlySet<string> = new Set([
  'alt',
  'arpa',
  'corp',
  'example',
  'home',
  'internal',
  'intranet',
  'invalid',
  'lan',
  'local',
  'localdomain',
  'localhost',
  'onion',
  'private',
  'test',
])

/** Reports whether a host may be on the public internet, as the URL parser reads it: IPv6 in brackets, IPv4 in decimal. */
function isPublicHost(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1')
  if (ipaddr.isValid(address)) return isPublicAddress(address)
  // A dot at the end changes nothing of what a name means.
  const labels = host.toLowerCase().split('.').filter(Boolean)
  return labels.length > 1 && !OWN_NAMES.has(labels.at(-1) ?? '')
}

const NOT_PUBLIC = 'must be an address on the public internet'

/** The first port that needs no privilege. Those below are of well-known services, which are nobody's webhook. */
const FIRST_FREE_PORT = 1024

/** Returns what is wrong with a port that somebody entered, for a service with a port of its own. */
export const portFault = (port: number, own: number): string | undefined =>
  port === own || port >= FIRST_FREE_PORT ? undefined : `must have port ${own}, or one from ${FIRST_FREE_PORT} on`

/** Returns what is wrong with a URL that somebody entered; undefined when it is valid. The name's addresses are checked on connecting. */
export function urlFault(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'https:') return 'must be a URL that starts with https://'
  if (url.username || url.password) return 'must not contain a user name or password'
  if (!isPublicHost(url.hostname)) return NOT_PUBLIC
  return url.port === '' ? undefined : portFault(Number(url.port), 443)
}

/** Returns what is wrong with a host that somebody entered; undefined when it is valid. Its addresses are checked on connecting. */
export function hostFault(host: string): string | undefined {
  // Read as in a URL: digits in any base, and fewer than four numbers, are an address too.
  const text = `https://${host.includes(':') ? `[${host}]` : host}/`
  if (!/^[\w.:-]+$/.test(host) || !URL.canParse(text)) return 'must be a host name or an IP address'
  return isPublicHost(new URL(text).hostname) ? undefined : NOT_PUBLIC
}

/** The error thrown when a name has no public address. */
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
