// For tests only: lets `@vercel/postgres` reach a local Postgres. Load it before everything else (`node --import`, or a setup file
// of the tests). It opens a WebSocket-to-TCP bridge on loopback and points the package at it; the code under test does not know
// about it.
import { createRequire } from 'node:module'
import { connect } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { WebSocketServer } from 'ws'

const require = createRequire(import.meta.url)
const test = new URL(process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres')

/** Returns where the bridge may connect: the tests' Postgres, which the package calls `localhost`, and other ports on loopback. */
function target(request) {
  const address = new URL(request.url ?? '', 'ws://bridge').searchParams.get('address')
  const [, host, port] = address?.match(/^(localhost|127\.0\.0\.1):(\d+)$/) ?? []
  if (!host) return undefined
  return { host: port === (test.port || '5432') ? test.hostname : '127.0.0.1', port: Number(port) }
}

function carry(webSocket, request) {
  // Messages are small. With Nagle's algorithm, each query would wait for its last one.
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
  // Does not keep the process alive.
  server._server.unref()
  return server.address().port
}

/** Points one copy of the package's settings at the bridge; `import` and `require` each have their own. */
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
