import { once } from 'node:events'
import { connect } from 'node:net'
import { getHeapSpaceStatistics } from 'node:v8'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { DeadlinePassed, makeDeadline } from './postgres'

const after = <T>(milliseconds: number, value: T) => new Promise<T>((done) => setTimeout(done, milliseconds, value))

test('work within the deadline returns its value or error; late work is abandoned', async () => {
  const within = makeDeadline(300)
  expect(await within(Promise.resolve('in time'))).toBe('in time')
  await expect(within(Promise.reject(new Error('its own')))).rejects.toThrow('its own')
  await expect(within(new Promise(() => {}))).rejects.toThrow(DeadlinePassed)
})

/** A server in another thread, which answers each connection after a tenth of a second, and tells when it has. */
const ANSWERING = `const { parentPort, workerData } = require('node:worker_threads')
const answer = (socket) => socket.end('here', () => Atomics.store(workerData, 0, 1))
const server = require('node:net').createServer((socket) => setTimeout(answer, 100, socket))
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))`

test('a result that arrived while this process was busy still counts', async () => {
  const answered = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(ANSWERING, { eval: true, workerData: answered })
  const [port] = await once(worker, 'message')
  const within = makeDeadline(300)
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const answer = within(once(socket, 'data'))
  const end = performance.now() + 700
  while (performance.now() < end || Atomics.load(answered, 0) === 0);
  expect(String(await answer)).toBe('here')
  socket.destroy()
  await worker.terminate()
})

const oldBytes = () =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')?.space_used_size ?? Number.NaN

test('results that nobody holds any more die young', async () => {
  const within = makeDeadline(60_000)
  const some = async (count: number) => {
    for (let i = 0; i < count; i++) await within(after(i % 3, new Array(2_500).fill(i)))
  }
  const results = (count: number) => Promise.all(Array.from({ length: 8 }, () => some(count / 8)))
  await results(500)
  const before = oldBytes()
  await results(3_000)
  // All of them together are 60 MB.
  expect(oldBytes() - before).toBeLessThan(5_000_000)
})
