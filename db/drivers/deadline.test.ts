import { once } from 'node:events'
import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { DeadlinePassed, makeDeadline } from './deadline'

const after = <T>(milliseconds: number, value: T) => new Promise<T>((done) => setTimeout(done, milliseconds, value))

test('work within the deadline returns its value or error; late work is abandoned', async () => {
  const within = makeDeadline(300)
  expect(await within(after(50, 'in time'))).toBe('in time')
  await expect(within(Promise.reject(new Error('its own')))).rejects.toThrow('its own')
  const began = performance.now()
  await expect(within(after(5_000, 'late'))).rejects.toThrow(DeadlinePassed)
  expect(performance.now() - began).toBeLessThan(2_000)
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
