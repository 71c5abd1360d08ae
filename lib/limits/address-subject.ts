import ipaddr from 'ipaddr.js'

/**
 * Returns what an address is counted as: IPv4 as it is, including IPv4 mapped into IPv6; IPv6 by its /64, which one subscriber holds
 * entirely (RFC 6177). Invalid addresses share one subject, so they cannot be used to escape the limit.
 */
export function addressSubject(address: string): string {
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(address)) return address
  if (!ipaddr.isValid(address)) return 'unknown'
  const parsed = ipaddr.process(address.split('%')[0] ?? address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}
