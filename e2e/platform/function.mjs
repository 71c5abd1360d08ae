/**
 * A packaged function as the platform starts it: its launcher in the folder of its files, a request at a time over HTTP. A function of the web's kind,
 * which the middleware is, gets a `Request` and returns a `Response`.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const { handler, useWebApi } = JSON.parse(readFileSync('.vc-config.json', 'utf8'))
// Where the platform says how work behind an answer is waited for.
globalThis[Symbol.for('@vercel/request-context')] = { get: () => ({ waitUntil: (work) => void work.catch(() => {}) }) }
const run = createRequire(join(process.cwd(), 'package.json'))(`./${handler}`)

async function overWeb(incoming, outgoing) {
  const { method, url, headers } = incoming
  const asked = new Request(`http://${headers.host}${url}`, { method, headers: Object.entries(headers) })
  const answer = await run(asked)
  outgoing.writeHead(answer.status, [...answer.headers].flat())
  outgoing.end(Buffer.from(await answer.arrayBuffer()))
}

createServer(async (incoming, outgoing) => {
  try {
    await (useWebApi ? overWeb : run)(incoming, outgoing)
  } catch (fault) {
    // As the platform answers for a function that fails.
    console.error(fault)
    if (!outgoing.headersSent) outgoing.writeHead(500)
    outgoing.end()
  }
}).listen(Number(process.env.PORT), '127.0.0.1')
