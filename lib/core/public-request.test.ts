import { createServer } from 'node:https'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TEST_CERTIFICATE } from '@/lib/testing/private-keys'
import { listenOnFreePort } from './listen'
import { publicLookup } from './public-address'
import { publicFollow } from './public-follow'
import { publicGet } from './public-get'
import { publicPost } from './public-post'
import type { Connecting } from './public-request'

let port = 0
let connections = 0
const server = createServer(TEST_CERTIFICATE, (request, response) => {
  const to = new URL(request.url ?? '/', 'https://hook.example.com').searchParams.get('to')
  response.writeHead(to === null ? 200 : 302, to === null ? {} : { location: to }).end('hello')
})
server.on('connection', () => connections++)
beforeAll(async () => {
  port = await listenOnFreePort(server)
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const signal = () => AbortSignal.timeout(60_000)
const HEADERS = { headers: {} }
/** The functions that ask an address that somebody entered. */
const WAYS: [string, (to: string, connecting?: Connecting) => Promise<{ status: number }>][] = [
  ['a post', (to, connecting) => publicPost(to, { ...HEADERS, body: '{}', most: 10 }, connecting)],
  ['a read', (to, connecting) => publicGet(to, { ...HEADERS, most: 10 }, connecting)],
  ['a read that follows', (to, connecting) => publicFollow(to, { ...HEADERS, signal: signal() }, connecting)],
]

/** Resolves every name to this machine; `isAllowed` is the check, left out for the real one. */
const resolvingHere = (isAllowed?: (address: string) => boolean): Connecting => ({
  ca: TEST_CERTIFICATE.cert,
  lookup: publicLookup(isAllowed, (_host, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }])),
})
const asTheInternet = resolvingHere(() => true)

test.each(WAYS)('%s goes to no private address, and connects to none', async (_, ask) => {
  const before = connections
  for (const host of ['localhost.', '127.0.0.1', '[::1]', '[::127.0.0.1]', '[::ffff:127.0.0.1]', '2130706433'])
    await expect(ask(`https://${host}:${port}/`, asTheInternet), host).rejects.toThrow('on the public internet')
  expect(connections).toBe(before)
})

test.each(WAYS)(
  '%s is checked on connecting, each time: a name that means this machine by then is refused',
  async (_, ask) => {
    const to = `https://hook.example.com:${port}/`
    expect((await ask(to, asTheInternet)).status).toBe(200)
    const before = connections
    await expect(ask(to, resolvingHere())).rejects.toThrow('not an address on the public internet')
    expect(connections).toBe(before)
  },
)

test('each address that a redirect leads to is checked as the first was', async () => {
  const from = (to: string) => `https://hook.example.com:${port}/?to=${encodeURIComponent(to)}`
  const follow = (to: string) => publicFollow(from(to), { ...HEADERS, signal: signal() }, asTheInternet)
  for (const to of ['https://localhost./', 'https://[::127.0.0.1]/', 'https://168.63.129.16/', '//127.0.0.1:8443/'])
    await expect(follow(to), to).rejects.toThrow(
      'leads to another one, which must be an address on the public internet',
    )
  await expect(follow('http://example.com/')).rejects.toThrow('which must be a URL that starts with https://')
  expect((await follow(`https://hooks.slack.com:${port}/`)).status).toBe(200)
  // Those that follow no redirect answer with it.
  for (const [, ask] of WAYS.slice(0, 2))
    expect((await ask(from('https://localhost./'), asTheInternet)).status).toBe(302)
})
