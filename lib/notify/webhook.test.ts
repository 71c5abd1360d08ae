import type { IncomingHttpHeaders } from 'node:http'
import { createServer, type Server } from 'node:https'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listenOnFreePort } from '@/lib/core/listen'
import { publicLookup } from '@/lib/core/public-address'
import { TEST_CERTIFICATE } from '@/lib/testing/private-keys'
import { postWebhook } from './webhook'

let server: Server
let port = 0
let status = 200
const ca = TEST_CERTIFICATE.cert
const taken: { headers: IncomingHttpHeaders; body: string }[] = []

beforeAll(async () => {
  server = createServer(TEST_CERTIFICATE, (request, response) => {
    let body = ''
    request.on('data', (part) => {
      body += part
    })
    request.on('end', () => {
      taken.push({ headers: request.headers, body })
      response.writeHead(status, status === 302 ? { location: 'https://hook.example.com/elsewhere' } : {}).end('answer')
    })
  })
  port = await listenOnFreePort(server)
})
afterAll(() => server.close())

/** Resolves every name to this machine, as the internet would to another. */
const here = () => ({
  ca,
  lookup: publicLookup(
    () => true,
    (_host, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
  ),
})
const post = (host: string) => postWebhook(`https://${host}:${port}/x`, { subject: 'S', body: 'A <b> & c' }, here())

test('a message is posted as JSON; Slack gets its own format', async () => {
  await post('hook.example.com')
  await post('hooks.slack.com')
  expect(taken.map(({ body }) => JSON.parse(body))).toEqual([
    { subject: 'S', text: 'A <b> & c' },
    { text: 'A &lt;b&gt; &amp; c' },
  ])
  expect(taken[0]?.headers['content-type']).toBe('application/json; charset=utf-8')
})

test.each([302, 404, 500])('%d is a failed attempt, and a redirect is not followed', async (answered) => {
  status = answered
  const before = taken.length
  await expect(post('hook.example.com')).rejects.toThrow(`hook.example.com answered ${answered}`)
  expect(taken).toHaveLength(before + 1)
})

test('nothing is posted to a name that resolves to this machine', async () => {
  const lookup = publicLookup(undefined, (_host, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]))
  await expect(
    postWebhook(`https://hook.example.com:${port}/`, { subject: '', body: '' }, { ca, lookup }),
  ).rejects.toThrow('not an address on the public internet')
})

test('why a host cannot be reached is said in words, not in codes', async () => {
  const to = (where: string, connecting = here()) => postWebhook(where, { subject: '', body: '' }, connecting)
  const refused = createServer(TEST_CERTIFICATE)
  const closed = await listenOnFreePort(refused)
  await new Promise((done) => refused.close(done))
  await expect(to(`https://hook.example.com:${closed}/`)).rejects.toThrow(/^hook\.example\.com refused the connection/)
  const missing = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' })
  const lookup = publicLookup(undefined, (_host, _options, done) => done(missing, []))
  await expect(to('https://hook.example.com/', { ca, lookup })).rejects.toThrow(/^hook\.example\.com has no address/)
  const { lookup: known } = here()
  await expect(to(`https://hook.example.com:${port}/`, { ca: '', lookup: known })).rejects.toThrow('has a certificate')
})
