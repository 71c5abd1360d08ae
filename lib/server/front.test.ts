import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { env } from '@/lib/core/env'
import { listenOnFreePort } from '@/lib/core/listen'
import { BODIES } from './bodies'
import { CONNECTIONS } from './connections'
import type { NodeHandler } from './front'
import { createPlumblineServer } from './service-handler'

/** Reads a whole body, as Next does for its actions, and answers with its size. */
function reader(request: IncomingMessage, response: ServerResponse): void {
  let size = 0
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
  })
  request.on('end', () => response.end(`read ${size}`))
}

const make = (pages: NodeHandler = reader, settings = env()): Server =>
  createPlumblineServer(() => undefined, pages, settings)

let running: Server | undefined
afterEach(() => vi.useRealTimers())
afterEach(
  () =>
    new Promise<void>((done) => {
      running?.closeAllConnections()
      running ? running.close(() => done()) : done()
    }),
)

async function start(make: (pages?: NodeHandler) => Server): Promise<number> {
  const server = make()
  running = server
  return await listenOnFreePort(server)
}

const HEAD = 'POST /sign-in HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n'

/** Sends the request line and headers, then what `feed` writes; resolves with everything received until the connection ended. */
function exchange(port: number, head: string, feed: (socket: Socket) => void = () => {}): Promise<string> {
  return new Promise((done) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`${head}\r\n`)
      feed(socket)
    })
    socket.on('data', (data) => {
      answer += data
    })
    socket.on('error', () => {}).on('close', () => done(answer))
  })
}

const statusOf = (answer: string) => Number(answer.split(' ')[1] ?? 0)

/** Sends chunks endlessly, as fast as the server takes them. */
function endless(socket: Socket): void {
  const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`
  const feed = () => {
    while (socket.writable && socket.write(chunk));
  }
  socket.on('drain', feed)
  feed()
}

describe('bodies on pages', () => {
  test('a body is passed on whole, however it arrives', async () => {
    const port = await start(make)
    const parts = await exchange(port, `${HEAD}transfer-encoding: chunked\r\n`, (socket) => {
      socket.write('3\r\nabc\r\n')
      setTimeout(() => socket.write('2\r\nde\r\n0\r\n\r\n'), 50)
    })
    expect(parts).toContain('read 5')
    const full = `content-length: ${BODIES.maxBytes}\r\n`
    expect(await exchange(port, HEAD + full, (socket) => socket.write('x'.repeat(BODIES.maxBytes)))).toContain(
      `read ${BODIES.maxBytes}`,
    )
  })

  test('what is sent behind a request whose answer ends the connection is not looked at', async () => {
    const asked: (string | undefined)[] = []
    const port = await start(() =>
      make((request, response) => {
        asked.push(request.url)
        response.end('read')
      }),
    )
    const good = 'GET /sign-in?1 HTTP/1.1\r\nhost: localhost\r\n\r\n'
    const bad = 'GET /sign-in?2 HTTP/1.1\r\nhost: localhost\r\nhost: localhost\r\n\r\n'
    const answer = await exchange(port, `${good}${bad}${good.repeat(20)}`.replace(/\r\n$/, ''))
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400'])
    expect(asked).toEqual(['/sign-in?1'])
  })

  test('a chunked body without end is 413, and the connection closes', async () => {
    const port = await start(make)
    const answer = await exchange(port, `${HEAD}transfer-encoding: chunked\r\n`, endless)
    expect(statusOf(answer)).toBe(413)
    expect(answer).toMatch(/^connection: close/im)
    expect(answer).toContain('payload_too_large')
  })

  test('too many bodies arriving from one address: 429 with Retry-After; it may send more once they are complete', async () => {
    const port = await start(make)
    const half = `${HEAD}content-length: 10\r\n`
    const open: Socket[] = []
    const waiting = Array.from({ length: BODIES.maxArrivingPerAddress }, () =>
      exchange(port, half, (socket) => open.push(socket)),
    )
    // A body in one packet with its headers needs no slot.
    const whole = () => exchange(port, `${HEAD}content-length: 2\r\n\r\nok`)
    let refused = ''
    while (statusOf(refused) !== 429)
      refused = await exchange(port, half, (socket) => setTimeout(() => socket.end('0123456789'), 500))
    expect(refused).toMatch(/^retry-after: 1/im)
    expect(await whole()).toContain('read 2')
    for (const socket of open) socket.write('0123456789')
    for (const answer of await Promise.all(waiting)) expect(answer).toContain('read 10')
    expect(await exchange(port, half, (socket) => setTimeout(() => socket.write('0123456789'), 100))).toContain(
      'read 10',
    )
  })

  test('a body that arrives too slowly is 408', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const port = await start(make)
    let head = () => {}
    const isRead = new Promise<void>((done) => {
      head = done
    })
    // A client that receives 100 Continue knows that its head was read.
    const answer = exchange(port, `${HEAD}expect: 100-continue\r\ncontent-length: 10\r\n`, (socket) => {
      socket.write('01234')
      socket.once('data', head)
    })
    await isRead
    for (let turn = 0; turn < 3; turn++) await new Promise((done) => setImmediate(done))
    vi.advanceTimersByTime(BODIES.maxMs)
    expect(await answer).toMatch(/HTTP\/1.1 408 [\s\S]*The body did not arrive/)
  })

  test('a refused upload gets Connection: close', async () => {
    const port = await start(() => make((_request, response) => response.writeHead(403).end('no')))
    const head = 'POST /data/load/files HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n'
    const answer = await exchange(port, head, endless)
    expect(statusOf(answer)).toBe(403)
    expect(answer).toMatch(/^connection: close/im)
  })
})

describe('PUT', () => {
  test('a body is asked for at once where no file is put', async () => {
    const port = await start(make)
    const head =
      'PUT /sign-in HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nexpect: 100-continue\r\ncontent-length: 2\r\n'
    const late = (socket: Socket) => socket.once('data', () => socket.write('ok'))
    expect(await exchange(port, head, late)).toMatch(/^HTTP\/1.1 100 Continue\r\n[\s\S]*read 2/)
  })

  test('a file for another host is refused, whatever the method', async () => {
    const hosts = { hosts: { ...env().hosts, api: 'api.example.com', portal: 'www.example.com' } }
    for (const method of ['PUT', 'GET']) {
      const port = await start(() => make(undefined, { ...env(), ...hosts }))
      const head = `${method} /api/v1/loads/customers.csv HTTP/1.1\r\nhost: www.example.com\r\nconnection: close\r\n`
      expect(statusOf(await exchange(port, head))).toBe(421)
      running?.close()
    }
  })
})

const GET = 'GET /sign-in HTTP/1.1\r\nconnection: close\r\n'
const POST = 'POST /sign-in HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n'

describe('requests', () => {
  test.each([
    ['two Host headers', `${GET}host: localhost\r\nhost: localhost\r\n`, 400],
    ['no Host header', GET, 400],
    ['TRACE', 'TRACE / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n', 405],
    ['OPTIONS *', 'OPTIONS * HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n', 204],
    ['a page', `${GET}host: localhost\r\n`, 200],
    ['a form from another site', `${POST}origin: https://evil.example\r\n`, 403],
    ['a form from our host with another scheme', `${POST}origin: ftp://localhost\r\n`, 403],
    ['a form with an invalid origin', `${POST}origin: http://\r\n`, 403],
    ['a form with the origin null', `${POST}origin: null\r\n`, 403],
    ['a form from our own page', `${POST}origin: http://localhost\r\n`, 200],
  ])('%s', async (_title, head, status) => {
    expect(statusOf(await exchange(await start(make), head))).toBe(status)
  })

  test('a connection on which no request arrives is closed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const port = await start(make)
    const server = running
    const isOpen = new Promise<void>((done) => server?.once('connection', () => done()))
    const answer = new Promise<string>((done) => {
      let text = ''
      const socket = connect(port, '127.0.0.1')
      socket.on('data', (data) => {
        text += data
      })
      socket.on('close', () => done(text))
    })
    await isOpen
    await new Promise((done) => setImmediate(done))
    vi.advanceTimersByTime(CONNECTIONS.headersTimeout)
    expect(statusOf(await answer)).toBe(408)
  })
})
