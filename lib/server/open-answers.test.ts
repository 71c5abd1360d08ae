import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { env } from '@/lib/core/env'
import { listenOnFreePort } from '@/lib/core/listen'
import { forgetRuntime } from '@/lib/testing/runtime'
import { OPEN_ANSWERS } from './open-answers'
import { createPlumblineServer } from './service-handler'

const [DATA, DOCUMENT] = ['/api/held', '/held.txt']

/** A server that answers only when it is told to. */
async function start() {
  forgetRuntime()
  const held: ServerResponse[] = []
  let release = () => {}
  const released = new Promise<void>((done) => {
    release = done
  })
  const answer = async () => {
    await released
    return { status: 200, headers: {}, body: 'held' }
  }
  const find = (path: string) => ([DATA, DOCUMENT].includes(path) ? Promise.resolve(answer) : undefined)
  const pages = (_: IncomingMessage, response: ServerResponse) => held.push(response)
  const server = createPlumblineServer(find, pages, env())
  const port = await listenOnFreePort(server)
  const sockets: Socket[] = []
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close().closeAllConnections()
    forgetRuntime()
  })
  /** Asks on a connection of its own. */
  const ask = (path: string) => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    sockets.push(socket)
    const asked = { socket, text: '' }
    socket.on('data', (data) => {
      asked.text += data
    })
    socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`)
    return asked
  }
  const answerAll = () => {
    release()
    for (const response of held) response.end('held')
  }
  return { ask, answerAll }
}

type Asked = { text: string }
const REFUSED = /^HTTP\/1\.1 429 [\s\S]*retry-after: 1\r\n[\s\S]*still open/i

/** Connections are taken in any order, and a system that is asked for a thousand at once takes some of them a second later. */
async function expectOneRefused(asked: Asked[]): Promise<void> {
  await expect.poll(() => asked.filter(({ text }) => REFUSED.test(text)).length, { timeout: 30_000 }).toBe(1)
  expect(asked.filter(({ text }) => text === '').length).toBe(asked.length - 1)
}

test('an address has so many answers open and no more', async () => {
  const { ask, answerAll } = await start()
  const ofEverybody = Array.from({ length: OPEN_ANSWERS.publicPerAddress + 1 }, () => ask(DOCUMENT))
  await expectOneRefused(ofEverybody)

  // What programs do goes on, up to a number of its own.
  const left = OPEN_ANSWERS.perAddress - OPEN_ANSWERS.publicPerAddress
  const ofPrograms = Array.from({ length: left + 1 }, () => ask(DATA))
  await expectOneRefused(ofPrograms)

  // One that goes makes room.
  const first = ofEverybody.find(({ text }) => text === '')
  first?.socket.destroy()
  if (first) await once(first.socket, 'close')
  await expect
    .poll(async () => {
      const next = ask(DATA)
      await new Promise((done) => setTimeout(done, 50))
      return next.text
    })
    .toBe('')
  answerAll()
  await expect.poll(() => ofPrograms.filter(({ text }) => text.startsWith('HTTP/1.1 200')).length).toBe(left)
}, 60_000)
