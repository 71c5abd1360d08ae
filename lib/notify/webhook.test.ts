import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { publicLookup } from './public-address'
import { postWebhook } from './webhook'

let server: Server
let ca: Buffer
let status = 200
const taken: { headers: IncomingHttpHeaders; body: string }[] = []

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-hook-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const names = 'subjectAltName=DNS:hook.example.com,DNS:hooks.slack.com'
  const made = ['-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=hook', '-addext', names]
  execFileSync('openssl', ['req', '-x509', ...made, '-keyout', key, '-out', cert], { stdio: 'ignore' })
  ca = readFileSync(cert)
  server = createServer({ key: readFileSync(key), cert: ca }, (request, response) => {
    let body = ''
    request.on('data', (part) => {
      body += part
    })
    request.on('end', () => {
      taken.push({ headers: request.headers, body })
      response.writeHead(status, status === 302 ? { location: 'https://hook.example.com/elsewhere' } : {}).end('answer')
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  rmSync(folder, { recursive: true })
})
afterAll(() => server.close())

/** Lets the lookup lead to this machine, as the internet would to another. */
const here = () => ({
  ca,
  lookup: publicLookup(() => true, ((_: string, __: object, done: (error: null, found: object[]) => void) =>
    done(null, [{ address: '127.0.0.1', family: 4 }])) as never),
})
const post = (host: string) =>
  postWebhook(
    `https://${host}:${(server.address() as AddressInfo).port}/x`,
    { subject: 'S', body: 'A <b> & c' },
    here(),
  )

test('a message is posted as JSON; Slack gets what it reads', async () => {
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

test('a name that leads to this machine is not posted to', async () => {
  const lookup = publicLookup(undefined, ((_: string, __: object, done: (error: null, found: object[]) => void) =>
    done(null, [{ address: '127.0.0.1', family: 4 }])) as never)
  const { port } = server.address() as AddressInfo
  await expect(
    postWebhook(`https://hook.example.com:${port}/`, { subject: '', body: '' }, { ca, lookup }),
  ).rejects.toThrow('not an address on the public internet')
})
