import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { connectRedis, type RedisValue } from './client'
import { upstashCommands } from './commands'

/**
 * The ways in which the bridge misbehaves: `slow` waits before each answer, `refuse` closes the port, `deny` takes no token, `garbage`
 * talks nonsense.
 */
export type Fault = 'none' | 'hang' | 'refuse' | 'deny' | 'garbage' | 'nonsense' | { slowMs: number }

const encoded = (value: RedisValue): unknown => {
  if (Array.isArray(value)) return value.map(encoded)
  return typeof value === 'string' && value !== 'OK' ? Buffer.from(value, 'latin1').toString('base64') : value
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((done, fail) => {
    server.once('error', fail).listen(port, '127.0.0.1', () => {
      const address = server.address()
      done(address && typeof address === 'object' ? address.port : 0)
    })
  })
}

const NONSENSE = [{ result: ['yes', -1, 'soon'] }]

/**
 * Starts Upstash's REST protocol before a plain Redis: `/` takes one command, `/pipeline` and `/multi-exec` take several.
 * @param options where Redis is; a token and a prefix of keys, both made up when left out; a port, any free one when left out
 */
export async function startBridge(options: { redisUrl: string; token?: string; prefix?: string; port?: number }) {
  const token = options.token ?? randomBytes(16).toString('hex')
  const prefix = options.prefix ?? `test:${randomBytes(8).toString('hex')}:`
  const redis = connectRedis(options.redisUrl)
  const { run, flush } = upstashCommands(redis, prefix)
  let fault: Fault = 'none'
  let asked = 0

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    asked++
    const body = JSON.parse(await bodyOf(request))
    if (fault === 'hang') return
    if (fault === 'garbage') return void response.end('<html>try again later</html>')
    if (fault === 'nonsense') return answer(response, 200, NONSENSE)
    if (fault === 'deny' || request.headers.authorization !== `Bearer ${token}`)
      return answer(response, 401, { error: 'WRONGPASS invalid or missing auth token' })
    if (typeof fault === 'object') await new Promise((done) => setTimeout(done, Object(fault).slowMs))
    const isBase64 = request.headers['upstash-encoding'] === 'base64'
    const one = (command: (string | number)[]) =>
      run(command).then(
        (result) => ({ result: isBase64 ? encoded(result) : result }),
        (error) => ({ error: error.message }),
      )
    if (request.url !== '/') return answer(response, 200, await Promise.all(body.map(one)))
    const result = await one(body)
    answer(response, 'error' in result ? 400 : 200, result)
  }

  const make = () => createServer((request, response) => void handle(request, response).catch(() => response.destroy()))
  let server = make()
  const port = await listen(server, options.port ?? 0)
  const shut = () =>
    new Promise((done) => {
      server.close(done)
      server.closeAllConnections()
    })

  /** Misbehaves from now on; `none` fixes it. */
  async function setFault(next: Fault): Promise<void> {
    if (next === 'refuse' && fault !== 'refuse') await shut()
    if (next !== 'refuse' && fault === 'refuse') {
      server = make()
      await listen(server, port)
    }
    if (fault === 'hang') server.closeAllConnections()
    fault = next
  }

  return {
    url: `http://127.0.0.1:${port}`,
    token,
    prefix,
    redis,
    /** Requests received since the start, whatever became of them. */
    asked: () => asked,
    setFault,
    flush,
    async close(): Promise<void> {
      await flush().catch(() => {})
      if (fault !== 'refuse') await shut()
      redis.close()
    },
  }
}
export type Bridge = Awaited<ReturnType<typeof startBridge>>
