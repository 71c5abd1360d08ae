import { mkdirSync, writeFileSync } from 'node:fs'
import { get, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { measured } from '@/db/statements'
import { env } from '@/lib/core/env'
import { listenOnFreePort } from '@/lib/core/listen'
import { newNonce, pagePolicy } from '@/lib/http/page-policy'
import { inFolder } from '@/lib/testing/folder'
import { collectLog } from '@/lib/testing/log'
import { forgetRuntime } from '@/lib/testing/runtime'
import type { NodeHandler } from './front'
import { unknownPages } from './page-cache'
import { createPlumblineServer } from './service-handler'

/** Renders a page as Next does: a policy, its nonce on each script, written in parts; with a cookie when someone is signed in. */
function maker() {
  const made: string[] = []
  const pages = (request: IncomingMessage, response: ServerResponse) => {
    made.push(request.url ?? '')
    const policy = pagePolicy(newNonce())
    const [, nonce = ''] = /'nonce-([^']+)'/.exec(policy['content-security-policy']) ?? []
    for (const [name, value] of Object.entries(policy)) response.setHeader(name, value)
    response.setHeader('content-type', 'text/html; charset=utf-8')
    if (request.url === '/sign-in') response.setHeader('set-cookie', 'a=b')
    response.statusCode = /nothing|not-found/.test(request.url ?? '') ? 404 : 200
    response.write(`<p>page ${made.length}</p><script nonce="${nonce}">1</script>`)
    response.end(`<script nonce="${nonce}">2</script>`)
  }
  return { made, pages }
}

const make = (pages: NodeHandler): Server => createPlumblineServer(() => undefined, pages, env())

let running: Server | undefined
afterEach(() => {
  running?.closeAllConnections()
  running?.close()
})

async function start(server: Server): Promise<number> {
  running = server
  return await listenOnFreePort(server)
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

const ROUTES = { staticRoutes: [{ page: '/' }, { page: '/sign-in' }], dynamicRoutes: [{ page: '/data/[resource]' }] }

/** Begins as a process of a build that has these routes, and a file in `public`. */
async function beginBuilt(): Promise<void> {
  const unknownPage = await inFolder({}, async (root) => {
    for (const folder of ['.next', 'public']) mkdirSync(join(root, folder))
    writeFileSync(join(root, 'public/favicon.ico'), '')
    writeFileSync(join(root, '.next/routes-manifest.json'), JSON.stringify(ROUTES))
    return unknownPages(root)
  })
  forgetRuntime()
  onTestFinished(() => forgetRuntime())
  Reflect.get(globalThis, Symbol.for('plumbline.shared')).set('unknownPage', unknownPage)
}

const nonceOf = ({ headers }: Got) => /'nonce-([^']+)'/.exec(headers['content-security-policy'] as string)?.[1]

describe('pages', () => {
  const guide = '/developers/guides/quick-start'

  test('a public page is rendered once, and every response has its own nonce', async () => {
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

  test('it is rendered again for another theme, cookie or query, and for router requests', async () => {
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
    // A page rendered for one visitor is never served to another.
    expect((await ask(port, path)).body).toContain('page 1<')
    expect((await ask(port, path, { cookie: 'plumbline.session=y' })).body).toContain(`page ${others.length + 1}<`)
  })

  test('a page whose record is missing and one that sets a cookie are not cached', async () => {
    const { made, pages } = maker()
    const port = await start(make(pages))
    for (const path of ['/developers/nothing', '/developers/nothing', '/sign-in', '/sign-in']) await ask(port, path)
    expect(made).toHaveLength(4)
  })

  test('all paths without a page share one page, which is rendered once for each look', async () => {
    await beginBuilt()
    const { made, pages } = maker()
    const port = await start(make(pages))
    const found = []
    for (const path of ['/wp-login.php', '/a/b/c?d=e', '/.env', '/data-of-mine']) found.push(await ask(port, path))
    for (const { status, body } of found)
      expect([status, body.replaceAll(/nonce="[^"]+"/g, '')]).toEqual([
        404,
        '<p>page 1</p><script >1</script><script >2</script>',
      ])
    expect(new Set(found.map(({ headers }) => headers['content-security-policy'])).size).toBe(4)
    expect(made).toEqual(['/page-not-found'])
    for (const path of ['/data/none', '/favicon.ico', '/%64ata']) await ask(port, path)
    expect(made).toEqual(['/page-not-found', '/data/none', '/favicon.ico', '/%64ata'])
  })
})

test('a page that fails because of its database is 503, as the API is; one that fails for another reason stays 500', async () => {
  const port = await start(
    make(async (request, response) => {
      const code = request.url?.endsWith('overloaded') ? '57014' : '22012'
      const failing = async () => {
        // React renders in immediates.
        await new Promise(setImmediate)
        throw Object.assign(new Error('of a test'), { code })
      }
      await measured({ name: 'of a test' }, failing).catch(() => {})
      response.statusCode = 500
      response.end('<p>could not be shown</p>')
    }),
  )
  const log = collectLog()
  const overloaded = await ask(port, '/logs/overloaded')
  const broken = await ask(port, '/logs/broken')
  log.end()
  expect([overloaded.status, overloaded.headers['retry-after'], overloaded.body]).toEqual([
    503,
    '2',
    '<p>could not be shown</p>',
  ])
  expect([broken.status, broken.headers['retry-after']]).toEqual([500, undefined])
  expect(log.lines()).toMatchObject([{ level: 'error', operation: 'page /logs', message: 'of a test' }])
})

// The limit counts for the whole process, so this test must be the last.
test('an address over its page limit gets 429; a browser gets it as a page', async () => {
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
})
