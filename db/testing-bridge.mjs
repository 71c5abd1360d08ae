// For tests alone: lets `@vercel/postgres` reach a Postgres here. Loaded before everything else (`node --import`, or a set-up file of the
// tests), it opens a bridge from WebSockets to TCP on loopback and points the package at it; the code under test knows nothing of it.
import { createRequire } from 'node:module'
import { connect } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { WebSocketServer } from 'ws'

const require = createRequire(import.meta.url)
const test = new URL(process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres')

/** Whom the bridge may call: the Postgres of the tests, which is `localhost` to the package, and what else listens on loopback. */
function target(request) {
  const address = new URL(request.url ?? '', 'ws://bridge').searchParams.get('address')
  const [, host, port] = address?.match(/^(localhost|127\.0\.0\.1):(\d+)$/) ?? []
  if (!host) return undefined
  return { host: port === (test.port || '5432') ? test.hostname : '127.0.0.1', port: Number(port) }
}

function carry(webSocket, request) {
  // Messages come in small pieces; held back to be sent together, each query would wait for its last one.
  const tcp = connect({ ...target(request), noDelay: true })
  webSocket.on('message', (data) => tcp.write(data))
  webSocket.on('error', () => tcp.destroy()).on('close', () => tcp.destroy())
  tcp.on('data', (data) => webSocket.send(data))
  tcp.on('error', () => webSocket.terminate()).on('close', () => webSocket.close())
}

async function open() {
  const verifyClient = ({ req }) => target(req) !== undefined
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, verifyClient }).on('connection', carry)
  await new Promise((done) => server.once('listening', done))
  // A program that has nothing else to do ends, bridge or not.
  server._server.unref()
  return server.address().port
}

/** Points a copy of the package's settings (one for `import`, one for `require`) at the bridge. */
const pointAt = (port, neonConfig) =>
  Object.assign(neonConfig, {
    wsProxy: (host, to) => `127.0.0.1:${port}/?address=${host}:${to}`,
    useSecureWebSocket: false,
    pipelineTLS: false,
    pipelineConnect: false,
    coalesceWrites: false,
  })

const port = await open()
const commonJs = createRequire(require.resolve('@vercel/postgres')).resolve('@neondatabase/serverless')
pointAt(port, require(commonJs).neonConfig)
pointAt(port, (await import(pathToFileURL(join(commonJs, '../index.mjs')).href)).neonConfig)
