import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import { join, resolve } from 'node:path'
import { NEWER_NODE } from '../newer-node'
import { environment, freePort } from '../running'
import type { Packaged, PlatformConfig } from './build'

const HOST = resolve('e2e/platform/function.mjs')

/** A function that runs: the port that it listens on, once it does. */
type Started = { process: ChildProcess; port: Promise<number> }

type Answer = { status: number; headers: Record<string, string | string[] | undefined>; body: Buffer }
type Asked = { method: string; path: string; headers: IncomingMessage['headers']; body: Buffer }

async function listening(port: number, child: ChildProcess, said: () => string): Promise<number> {
  for (const end = Date.now() + 60_000; Date.now() < end; await new Promise((done) => setTimeout(done, 50))) {
    if (child.exitCode !== null) throw new Error(`a function ended: ${said()}`)
    const isThere = await new Promise<boolean>((done) => {
      send({ host: '127.0.0.1', port, method: 'OPTIONS', path: '/_platform' }, (answer) => {
        answer.resume()
        done(true)
      })
        .once('error', () => done(false))
        .end()
    })
    if (isThere) return port
  }
  throw new Error(`a function does not listen: ${said()}`)
}

/** The time that the platform gives a function (vercel.json). */
const PATIENCE_MS = 60_000

function ask(port: number, { method, path, headers, body }: Asked): Promise<Answer> {
  return new Promise((done, fail) => {
    const outgoing = send({ host: '127.0.0.1', port, method, path, headers }, async (incoming) => {
      const parts: Buffer[] = []
      for await (const part of incoming) parts.push(part)
      done({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(parts) })
    })
    outgoing.once('error', fail)
    outgoing.setTimeout(PATIENCE_MS, () => outgoing.destroy(new Error(`nobody answered ${method} ${path}`)))
    outgoing.end(body)
  })
}

const isWhole = (text: string, pattern: string) => new RegExp(`^(?:${pattern})$`).test(text)

/** The part of a path before its query, and the query. */
function divided(path: string): [path: string, query: string] {
  const at = path.indexOf('?')
  return at < 0 ? [path, ''] : [path.slice(0, at), path.slice(at + 1)]
}

type Leading = Exclude<PlatformConfig['routes'][number], { handle: string }>

/** The routes of a phase: those behind its `handle`; those before the first one have none. */
function phase(config: PlatformConfig, name: string | undefined): Leading[] {
  let current: string | undefined
  const found: Leading[] = []
  for (const route of config.routes) {
    if ('handle' in route) current = route.handle
    else if (current === name) found.push(route)
  }
  return found
}

const has = (
  headers: IncomingMessage['headers'],
  { type, key = '', value }: { type: string; key?: string | undefined; value?: string | undefined },
) => {
  const given = type === 'header' ? headers[key] : undefined
  return given !== undefined && (value === undefined || isWhole(String(given), value))
}

const meets = ({ has: needed = [], missing = [] }: Leading, headers: IncomingMessage['headers']) =>
  needed.every((one) => has(headers, one)) && !missing.some((one) => has(headers, one))

/** A request as the middleware leaves it. */
type Led = { answer: Answer } | { asked: Asked; added: Record<string, string> }

const CONTROL = /^x-middleware-/

/**
 * A platform in small: leads requests to the packaged functions by the packaged routes, the middleware first, each function in a process of its
 * own.
 */
export class Platform {
  private readonly started = new Map<string, Started>()
  output = ''

  constructor(
    private readonly packaged: Packaged,
    private readonly env: Record<string, string>,
  ) {}

  private portOf(folder: string): Promise<number> {
    const known = this.started.get(folder)
    if (known) return known.port
    const begun = freePort().then((port) => {
      const child = spawn(NEWER_NODE, [HOST], {
        cwd: folder,
        env: environment({ ...this.env, PORT: String(port) }),
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      one.process = child
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk) => {
          this.output += chunk
        })
      return listening(port, child, () => this.output)
    })
    const one = { port: begun } as Started
    this.started.set(folder, one)
    return begun
  }

  /** Returns the folder of the function at a path; a page at `/` is called `index`. */
  private functionAt(path: string): string | undefined {
    return this.packaged.functions.get(path === '/' ? '/index' : path)
  }

  /** Asks the middleware, where its route matches. */
  private async led(asked: Asked): Promise<Led> {
    const [path] = divided(asked.path)
    const route = phase(this.packaged.config, undefined).find(
      ({ middlewarePath, src }) => middlewarePath !== undefined && new RegExp(src).test(path),
    )
    const folder = route?.middlewarePath && this.functionAt(route.middlewarePath)
    if (!route || !folder || !meets(route, asked.headers)) return { asked, added: {} }
    const answer = await ask(await this.portOf(folder), asked)
    const of = (name: string) => answer.headers[name]?.toString()
    const rest = Object.entries(answer.headers).filter(([name]) => !CONTROL.test(name))
    const to = of('x-middleware-rewrite')
    if (to === undefined && of('x-middleware-next') === undefined) return { answer }
    const names = of('x-middleware-override-headers')?.split(',')
    const headers = names
      ? Object.fromEntries(names.map((name) => [name, of(`x-middleware-request-${name}`)]))
      : asked.headers
    const url = to === undefined ? undefined : new URL(to, 'http://localhost')
    const added = Object.fromEntries(rest.map(([name, value]) => [name, String(value)]))
    for (const name of ['date', 'connection', 'transfer-encoding', 'content-length', 'keep-alive']) delete added[name]
    return { asked: { ...asked, headers, path: url ? url.pathname + url.search : asked.path }, added }
  }

  /** Finds the function of a path, or that of a pattern of paths, with the values of its names. */
  private find(path: string): { folder: string; at: string; names: string } | undefined {
    const folder = this.functionAt(path)
    if (folder) return { folder, at: path, names: '' }
    for (const { src, dest, has: needed } of phase(this.packaged.config, 'rewrite')) {
      const match = needed || dest === undefined ? null : new RegExp(src).exec(path)
      if (!match || dest === undefined) continue
      const filled = dest.replaceAll(/\$(\w+)/g, (_, name) => encodeURIComponent(match.groups?.[name] ?? ''))
      const [at, names] = divided(filled)
      const found = this.functionAt(at)
      if (found) return { folder: found, at, names }
    }
    return undefined
  }

  async answer(asked: Asked): Promise<Answer> {
    const led = await this.led(asked)
    if ('answer' in led) return led.answer
    const [path, query] = divided(led.asked.path)
    const file = join(this.packaged.files, path)
    if (path !== '/' && existsSync(file) && statSync(file).isFile())
      return { status: 200, headers: {}, body: readFileSync(file) }
    const found = this.find(path) ?? this.find('/_not-found')
    if (!found) throw new Error(`no function for ${path}`)
    const { folder, at, names } = found
    const headers = { ...led.asked.headers, 'x-matched-path': at }
    const whole = [query, names].filter(Boolean).join('&')
    const to = whole === '' ? at : `${at}?${whole}`
    const answer = await ask(await this.portOf(folder), { ...led.asked, headers, path: to })
    return { ...answer, headers: { ...answer.headers, ...led.added } }
  }

  /** Listens on a port until it is ended. */
  async listen(port: number): Promise<void> {
    const handle = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
      const parts: Buffer[] = []
      for await (const part of incoming) parts.push(part)
      const { method = 'GET', url: path = '/', headers } = incoming
      const { status, headers: told, body } = await this.answer({ method, path, headers, body: Buffer.concat(parts) })
      const { 'transfer-encoding': _, connection: _closed, 'keep-alive': _kept, ...rest } = told
      outgoing.writeHead(
        status,
        Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)) as Record<string, string>,
      )
      outgoing.end(method === 'HEAD' ? undefined : body)
    }
    const server = createServer((incoming, outgoing) => {
      handle(incoming, outgoing).catch((fault) => {
        this.output += `\n${fault}`
        outgoing.writeHead(500).end()
      })
    })
    await new Promise<void>((done) => server.listen(port, 'localhost', done))
    this.close = () => server.close()
  }

  private close = () => {}

  end(): void {
    this.close()
    for (const { process } of this.started.values()) process?.kill('SIGKILL')
  }
}
