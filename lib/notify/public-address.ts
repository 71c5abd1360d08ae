import { type LookupAddress, lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Whether an address is one of the public internet: not this machine, a private or shared network, a cloud's metadata, multicast or reserved. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  return ipaddr.process(address).range() === 'unicast'
}

/** A host as a URL names it, without the brackets of IPv6. */
const bare = (host: string) => host.replace(/^\[(.*)\]$/, '$1')

/** What is wrong with an address that is to be posted to; undefined when nothing is. Names are checked when they are connected to. */
export function urlFault(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'https:') return 'must be a URL that starts with https://'
  if (url.username || url.password) return 'must not contain a user name or password'
  const host = bare(url.hostname)
  const isPrivate = ipaddr.isValid(host)
    ? !isPublicAddress(host)
    : !host.includes('.') || /\.(local|internal|localhost)\.?$/.test(host)
  return isPrivate ? 'must be an address on the public internet' : undefined
}

/** Thrown where a name leads to no public address. */
export class PrivateAddress extends Error {
  constructor(host: string) {
    super(`${host} is not an address on the public internet`)
  }
}

/**
 * Looks a name up for a connection and gives it public addresses only. The socket connects to what is returned here, so a name that is
 * answered differently the next time (DNS rebinding) gains nothing.
 */
export const publicLookup =
  (isAllowed: (address: string) => boolean = isPublicAddress, resolve: typeof lookup = lookup): LookupFunction =>
  (host, options, done) => {
    resolve(host, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '', 0)
      const allowed = [found as string | LookupAddress[]]
        .flat()
        .filter((one): one is LookupAddress => typeof one !== 'string' && isAllowed(one.address))
      const [first] = allowed
      if (!first) return done(new PrivateAddress(host), '', 0)
      if (options.all) return done(null, allowed)
      done(null, first.address, first.family)
    })
  }
