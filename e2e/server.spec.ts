import { connect } from 'node:net'
import { expect, test } from './fixtures'
import { sendRaw } from './raw'

test.describe('what server.ts does for every route', () => {
  const REQUESTS: [title: string, bytes: string, status: number][] = [
    ['TRACE', 'TRACE /api/v1/invoices HTTP/1.1\r\nhost: localhost\r\n\r\n', 405],
    ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nhost: example.com:443\r\n\r\n', 405],
    [
      'an upgrade',
      'GET /api/v1/invoices HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
      400,
    ],
    ['an unknown expectation', 'GET /api/v1/invoices HTTP/1.1\r\nhost: localhost\r\nexpect: tea\r\n\r\n', 417],
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['no host', 'GET /api/v1/invoices HTTP/1.1\r\n\r\n', 400],
    ['a host that is none', 'GET /api/v1/invoices HTTP/1.1\r\nhost: a b\r\n\r\n', 400],
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
    [
      'the absolute form',
      'GET http://localhost/api/v1/invoices HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n',
      401,
    ],
  ]
  for (const [title, bytes, status] of REQUESTS) {
    test(`${title} is ${status}, as JSON`, async ({ service }) => {
      const answer = await sendRaw(service.running.port, bytes)
      expect(answer.status).toBe(status)
      expect(JSON.parse(answer.body)).toMatchObject({
        error: expect.any(String),
        code: expect.any(String),
        requestId: expect.any(String),
      })
      if (status === 405) expect(answer.headers.allow).toContain('GET')
    })
  }

  test('a body sent with GET without end is cut off, and the server goes on', async ({ service }) => {
    const closed = await new Promise<boolean>((done) => {
      const socket = connect(service.running.port, 'localhost', () =>
        socket.write(`GET /api/v1/invoices HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n`),
      )
      const feed = setInterval(() => socket.write(`400\r\n${'x'.repeat(1024)}\r\n`), 5)
      const end = (result: boolean) => {
        clearInterval(feed)
        clearTimeout(limit)
        done(result)
      }
      const limit = setTimeout(end, 5_000, false)
      socket.on('close', () => end(true)).on('error', () => end(true))
    })
    expect(closed).toBe(true)
    expect((await fetch(`${service.url}/health`)).status).toBe(200)
  })
})
