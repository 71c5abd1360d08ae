import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { expect, test } from './fixtures'
import { ANA, INBOUND, post } from './lead'
import { sendRaw } from './raw'
import { command, launch, makeHome } from './running'

/** The time that the server may take to end a connection on a busy machine. */
const ENDED_WITHIN_MS = 60_000

test.describe('what is done for every route', () => {
  const REQUESTS: [title: string, bytes: string, status: number][] = [
    ['TRACE', 'TRACE /api/v1/invoices HTTP/1.1\r\nhost: localhost\r\n\r\n', 405],
    ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nhost: example.com:443\r\n\r\n', 405],
    [
      'an upgrade',
      'GET /api/v1/invoices HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
      400,
    ],
    ['an unknown expectation', 'GET /api/v1/invoices HTTP/1.1\r\nhost: localhost\r\nexpect: tea\r\n\r\n', 417],
    ['text that is not HTTP', 'hello\r\n\r\n', 400],
    ['no Host header', 'GET /api/v1/invoices HTTP/1.1\r\n\r\n', 400],
    ['an invalid host', 'GET /api/v1/invoices HTTP/1.1\r\nhost: a b\r\n\r\n', 400],
    [
      'headers without end',
      `GET /api/v1/invoices HTTP/1.1\r\nhost: localhost\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`,
      431,
    ],
    [
      'a declared body of 12 MB',
      'POST /api/v1/invoices HTTP/1.1\r\nhost: localhost\r\ncontent-length: 12000000\r\n\r\n',
      413,
    ],
    [
      'two lengths',
      'POST /api/v1/invoices HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n',
      400,
    ],
    ['two Host headers', 'GET /api/v1/invoices HTTP/1.1\r\nhost: localhost\r\nhost: localhost\r\n\r\n', 400],
    ['an invalid target', 'GET * HTTP/1.1\r\nhost: localhost\r\n\r\n', 400],
    [
      'a form from another site',
      'POST /sign-in HTTP/1.1\r\nhost: localhost\r\norigin: https://evil.example\r\nnext-action: 0\r\ncontent-length: 2\r\n\r\n{}',
      403,
    ],
    [
      'a form with an invalid origin',
      'POST /sign-in HTTP/1.1\r\nhost: localhost\r\norigin: http://[\r\nnext-action: 0\r\ncontent-length: 2\r\n\r\n{}',
      403,
    ],
    [
      'the absolute form',
      'GET http://localhost/api/v1/invoices HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n',
      401,
    ],
  ]
  async function requireRefused(port: number, bytes: string, status: number) {
    const answer = await sendRaw(port, bytes, { beginsWithin: 40_000 })
    expect(answer.status).toBe(status)
    expect(JSON.parse(answer.body)).toMatchObject({
      error: expect.any(String),
      code: expect.any(String),
      requestId: expect.any(String),
    })
    if (status === 405) expect(answer.headers.allow).toContain('GET')
  }
  for (const [title, bytes, status] of REQUESTS)
    test(`${title} is ${status}, as JSON`, ({ service }) => requireRefused(service.running.port, bytes, status))

  test('a body that stops, a head that stops, and nothing at all are 408, as JSON', async ({ service }) => {
    const STOPS = [
      'POST /sign-in HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n\r\nabc',
      'GET /sign-in HTTP/1.1\r\nhost: loc',
      '',
    ]
    await Promise.all(STOPS.map((bytes) => requireRefused(service.running.port, bytes, 408)))
  })

  test('a body sent with GET without end is cut off, and the server goes on', async ({ service }) => {
    const closed = await new Promise<boolean>((done) => {
      const socket = connect(service.running.port, 'localhost', () =>
        socket.write(`GET /api/v1/invoices HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n`),
      )
      const feed = setInterval(() => socket.write(`4000\r\n${'x'.repeat(16_384)}\r\n`), 5)
      const end = (result: boolean) => {
        clearInterval(feed)
        clearTimeout(limit)
        done(result)
      }
      const limit = setTimeout(end, ENDED_WITHIN_MS, false)
      socket.on('close', () => end(true)).on('error', () => end(true))
    })
    expect(closed).toBe(true)
    expect((await fetch(`${service.url}/health`)).status).toBe(200)
  })
})

test('OPTIONS * tells what the server takes', async ({ service }) => {
  const answer = await sendRaw(service.running.port, 'OPTIONS * HTTP/1.1\r\nhost: localhost\r\n\r\n')
  expect([answer.status, answer.headers.allow]).toEqual([204, expect.stringContaining('GET')])
})

test('an upload that is refused is told that the connection closes', async ({ service }) => {
  const bytes = `POST /data/load/files?file=customers.csv HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000000\r\n\r\n${'x'.repeat(5_000)}`
  const answer = await sendRaw(service.running.port, bytes)
  expect([answer.status, answer.headers.connection]).toEqual([403, 'close'])
})

test('no image is scaled, and what looks like the upload’s path is a page with a policy', async ({ service }) => {
  const image = await fetch(`${service.url}/_next/image?url=%2Fapple-touch-icon.png&w=64&q=75`)
  expect(image.status).toBe(404)
  for (const path of ['/data/load/filesx', '/data/load/files/x']) {
    const { headers } = await fetch(service.url + path, { redirect: 'manual' })
    expect(headers.get('content-security-policy'), path).toContain("'nonce-")
  }
})

test('API paths that do not exist are counted', async ({ service }) => {
  for (const path of ['/api/v1/nothing', '/api/v1/customers/%00', '/api//v1/customers']) {
    const { status, headers } = await fetch(service.url + path)
    expect([status, headers.get('x-ratelimit-limit')], path).toEqual([404, '1000000'])
  }
})

/** Sends an endless chunked body as fast as the server reads it, until the connection ends. */
const feed = (port: number, head: string) =>
  new Promise<{ answer: string; sent: number }>((done) => {
    let [answer, sent] = ['', 0]
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`
    let timer: NodeJS.Timeout | undefined
    const feedOn = () => {
      if (!socket.writable || socket.writableLength > 1_000_000) return
      socket.write(chunk)
      sent += chunk.length
    }
    const socket = connect(port, 'localhost', () => {
      socket.write(`${head}host: localhost\r\ntransfer-encoding: chunked\r\n\r\n`)
      timer = setInterval(feedOn, 1)
    })
    const end = () => {
      clearInterval(timer)
      clearTimeout(limit)
      socket.destroy()
      done({ answer, sent })
    }
    const limit = setTimeout(end, ENDED_WITHIN_MS)
    socket.on('data', (data) => {
      answer += data
    })
    socket.on('close', end).on('error', end)
  })

/** Returns the resident memory of a running service, in MB. */
const memoryOf = ({ process }: { process: { pid?: number | undefined } }) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${process.pid}/status`, 'utf8'))?.[1]) / 1024

test('a chunked body without end is refused with 413 and cut off; the server keeps its size and goes on', async ({
  service,
}) => {
  const { running } = service
  await post(service.url, service.leadKey, ANA)
  const before = memoryOf(running)
  const head = `POST ${INBOUND} HTTP/1.1\r\nx-api-key: ${service.leadKey}\r\ncontent-type: application/json\r\n`
  const all = await Promise.all(Array.from({ length: 10 }, () => feed(running.port, head)))
  for (const { answer, sent } of all) {
    expect(answer).toContain('413')
    expect(answer).toContain('payload_too_large')
    expect(sent).toBeGreaterThan(65_536)
  }
  expect(memoryOf(running) - before).toBeLessThan(120)
  expect((await post(service.url, service.leadKey, ANA)).status).toBe(201)
})

test('250 chunked bodies without end on a page: each is refused, and the server keeps its size', async ({
  service,
}) => {
  const { running } = service
  expect((await fetch(`${service.url}/sign-in`)).status).toBe(200)
  const before = memoryOf(running)
  const head = 'POST /sign-in HTTP/1.1\r\nnext-action: 0\r\ncontent-type: text/plain\r\n'
  const all = await Promise.all(Array.from({ length: 250 }, () => feed(running.port, head)))
  for (const { answer } of all) expect(answer).toMatch(/^HTTP\/1.1 (413|429|503) /)
  expect(all.filter(({ answer }) => answer.startsWith('HTTP/1.1 413')).length).toBeGreaterThan(0)
  expect(memoryOf(running) - before).toBeLessThan(250)
  expect((await post(service.url, service.leadKey, ANA)).status).toBe(201)
})

test('the demonstration is not served on an address that others reach', async ({ entry, driver }) => {
  const home = await makeHome(driver, 'stocked')
  await command(home, 'contractors', 'create', 'Cumberland Roofing', '--demo')
  const [env, args] = entry === 'server' ? [{ HOST: '0.0.0.0' }, []] : [{}, ['-H', '0.0.0.0']]
  const running = await launch(entry, home, env, args)
  const ended = new Promise((done) => running.process.once('exit', done))
  // Next loads our server code with the first request, whose response does not matter here.
  const asked = setInterval(() => fetch(`${running.url}/health`).catch(() => {}), 500)
  const code = await ended
  clearInterval(asked)
  expect([code, running.output]).toEqual([1, expect.stringContaining('it listens on 0.0.0.0')])
  await home.remove()
})
