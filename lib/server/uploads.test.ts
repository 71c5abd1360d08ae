import { createServer, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { listenOnFreePort } from '@/lib/core/listen'
import { INGEST } from '@/lib/core/uploads'
import { allowTime } from './uploads'

const PACE = { everyMs: 1_000, bytes: 1_000 }
const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** A server that takes uploads at a pace, in the longest time, and answers once it has all. */
async function openServer(
  maxMs: number,
  read: (request: IncomingMessage) => void = (request) => void request.resume(),
) {
  const server = createServer((request, response) => {
    if (!allowTime(request, response, { maxBytes: 100_000_000, maxMs }, PACE)) return
    request.once('end', () => response.end('taken')).once('error', () => {})
    read(request)
  })
  ends.push(() => server.close().closeAllConnections())
  return await listenOnFreePort(server)
}

type Sender = { socket: Socket; answer: () => string; isClosed: () => boolean }

function begin(port: number, length: number): Sender {
  const socket = connect(port, '127.0.0.1')
  let [answer, isClosed] = ['', false]
  socket
    .on('error', () => {})
    .on('data', (data) => {
      answer += data
    })
    .once('close', () => {
      isClosed = true
    })
  socket.write(`PUT ${INGEST.path}customers.csv HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${length}\r\n\r\n`)
  ends.push(() => socket.destroy())
  return { socket, answer: () => answer, isClosed: () => isClosed }
}

/** Sends so many bytes again and again until the connection ends or there were enough of them. */
async function trickle({ socket, isClosed }: Sender, bytes: number, times: number): Promise<void> {
  for (let i = 0; i < times && !isClosed(); i++) {
    socket.write(Buffer.alloc(bytes))
    await new Promise((done) => setTimeout(done, 20))
  }
}

test('a body that comes by a byte now and then is cut without an answer; one that keeps its pace is taken', async () => {
  const port = await openServer(60_000)
  const slow = begin(port, 1_000_000)
  const steady = begin(port, 100 * 500)
  await Promise.all([trickle(slow, 1, 500), trickle(steady, 500, 100)])
  expect([slow.isClosed(), slow.answer()]).toEqual([true, ''])
  await expect.poll(steady.answer).toContain('taken')
}, 30_000)

test('a body that keeps its pace is cut once its time is over', async () => {
  const port = await openServer(1_000)
  const steady = begin(port, 100_000_000)
  await trickle(steady, 500, 500)
  expect([steady.isClosed(), steady.answer()]).toEqual([true, ''])
}, 30_000)

test('a body that we keep waiting is not cut, however long that takes', async () => {
  let read = () => {}
  const port = await openServer(60_000, (request) => {
    read = () => void request.resume()
  })
  const size = 20_000_000
  const waiting = begin(port, size)
  waiting.socket.write(Buffer.alloc(size))
  await new Promise((done) => setTimeout(done, 3 * PACE.everyMs))
  expect(waiting.isClosed()).toBe(false)
  read()
  await expect.poll(waiting.answer, { timeout: 10_000 }).toContain('taken')
}, 30_000)
