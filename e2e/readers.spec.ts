import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { expect, get, test } from './fixtures'

const CHUNKS = '.next/static/chunks'

/** The largest file of the build, as it is asked for. */
const largest = () => {
  const [name = ''] = readdirSync(CHUNKS)
    .filter((file) => file.endsWith('.js'))
    .sort((a, b) => statSync(`${CHUNKS}/${b}`).size - statSync(`${CHUNKS}/${a}`).size)
  return { path: `/_next/static/chunks/${name}`, file: `${CHUNKS}/${name}` }
}

/** Counts the sockets that a process has open. */
const socketsOf = (pid = 0) =>
  readdirSync(`/proc/${pid}/fd`).filter((name) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${name}`).startsWith('socket:')
    } catch {
      // It was closed in the meantime.
      return false
    }
  }).length

const READERS = 2_000
/** The requests that together exceed the buffers of both systems. */
const REQUESTS_EACH = 20
/** Sockets that a server may open for itself meanwhile. */
const FEW = 20

test('2,000 readers that take nothing, of files, pages and documents: none stays, and others are answered meanwhile @slow', async ({
  service,
}) => {
  test.setTimeout(400_000)
  const { port, process: server } = service.running
  const { path } = largest()
  const list = async () => (await get(service, '/api/v1/invoices?limit=5')).status
  expect(await list()).toBe(200)
  const before = socketsOf(server.pid)
  const open = () => socketsOf(server.pid) - before
  const paths = [path, '/developers/guides', '/mcp/openapi.json', '/api/v1/openapi']
  const sockets = Array.from({ length: READERS }, (_, i): Socket => {
    // From an address of their own. Nothing listens for data, so that only a first part is read.
    const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' }).on('error', () => {})
    socket.write(`GET ${paths[i % paths.length]} HTTP/1.1\r\nhost: localhost\r\n\r\n`.repeat(REQUESTS_EACH))
    return socket
  })
  await expect.poll(open, { timeout: 60_000 }).toBeGreaterThan(FEW)
  for (let i = 0; i < 10; i++) expect(await list()).toBe(200)
  expect((await fetch(`${service.url}/sign-in`)).status).toBe(200)
  // Those that were refused are closed; the answers of the others wait a minute for somebody who takes them.
  await expect.poll(open, { timeout: 180_000, intervals: [1_000] }).toBeLessThan(FEW)
  expect(await list()).toBe(200)
  for (const socket of sockets) socket.destroy()
})

async function fetchAll(url: string) {
  const answer = await fetch(url, { headers: { 'accept-encoding': 'gzip' } })
  const body = Buffer.from(await answer.arrayBuffer())
  return { status: answer.status, headers: answer.headers, body }
}

test('45 requests a second for the largest file: each gets the bytes of the build, and the API answers', async ({
  service,
}) => {
  test.setTimeout(120_000)
  const { path, file } = largest()
  const whole = readFileSync(file)
  const compressed = statSync(`${file}.gz`).size
  expect(compressed).toBeLessThan(whole.length / 2)
  const ask = async () => {
    const { status, headers, ...answer } = await fetchAll(service.url + path)
    return {
      status,
      coding: headers.get('content-encoding'),
      length: headers.get('content-length'),
      isWhole: whole.equals(answer.body),
    }
  }
  const asked: ReturnType<typeof ask>[] = []
  const flood = setInterval(() => asked.push(ask()), 1_000 / 45)
  const statuses: number[] = []
  const times: number[] = []
  for (const end = Date.now() + 6_000; Date.now() < end; ) {
    const began = performance.now()
    statuses.push((await get(service, '/api/v1/invoices?limit=50')).status)
    times.push(performance.now() - began)
  }
  clearInterval(flood)
  times.sort((a, b) => a - b)
  test.info().annotations.push({
    type: 'measured',
    description: `${asked.length} files and ${times.length} lists; the API's p90 was ${Math.round(times[Math.floor(times.length * 0.9)] ?? 0)} ms`,
  })
  expect(new Set(statuses)).toEqual(new Set([200]))
  const expected = { status: 200, coding: 'gzip', length: String(compressed), isWhole: true }
  for (const answer of await Promise.all(asked)) expect(answer).toEqual(expected)
  expect(asked.length).toBeGreaterThan(10)
})
