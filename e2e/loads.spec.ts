import { readFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, makeContractor, test } from './fixtures'
import { sendRaw } from './raw'
import { command, type Home, launch, makeHome, type Running } from './running'

const FILE = '/api/v1/loads/customers.csv'

/** Creates a contractor with a key that may load. */
async function makeSender(home: Home, name: string): Promise<string> {
  const { id } = await makeContractor(home, name)
  return await command(home, 'keys', 'create', '--contractor', id, '--name', 'office', '--scopes', 'write:data')
}

/** Sends a file as it is made, of unknown length. */
async function put(
  url: string,
  key: string,
  body: string | AsyncIterable<Uint8Array>,
  headers: Record<string, string> = {},
) {
  const sent = request(url, { method: 'PUT', headers: { 'x-api-key': key, ...headers } })
  const answered = new Promise<IncomingMessage>((done, fail) => sent.once('response', done).once('error', fail))
  const sending = pipeline(Readable.from(typeof body === 'string' ? [body] : body), sent)
  const answer = await answered
  const text = (await answer.setEncoding('utf8').toArray()).join('')
  await sending
  return { status: answer.statusCode, body: JSON.parse(text) }
}

const memoryOf = ({ process }: Running) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${process.pid}/status`, 'utf8'))?.[1]) / 1024

const FILLER = 'x'.repeat(100_000)
const ROWS = 1_200

test('120 MB come as a stream, in flat memory, while others are answered; then its report', async ({ service }) => {
  test.setTimeout(180_000)
  const key = await makeSender(service.home, `Streaming Roofing ${process.pid}`)
  const before = memoryOf(service.running)
  let most = 0
  async function* body() {
    yield Buffer.from('Customer ID,Name,Filler\n')
    for (let i = 0; i < ROWS; i++) {
      yield Buffer.from(`C${i % 20},Customer ${i},${FILLER}\n`)
      if (i % 100 > 0) continue
      most = Math.max(most, memoryOf(service.running))
      expect((await fetch(`${service.url}/health`)).status).toBe(200)
    }
  }
  const { status, body: load } = await put(`${service.url}${FILE}`, key, body())
  expect([status, load.state, load.read]).toEqual([200, 'done', ROWS])
  expect(load.report.files[0]).toMatchObject({ added: 20, refused: ROWS - 20, ignored: ['Filler'] })
  expect(load.report.faults[0]).toMatchObject({ line: 22, field: 'Customer ID', reason: 'is already used on line 2' })
  expect(most - before).toBeLessThan(100)
})

test('who is refused is told before the file is sent; who is not is asked for it', async ({ service }) => {
  const key = await makeSender(service.home, `Asking Roofing ${process.pid}`)
  const head = (more: string, length = 30) =>
    `PUT ${FILE} HTTP/1.1\r\nhost: localhost\r\nexpect: 100-continue\r\nconnection: close\r\n${more}content-length: ${length}\r\n\r\n`
  const ask = async (text: string) => (await sendRaw(service.running.port, text, { quietMs: 500 })).status
  expect(await ask(head(''))).toBe(401)
  expect(await ask(head(`x-api-key: ${service.key}\r\n`))).toBe(403)
  expect(await ask(head(`x-api-key: ${key}\r\n`, 2 ** 31))).toBe(413)
  expect(await ask(head(`x-api-key: ${key}\r\n`))).toBe(100)
  // The one before hung up in the middle of its body.
  await expect
    .poll(async () => (await put(`${service.url}${FILE}`, key, 'Customer ID,Name\nC1,Ana\n')).status)
    .toBe(200)
})

test('what arrived before the server was killed is there when it is back, and the upload goes on after it @slow', async ({
  entry,
  driver,
}) => {
  test.skip(entry !== 'server', 'what is stored is the same behind either entry')
  const home = await makeHome(driver, 'stocked')
  const limits = { RATE_LIMIT_DATA_API: '1000' }
  const first = await (await launch(entry, home, limits)).ready()
  const key = await makeSender(home, 'Resuming Roofing')
  const text = `Customer ID,Name,Filler\n${Array.from({ length: 30 }, (_, i) => `C${i},Customer ${i},${FILLER}\n`).join('')}`
  const range = (from: number) => `bytes ${from}-${text.length - 1}/${text.length}`
  const socket = connect(first.port, 'localhost').on('error', () => {})
  socket.write(
    `PUT ${FILE}?upload=night HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${key}\r\ncontent-range: ${range(0)}\r\ncontent-length: ${text.length}\r\n\r\n`,
  )
  socket.write(text.slice(0, 1_000_000))
  const asking = { 'content-range': `bytes */${text.length}` }
  // Refused while the body arrives; what has arrived is stored soon after.
  const ask = async () => (await put(`${first.url}${FILE}?upload=night`, key, '', asking)).status
  await expect.poll(ask, { timeout: 60_000 }).toBe(409)
  await sleep(3_000)
  await first.end('SIGKILL')
  const again = await (await launch(entry, home, limits)).ready()
  const url = `${again.url}${FILE}?upload=night`
  const { body: asked } = await put(url, key, '', asking)
  // How much was stored by then is the machine's.
  expect(asked.received).toBeGreaterThan(0)
  expect(asked.received).toBeLessThanOrEqual(1_000_000)
  const { status, body: load } = await put(url, key, text.slice(asked.received), {
    'content-range': range(asked.received),
  })
  expect([status, load.state, load.report.files[0].added]).toEqual([200, 'done', 30])
  await again.end()
  await home.remove()
})
