import type { LookupAddress } from 'node:dns'
import { expect, test } from 'vitest'
import { isPublicAddress, publicLookup, urlFault } from './public-address'

test.each([
  'http://example.com/',
  'https://user:secret@example.com/',
  'https://localhost/',
  'https://printer.local/',
  'https://db.internal/',
  'https://router/',
  'https://127.0.0.1/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://10.1.2.3/',
  'https://172.16.0.1/',
  'https://192.168.1.1:8443/',
  'https://169.254.169.254/latest/meta-data',
  'https://100.64.0.1/',
  'https://0.0.0.0/',
  'https://[::1]/',
  'https://[fd00::1]/',
  'https://[fe80::1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://[64:ff9b::a00:1]/',
  'javascript:alert(1)',
  'nonsense',
])('%s cannot be posted to', (url) => expect(urlFault(url)).toMatch(/^must /))

test.each(['https://hooks.slack.com/services/T/B/x', 'https://example.com:8443/a?b=c', 'https://[2606:4700::1111]/'])(
  '%s can',
  (url) => expect(urlFault(url)).toBeUndefined(),
)

test.each(['127.0.0.1', '::ffff:127.0.0.1', '224.0.0.1', '240.0.0.1', '2001:db8::1', '2002:7f00:1::', 'nonsense'])(
  '%s is not a public internet address',
  (address) => expect(isPublicAddress(address)).toBe(false),
)

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
  for (const all of [true, false])
    expect(String((await found(['127.0.0.1', '::1'], all))[0])).toContain('not an address on the public internet')
})
