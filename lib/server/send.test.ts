import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { listenOnFreePort } from '@/lib/core/listen'
import { send } from './refuse'

const PART = 'x'.repeat(256 * 1024)
const STALLED_MS = 600

/** A server that streams without end, and what it has done: how many parts it made, and whether it was ended. */
async function openEndless() {
  const seen = { parts: 0, isEnded: false }
  async function* endless() {
    try {
      for (;;) {
        seen.parts++
        yield PART
      }
    } finally {
      seen.isEnded = true
    }
  }
  const server = createServer((_, response) => {
    const stream = { chunks: endless(), ended: Promise.resolve() }
    send(response, { status: 200, headers: {}, body: null, stream }, STALLED_MS)
  })
  const port = await listenOnFreePort(server)
  return { seen, port, close: () => void server.close().closeAllConnections() }
}

test('a reader that stalls is cut, and its stream made no more than the buffers hold; one that is slow goes on', async () => {
  const { seen, port, close } = await openEndless()
  const slow = connect(port, '127.0.0.1')
  slow.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')
  let read = 0
  // Takes what has come and pauses, for longer in all than a stalled reader may last.
  for (const end = Date.now() + 4 * STALLED_MS; Date.now() < end; ) {
    for (let pause = Date.now() + STALLED_MS / 6; Date.now() < pause; await new Promise(setImmediate))
      read += slow.read()?.length ?? 0
    await new Promise((done) => setTimeout(done, STALLED_MS / 6))
  }
  expect(read).toBeGreaterThan(PART.length)
  expect(seen.isEnded).toBe(false)
  // From here on it takes nothing.
  await expect.poll(() => seen.isEnded, { timeout: 10_000 }).toBe(true)
  const { parts } = seen
  expect(parts * PART.length).toBeLessThan(read + 64 * 1024 * 1024)
  slow.resume()
  await once(slow, 'close')
  expect(seen.parts).toBe(parts)
  close()
}, 30_000)

test('a reader that goes away ends a stream that waits for its next part', async () => {
  const seen = { isEnded: false }
  let leave = () => {}
  async function* waiting() {
    yield 'x'
    await new Promise<void>((resolve) => {
      leave = resolve
    })
  }
  const server = createServer((_, response) => {
    const chunks = waiting()
    const finish = chunks.return.bind(chunks)
    chunks.return = (value) => {
      seen.isEnded = true
      leave()
      return finish(value)
    }
    send(response, { status: 200, headers: {}, body: null, stream: { chunks, ended: Promise.resolve() } })
  })
  const port = await listenOnFreePort(server)
  const reader = connect(port, '127.0.0.1')
  reader.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')
  await once(reader, 'data')
  expect(seen.isEnded).toBe(false)
  reader.destroy()
  await expect.poll(() => seen.isEnded, { timeout: 2_000 }).toBe(true)
  server.close().closeAllConnections()
})
