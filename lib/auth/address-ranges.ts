import ipaddr from 'ipaddr.js'

/** A network: its first address and its prefix length. */
export type AddressRange = [ipaddr.IPv4 | ipaddr.IPv6, number]

/** Parses an address (`203.0.113.7`) or a network in CIDR notation (`203.0.113.0/24`, RFC 4632); undefined when it is neither. */
export function parseRange(text: string): AddressRange | undefined {
  const range = text.trim()
  try {
    if (range.includes('/')) return ipaddr.parseCIDR(range)
    // Parsers accept "10" and "0x7f.1" as addresses, but people type them by mistake.
    if (!ipaddr.IPv4.isValidFourPartDecimal(range) && !ipaddr.IPv6.isValid(range)) return undefined
    const address = ipaddr.process(range)
    return [address, address.kind() === 'ipv4' ? 32 : 128]
  } catch {
    return undefined
  }
}

/** Reports whether an address is in one of the ranges. IPv4 mapped into IPv6 counts as IPv4; an invalid address is in none. */
export function isWithin(address: string, ranges: AddressRange[]): boolean {
  if (!ipaddr.isValid(address)) return false
  const given = ipaddr.process(address)
  return ranges.some(([base, bits]) => {
    if (given instanceof ipaddr.IPv4) return base instanceof ipaddr.IPv4 && given.match(base, bits)
    return base instanceof ipaddr.IPv6 && given.match(base, bits)
  })
}
