import type { LookupAddress } from 'node:dns'
import ipaddr from 'ipaddr.js'
import { expect, test } from 'vitest'
import { hostFault, isPublicAddress, portFault, publicLookup, urlFault } from './public-address'

/** The special-purpose address registries of IANA, whole, with multicast and what clouds route to themselves. */
const SPECIAL_4 = [
  '0.0.0.0/8',
  '0.0.0.0/32',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.0.0/29',
  '192.0.0.8/32',
  '192.0.0.9/32',
  '192.0.0.10/32',
  '192.0.0.170/32',
  '192.0.0.171/32',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '255.255.255.255/32',
  // Metadata and agents: of most clouds, Alibaba, Oracle, Azure, IBM.
  '169.254.169.254/32',
  '100.100.100.200/32',
  '192.0.0.192/32',
  '168.63.129.16/32',
  '161.26.0.0/16',
  '166.8.0.0/14',
]
const SPECIAL_6 = [
  // ::ffff:0:0/96 is IPv4 as it is, in the table above.
  '::1/128',
  '::/128',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '100:0:0:1::/64',
  '2001::/23',
  '2001::/32',
  '2001:1::1/128',
  '2001:1::2/128',
  '2001:1::3/128',
  '2001:2::/48',
  '2001:3::/32',
  '2001:4:112::/48',
  '2001:10::/28',
  '2001:20::/28',
  '2001:30::/28',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  // Beside the registry: IPv4 in other forms, site-local, multicast, what is given out to nobody, and AWS’s metadata.
  '::/96',
  '::127.0.0.1/128',
  '::ffff:0:0:0/96',
  '::ffff:10.0.0.0/104',
  '::ffff:168.63.129.16/128',
  'fec0::/10',
  'ff00::/8',
  '200::/7',
  '400::/6',
  '800::/5',
  '1000::/4',
  '4000::/3',
  '6000::/3',
  '8000::/3',
  'a000::/3',
  'c000::/3',
  'e000::/4',
  'f000::/5',
  'f800::/6',
  'fe00::/9',
  'fd00:ec2::254/128',
]

test.each(SPECIAL_4)('nothing of %s is on the public internet, in none of its spellings', (range) => {
  const ends = [ipaddr.IPv4.networkAddressFromCIDR(range), ipaddr.IPv4.broadcastAddressFromCIDR(range)]
  for (const end of ends) {
    const number = end.toByteArray().reduce((sum, byte) => sum * 256 + byte, 0)
    const hexadecimal = `0x${number.toString(16)}`
    const octal = end
      .toByteArray()
      .map((byte) => `0${byte.toString(8)}`)
      .join('.')
    const mapped = end.toIPv4MappedAddress().toString()
    for (const address of [end.toString(), mapped]) expect(isPublicAddress(address), address).toBe(false)
    for (const host of [`${end}`, `${end}.`, `${number}`, hexadecimal, octal, `[${mapped}]`, `[::${end}]`])
      expect(urlFault(`https://${host}/`), host).toMatch(/^must be an address on the public internet$/)
    for (const host of [`${end}`, `${number}`, hexadecimal, octal, mapped, `::${end}`])
      expect(hostFault(host), host).toBe('must be an address on the public internet')
  }
})

test.each(SPECIAL_6)('nothing of %s is on the public internet', (range) => {
  for (const end of [ipaddr.IPv6.networkAddressFromCIDR(range), ipaddr.IPv6.broadcastAddressFromCIDR(range)]) {
    expect(isPublicAddress(end.toString())).toBe(false)
    expect(urlFault(`https://[${end}]/`)).toBe('must be an address on the public internet')
    expect(hostFault(end.toString())).toBe('must be an address on the public internet')
  }
})

test.each([
  '1.0.0.0',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '168.63.129.15',
  '168.63.129.17',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2001:200::1',
  '2003::1',
  '2400:cb00::1',
  '2606:4700::1111',
  '2620:4f:8001::1',
  '2a00:1450:4001::1',
  '2c0f:fb50::1',
])('%s, beside those, is', (address) => {
  expect(isPublicAddress(address)).toBe(true)
  expect(hostFault(address)).toBeUndefined()
  expect(urlFault(`https://${address.includes(':') ? `[${address}]` : address}/`)).toBeUndefined()
})

test.each([
  'http://example.com/',
  'https://user:secret@example.com/',
  'https://localhost/',
  'https://localhost./',
  'https://LOCALHOST/',
  'https://a.localhost./',
  'https://printer.local/',
  'https://printer.local./',
  'https://db.internal/',
  'https://metadata.google.internal./',
  'https://router.home.arpa/',
  'https://nas.lan/',
  'https://router/',
  'https://router./',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://127.1/',
  'https://127.0.0.1./',
  'https://１２７。0。0。1/',
  'https://192.168.1.1:8443/',
  'https://169.254.169.254/latest/meta-data',
  'https://[::127.0.0.1]/',
  'https://[fe80::1%25eth0]/',
  'https://example.com:22/',
  'https://example.com:0/',
  'https://example.com:1023/',
  'javascript:alert(1)',
  'nonsense',
])('%s cannot be posted to', (url) => expect(urlFault(url)).toMatch(/^must /))

test.each([
  'https://hooks.slack.com/services/T/B/x',
  'https://example.com:443/',
  'https://example.com:1024/',
  'https://example.com:8443/a?b=c',
  'https://local.example.com./',
  'https://[2606:4700::1111]/',
])('%s can', (url) => expect(urlFault(url)).toBeUndefined())

test.each(['', 'a b', 'host:22', 'user@example.com', '[::1]', 'example.com/x', 'a\\b.com', 'localhost', 'localhost.'])(
  '%j is no server that files are read from',
  (host) => expect(hostFault(host)).toMatch(/^must /),
)

test('a port is the service’s own, or one that needs no privilege', () => {
  for (const port of [0, 21, 25, 443, 1023]) expect(portFault(port, 22)).toBe('must have port 22, or one from 1024 on')
  for (const port of [22, 1024, 2222, 65_535]) expect(portFault(port, 22)).toBeUndefined()
})

type Answer = [error: Error | null, found?: string | LookupAddress[]]

/** Resolves a name that has these addresses. */
const found = (addresses: string[], all: boolean) =>
  new Promise<Answer>((done) => {
    const records = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    const lookup = publicLookup(isPublicAddress, (_host, _options, answer) => answer(null, records))
    lookup('hook.example.com', { all }, (error, address) => done([error, address]))
  })

test('connections go only to a name’s public addresses, and nowhere when it has none', async () => {
  expect(await found(['10.0.0.1', '93.184.216.34'], false)).toEqual([null, '93.184.216.34'])
  expect(await found(['127.0.0.1', '93.184.216.34'], true)).toEqual([null, [{ address: '93.184.216.34', family: 4 }]])
  const own = ['127.0.0.1', '::1', '::7f00:1', '168.63.129.16', 'fe80::1%eth0', 'nonsense']
  for (const all of [true, false])
    expect(String((await found(own, all))[0])).toContain('not an address on the public internet')
})
