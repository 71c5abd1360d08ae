import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { listenOnFreePort } from '@/lib/core/listen'
import { inFolder } from '@/lib/testing/folder'
import { forgetRuntime } from '@/lib/testing/runtime'
import { type StaticFile, serveStatic, staticFiles } from './static-files'

const SCRIPT = 'export const text = 1\n'.repeat(500)
const PATH = '/_next/static/chunks/a.js'

let files: Map<string, StaticFile>
/** Reads a build with one script, compressed, and an icon; all of it before its folder is deleted. */
beforeAll(async () => {
  files = await inFolder({}, async (root) => {
    for (const folder of ['.next/static/chunks', 'public/samples']) mkdirSync(join(root, folder), { recursive: true })
    const script = join(root, '.next/static/chunks/a.js')
    writeFileSync(script, SCRIPT)
    writeFileSync(`${script}.br`, brotliCompressSync(SCRIPT))
    writeFileSync(`${script}.gz`, gzipSync(SCRIPT))
    writeFileSync(join(root, 'public/icon.svg'), '<svg/>')
    writeFileSync(join(root, 'public/samples/a.csv'), 'id\n')
    const found = staticFiles(root)
    for (const { variants } of found.values()) for (const { read } of variants) await read()
    return found
  })
})

async function start(): Promise<number> {
  forgetRuntime()
  onTestFinished(() => forgetRuntime())
  Reflect.get(globalThis, Symbol.for('plumbline.shared')).set('staticFiles', files)
  const server = createServer((incoming, response) => {
    if (!serveStatic(incoming.url ?? '', incoming, response)) response.writeHead(404).end('Next')
  })
  onTestFinished(() => void server.close().closeAllConnections())
  return await listenOnFreePort(server)
}

type Got = { status: number | undefined; headers: IncomingMessage['headers']; body: Buffer }
const ask = (port: number, path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Got> =>
  new Promise((done, fail) => {
    request({ port, host: '127.0.0.1', path, method, headers, agent: false }, async (answer) => {
      const parts: Buffer[] = []
      for await (const part of answer) parts.push(part)
      done({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(parts) })
    })
      .on('error', fail)
      .end()
  })

test.each([
  ['br, gzip', 'br', brotliDecompressSync],
  ['gzip, deflate', 'gzip', gunzipSync],
  ['br;q=0, gzip', 'gzip', gunzipSync],
  ['*', 'br', brotliDecompressSync],
  ['identity', undefined, (bytes: Buffer) => bytes],
])('Accept-Encoding %s gets what the build compressed: %s', async (accepted, coding, decode) => {
  const port = await start()
  const { status, headers, body } = await ask(port, PATH, { 'accept-encoding': accepted })
  expect([status, headers['content-encoding']]).toEqual([200, coding])
  expect(headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-length': String(body.length),
    vary: 'Accept-Encoding',
    'x-content-type-options': 'nosniff',
  })
  expect(decode(body).toString()).toBe(SCRIPT)
})

test('each coding has an ETag of its own, by which it is not sent again; HEAD has no body', async () => {
  const port = await start()
  const etags = await Promise.all(
    ['br', 'gzip', 'identity'].map(async (coding) => {
      const { headers } = await ask(port, PATH, { 'accept-encoding': coding })
      const again = await ask(port, PATH, { 'accept-encoding': coding, 'if-none-match': headers.etag ?? '' })
      expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, headers.etag])
      return headers.etag
    }),
  )
  expect(new Set(etags).size).toBe(3)
  const head = await ask(port, PATH, {}, 'HEAD')
  expect([head.status, head.headers['content-length'], head.body.length]).toEqual([200, String(SCRIPT.length), 0])
})

test('files of public/ are asked for again; what is no file, or compressed by the build, is left to Next', async () => {
  const port = await start()
  const icon = await ask(port, '/icon.svg')
  expect([icon.status, icon.headers['cache-control']]).toEqual([200, 'public, max-age=300'])
  expect((await ask(port, '/samples/a.csv')).headers['content-type']).toBe('text/csv; charset=utf-8')
  for (const path of [`${PATH}.br`, '/_next/static/chunks', '/_next/static/../static/chunks/a.js', '/nothing'])
    expect((await ask(port, path)).status, path).toBe(404)
  expect((await ask(port, PATH, {}, 'POST')).status).toBe(404)
})

test('every file of public/ has a type, and every text of it is small enough to be sent as it is', () => {
  const names = readdirSync('public', { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join('public', name)).isFile(),
  )
  const known = staticFiles(process.cwd())
  for (const name of names) {
    expect(known.has(`/${name}`), name).toBe(true)
    if (!/\.(png|ico|webp)$/.test(name)) expect(statSync(join('public', name)).size, name).toBeLessThan(4_000)
  }
})
