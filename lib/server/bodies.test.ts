import type { Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

// Senders are distinguished by the address that a trusted proxy reports.
vi.hoisted(() => {
  process.env.TRUSTED_PROXY_HOPS = '1'
})

import { env } from '@/lib/core/env'
import { listenOnFreePort } from '@/lib/core/listen'
import { BODIES } from './bodies'
import { createPlumblineServer } from './service-handler'

let server: Server
let port = 0
beforeAll(async () => {
  server = createPlumblineServer(
    () => undefined,
    (request, response) => request.resume().once('end', () => response.end('read')),
    env(),
  )
  port = await listenOnFreePort(server)
})
afterAll(() => server.closeAllConnections())

type Sender = { socket: Socket; answer: string; closed: Promise<void> }

/** Starts a body from an arbitrary address and sends part of it. */
function begin(from: string, length: number, sent: number): Sender {
  const socket = connect(port, '127.0.0.1')
  const sender: Sender = { socket, answer: '', closed: new Promise((done) => socket.once('close', () => done())) }
  socket
    .on('error', () => {})
    .on('data', (data) => {
      sender.answer += data
    })
  const head = `POST /sign-in HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: ${from}\r\nconnection: close\r\ncontent-length: ${length}\r\n\r\n`
  // In a separate packet, so that the body does not arrive with its head.
  socket.write(head, () => setTimeout(() => socket.write('x'.repeat(sent)), 20))
  return sender
}

const address = (i: number) => `192.0.${2 + Math.floor(i / 200)}.${1 + (i % 200)}`

/** Waits until one of them was answered. */
async function answered(senders: Sender[]): Promise<Sender> {
  for (;;) {
    const found = senders.find(({ answer }) => answer.includes('\r\n\r\n'))
    if (found) return found
    await new Promise((done) => setTimeout(done, 10))
  }
}

async function end(senders: Sender[]): Promise<void> {
  for (const { socket } of senders) socket.destroy()
  await Promise.all(senders.map(({ closed }) => closed))
}

test('more bodies arriving than there are slots, from any number of addresses: 503 with Retry-After', async () => {
  const senders = Array.from({ length: BODIES.maxArriving + 1 }, (_, i) => begin(address(i), 10, 1))
  const refused = await answered(senders)
  expect(refused.answer).toMatch(/^HTTP\/1.1 503 [\s\S]*^retry-after: 1/im)
  expect(refused.answer).toContain('"code":"busy"')
  await end(senders)
})

test('more bytes than the server holds at once: 503; closing those connections frees their bytes', async () => {
  const count = BODIES.maxHeld / BODIES.maxBytes + 1
  const senders = Array.from({ length: count }, (_, i) => begin(address(i), BODIES.maxBytes, BODIES.maxBytes - 1))
  const refused = await answered(senders)
  expect(refused.answer).toMatch(/^HTTP\/1.1 503 /)
  await end(senders)
  // Closed connections may be noticed one turn later.
  let answer = ''
  while (!answer.startsWith('HTTP/1.1 200')) {
    const one = begin(address(0), BODIES.maxBytes, BODIES.maxBytes)
    answer = (await answered([one])).answer
    await end([one])
  }
})
