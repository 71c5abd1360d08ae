import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { expect, test } from '@playwright/test'
import { launch, makeHome, type Running } from '../running'
import { report } from './own-postgres'

const ADDRESSES = 1_000_000
/** The number of addresses the limiter remembers. Beyond it, memory may not grow. */
const REMEMBERED = 100_000
const CONNECTIONS = 8
/** Pipelined requests per connection. */
const AHEAD = 100
const HEAP = pathToFileURL('e2e/faults/heap.mjs').href
const MB = 1024 * 1024
/** The most by which two looks at a heap at rest differ. */
const AT_REST_MB = 0.5
const LOOK_EVERY_MS = 3_000
const MOST_LOOKS = 40

const addressOf = (i: number) => `${11 + (i >> 24)}.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`

/** Sends one request from each of some addresses over one connection, and returns how many statuses were not 401. */
function sendFrom(port: number, from: number, to: number): Promise<number> {
  return new Promise((done, fail) => {
    const socket = connect(port, '127.0.0.1')
    let sent = from
    let answered = from
    let others = 0
    let rest = ''
    const more = () => {
      let text = ''
      for (; sent < to && sent - answered < AHEAD; sent++)
        text += `GET /api/v1/customers HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: ${addressOf(sent)}\r\n\r\n`
      if (text !== '') socket.write(text)
    }
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\r\n')
      // The last line may be incomplete.
      rest = lines.pop() ?? ''
      for (const line of lines) {
        // A body ends without a line break, so the next response may start in the middle of a line.
        const status = /HTTP\/1\.1 (\d{3}) /.exec(line)?.[1]
        if (status === undefined) continue
        answered++
        if (status !== '401') others++
      }
      if (answered < to) return more()
      socket.destroy()
      done(others)
    })
    socket.once('error', fail).once('close', () => fail(new Error(`closed after ${answered - from} answers`)))
    more()
  })
}

async function sendAll(port: number, from: number, to: number): Promise<void> {
  const share = Math.ceil((to - from) / CONNECTIONS)
  const parts = Array.from({ length: CONNECTIONS }, (_, i) => [from + i * share, Math.min(to, from + (i + 1) * share)])
  const others = await Promise.all(parts.map(([begin = 0, end = 0]) => sendFrom(port, begin, end)))
  expect(others.every((count) => count === 0)).toBe(true)
}

/** Returns the server's heap after garbage collection, in MB. */
async function heapOf(running: Running): Promise<number> {
  const told = () => [...running.output.matchAll(/^heap (\d+)$/gm)]
  const before = told().length
  running.process.kill('SIGUSR2')
  await expect.poll(() => told().length, { timeout: 20_000 }).toBeGreaterThan(before)
  return Number(told().at(-1)?.[1]) / MB
}

/** Returns the heap once it has come to rest, in MB: what only the start needed is let go some seconds later. */
async function restingHeapOf(running: Running): Promise<number> {
  let before = Number.POSITIVE_INFINITY
  for (let look = 0; look < MOST_LOOKS; look++) {
    const now = await heapOf(running)
    if (Math.abs(before - now) < AT_REST_MB) return now
    before = now
    await sleep(LOOK_EVERY_MS)
  }
  throw new Error('The heap did not come to rest.')
}

test('a million addresses: the limiter remembers a hundred thousand of them, and no more memory is taken for the others', async () => {
  test.setTimeout(900_000)
  const home = await makeHome('pglite')
  const env = { TRUSTED_PROXY_HOPS: '1', NODE_OPTIONS: `--import=${HEAP}` }
  const running = await launch('server', home, env)
  try {
    await running.ready()
    await sendAll(running.port, 0, 2_000)
    const empty = await restingHeapOf(running)
    await sendAll(running.port, 2_000, REMEMBERED)
    const full = await restingHeapOf(running)
    await sendAll(running.port, REMEMBERED, ADDRESSES)
    const end = await restingHeapOf(running)
    report(7, 'a million addresses', [
      { what: 'a hundred thousand took', value: full - empty, unit: 'MB', bound: 48 },
      { what: 'a million took', value: end - empty, unit: 'MB', bound: 48 },
    ])
  } finally {
    await running.end()
    await home.remove()
  }
})
