import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { listenOnFreePort } from '@/lib/core/listen'
import { send } from './refuse'
import { cutStalled } from './stalled'

const PART = 'x'.repeat(256 * 1024)
const STALLED_MS = 600

/** A server that streams without end at a pace, and what it has done: how many parts it made, and whether it was ended. */
async function openEndless(bytes: number) {
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
    send(response, { status: 200, headers: {}, body: null, stream })
  })
  cutStalled(server, { everyMs: STALLED_MS, bytes })
  const port = await listenOnFreePort(server)
  return { seen, port, close: () => void server.close().closeAllConnections() }
}

/** Asks for the stream on a connection of its own, which reads only what it is told to. */
function ask(port: number): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')
  return socket
}

test('a reader that stalls is cut, and its stream made no more than the buffers hold; one that is slow goes on', async () => {
  const { seen, port, close } = await openEndless(1)
  const slow = ask(port)
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

test('a reader that takes something now and then, less than its pace, is cut; one that keeps it is not', async () => {
  // Both take the same, a part at a time, so that the system goes on taking some from the server.
  const [strict, lenient] = [await openEndless(1024 ** 3), await openEndless(1024)]
  const readers = [ask(strict.port), ask(lenient.port)]
  const read = [0, 0]
  while (!strict.seen.isEnded) {
    readers.forEach((reader, i) => {
      read[i] = (read[i] ?? 0) + (reader.read(Math.min(reader.readableLength, PART.length))?.length ?? 0)
    })
    await new Promise((done) => setTimeout(done, 5))
  }
  expect(read[0]).toBeGreaterThan(20 * PART.length)
  expect(lenient.seen.isEnded).toBe(false)
  for (const reader of readers) reader.destroy()
  strict.close()
  lenient.close()
}, 30_000)

test('a stream that waits for something itself is not cut, however long it is silent', async () => {
  let tell = (_text: string) => {}
  async function* silent() {
    yield 'begun'
    yield await new Promise<string>((done) => {
      tell = done
    })
  }
  const server = createServer((_, response) => {
    const stream = { chunks: silent(), ended: Promise.resolve() }
    send(response, { status: 200, headers: {}, body: null, stream })
  })
  cutStalled(server, { everyMs: 120, bytes: 1024 })
  const port = await listenOnFreePort(server)
  const reader = ask(port)
  let text = ''
  reader.on('data', (data) => {
    text += data
  })
  await new Promise((done) => setTimeout(done, 600))
  tell('and told')
  await expect.poll(() => text).toContain('and told')
  server.close().closeAllConnections()
})

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
  const reader = ask(port)
  await once(reader, 'data')
  expect(seen.isEnded).toBe(false)
  reader.destroy()
  await expect.poll(() => seen.isEnded, { timeout: 2_000 }).toBe(true)
  server.close().closeAllConnections()
})
