import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { env } from '@/lib/core/env'
import { newNonce, pagePolicy } from '@/lib/http/page-policy'
import type { NodeHandler } from './front'
import { frontNext } from './next-front'
import { createPlumblineServer } from './node-server'

/** A page as Next makes it: with a policy, its nonce on each script, in parts; a cookie where one is signed in. */
function maker() {
  const made: string[] = []
  const pages = (request: IncomingMessage, response: ServerResponse) => {
    made.push(request.url ?? '')
    const policy = pagePolicy(newNonce())
    const [, nonce = ''] = /'nonce-([^']+)'/.exec(policy['content-security-policy']) ?? []
    for (const [name, value] of Object.entries(policy)) response.setHeader(name, value)
    response.setHeader('content-type', 'text/html; charset=utf-8')
    if (request.url === '/sign-in') response.setHeader('set-cookie', 'a=b')
    response.statusCode = request.url === '/nothing' ? 404 : 200
    response.write(`<p>page ${made.length}</p><script nonce="${nonce}">1</script>`)
    response.end(`<script nonce="${nonce}">2</script>`)
  }
  return { made, pages }
}

const ENTRIES: Record<string, (pages: NodeHandler) => Server> = {
  'server.ts': (pages) => createPlumblineServer([], pages, env()),
  'next start': (pages) => {
    const server = createServer(pages)
    server.once('connection', (socket: Socket) => frontNext(server, env(), socket))
    return server
  },
}

let running: Server | undefined
afterEach(() => {
  running?.closeAllConnections()
  running?.close()
})

async function start(server: Server): Promise<number> {
  running = server
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return (server.address() as AddressInfo).port
}

type Got = { status: number; headers: IncomingMessage['headers']; body: string }
const ask = (port: number, path: string, headers: Record<string, string> = {}): Promise<Got> =>
  new Promise((done, fail) => {
    get({ port, host: '127.0.0.1', path, headers, agent: false }, async (answer) => {
      let body = ''
      for await (const part of answer) body += part
      done({ status: answer.statusCode ?? 0, headers: answer.headers, body })
    }).on('error', fail)
  })

const nonceOf = ({ headers }: Got) => /'nonce-([^']+)'/.exec(headers['content-security-policy'] as string)?.[1]

describe.each(Object.entries(ENTRIES))('pages under %s', (entry, make) => {
  // Pages are cached by path for the process, so each entry requests different ones.
  const guide = `/developers/guides/${entry.replace(/\W/g, '-')}`

  test('a public page is made once, and every answer has a nonce of its own', async () => {
    const { made, pages } = maker()
    const port = await start(make(pages))
    const answers = [
      await ask(port, guide),
      await ask(port, guide),
      await ask(port, guide, { cookie: 'plumbline-theme=system' }),
    ]
    expect(made).toEqual([guide])
    expect(new Set(answers.map(nonceOf)).size).toBe(3)
    for (const answer of answers) {
      expect(answer.status).toBe(200)
      expect(answer.body).toBe(
        `<p>page 1</p><script nonce="${nonceOf(answer)}">1</script><script nonce="${nonceOf(answer)}">2</script>`,
      )
    }
  })

  test('it is rendered again for whoever may see another: by theme, by cookie, by query, by what a router asks', async () => {
    const { made, pages } = maker()
    const port = await start(make(pages))
    const path = `${guide}-again`
    const others: [string, Record<string, string>][] = [
      [path, {}],
      [path, { cookie: 'plumbline-theme=dark' }],
      [path, { cookie: 'plumbline-theme=dark; plumbline.session=x' }],
      [path, { cookie: 'plumbline.session=x' }],
      [path, { rsc: '1' }],
      [`${path}?a=b`, {}],
    ]
    for (const [at, headers] of others) await ask(port, at, headers)
    expect(made).toHaveLength(others.length)
    // What was made for one of them is nobody else's.
    expect((await ask(port, path)).body).toContain('page 1<')
    expect((await ask(port, path, { cookie: 'plumbline.session=y' })).body).toContain(`page ${others.length + 1}<`)
  })

  test('what is not there, and what sets a cookie, is not kept', async () => {
    const { made, pages } = maker()
    const port = await start(make(pages))
    for (const path of ['/nothing', '/nothing', '/sign-in', '/sign-in']) await ask(port, path)
    expect(made).toHaveLength(4)
  })
})

// Counted for the process, so nothing else may come after.
test.each(Object.values(ENTRIES))(
  'an address that asks for more pages than it may is answered 429, a browser with a page',
  async (make) => {
    const guide = '/developers/guides/limited'
    const { pages } = maker()
    const port = await start(make(pages))
    let answer = await ask(port, guide)
    for (let i = 0; i <= env().limits.pages && answer.status === 200; i++) answer = await ask(port, guide)
    expect(answer.status).toBe(429)
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    const seen = await ask(port, guide, { accept: 'text/html' })
    expect([seen.status, seen.headers['content-type']]).toEqual([429, 'text/html; charset=utf-8'])
    expect(seen.body).toContain('<h1>Too Many Requests</h1>')
  },
)
