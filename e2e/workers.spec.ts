import { spawnSync } from 'node:child_process'
import { parseMetrics, sumOf } from '../lib/testing/prometheus'
import { expect, get, test } from './fixtures'
import { UNLIMITED } from './lead'
import { beginLead, takesConnections } from './raw'
import { launch, makeHome, type Running } from './running'
import { stockOf } from './stock'

test.setTimeout(180_000)
// Each starts servers of its own, so they need not wait for each other.
test.describe.configure({ mode: 'parallel' })

const TOKEN = 'a-token-for-these-tests'
const TWO = { WEB_CONCURRENCY: '2', LIMITS_PER_WORKER: 'true', METRICS_TOKEN: TOKEN, ...UNLIMITED }

const workersOf = ({ process }: Running): number[] =>
  spawnSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((line) => line.endsWith('server.mjs'))
    .map((line) => Number.parseInt(line, 10))

async function started(running: Running): Promise<Running> {
  await expect.poll(() => running.output, { timeout: 60_000 }).toContain('Plumbline answers at')
  return running
}

const scrape = async ({ url }: Running) =>
  parseMetrics(await (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })).text())

test('several workers are refused where one process must be alone, with what to do', async () => {
  const home = await makeHome('pglite')
  const embedded = await launch('server', home, TWO)
  await expect.poll(() => embedded.process.exitCode, { timeout: 60_000 }).toBe(1)
  expect(embedded.output).toContain('Set DATABASE_URL to a Postgres')
  await home.remove()
  const other = await makeHome('pg')
  const inexact = await launch('server', other, { ...TWO, LIMITS_PER_WORKER: 'false' })
  await expect.poll(() => inexact.process.exitCode, { timeout: 60_000 }).toBe(1)
  expect(inexact.output).toContain('LIMITS_PER_WORKER=true')
  await other.remove()
})

test('a port that is taken ends all, told once', async ({ service }) => {
  const home = await makeHome('pg', 'stocked')
  const busy = await launch('server', home, { ...TWO, PORT: String(service.running.port) })
  await expect.poll(() => busy.process.exitCode, { timeout: 40_000 }).toBe(1)
  expect(busy.output.split(`Port ${service.running.port} is in use`)).toHaveLength(2)
  await home.remove()
})

test('two workers answer on one port, are scraped together, and one that is killed comes back', async () => {
  const home = await makeHome('pg', 'stocked')
  const { key } = stockOf('pg').spare
  const running = await started(await launch('server', home, TWO))
  try {
    const statuses = await Promise.all(
      Array.from({ length: 40 }, () => get({ url: running.url, key }, '/api/v1/invoices')),
    )
    expect(statuses.every(({ status }) => status === 200)).toBe(true)
    const seen = await scrape(running)
    const counted = (worker: string) => sumOf(seen, 'plumbline_requests_total', { operation: 'list_invoices', worker })
    expect(counted('1') + counted('2')).toBe(40)
    for (const worker of ['1', '2']) expect(counted(worker), worker).toBeGreaterThan(0)

    const before = workersOf(running)
    expect(before).toHaveLength(2)
    process.kill(before[0] ?? 0, 'SIGKILL')
    await expect.poll(() => running.output, { timeout: 10_000 }).toContain('a worker ended; another is started')
    // The other worker keeps answering.
    expect((await get({ url: running.url, key }, '/api/v1/invoices')).status).toBe(200)
    const labels = async () => new Set((await scrape(running)).map((one) => one.labels.worker))
    await expect.poll(labels, { timeout: 40_000 }).toEqual(new Set(['1', '2']))
    expect(workersOf(running).filter((pid) => before.includes(pid))).toHaveLength(1)
  } finally {
    expect(await running.end()).toBe(0)
    await home.remove()
  }
})

test('told to stop, all workers end what they have begun; the exit code is 0, also when a terminal tells everyone @slow', async () => {
  const home = await makeHome('pg', 'stocked')
  const { leadKey } = stockOf('pg').spare
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const running = await started(await launch('server', home, TWO))
    const finish = await Promise.all([1, 2, 3, 4].map((n) => beginLead(running.port, leadKey, `${signal}-${n}`)))
    const workers = workersOf(running)
    expect(workers).toHaveLength(2)
    const code = running.end(signal)
    if (signal === 'SIGINT') for (const pid of workers) process.kill(pid, signal)
    await expect.poll(() => takesConnections(running.port), { timeout: 7_000 }).toBe(false)
    expect(await Promise.all(finish.map((end) => end()))).toEqual(Array(4).fill('HTTP/1.1 201 Created'))
    expect(await code).toBe(0)
    expect(workers.filter((pid) => isAlive(pid))).toEqual([])
  }
  await home.remove()
})

test('a second signal ends all at once @slow', async () => {
  const home = await makeHome('pg', 'stocked')
  const { leadKey } = stockOf('pg').spare
  const running = await started(await launch('server', home, TWO))
  await beginLead(running.port, leadKey, 'never')
  const workers = workersOf(running)
  const code = running.end('SIGTERM')
  await expect.poll(() => takesConnections(running.port), { timeout: 7_000 }).toBe(false)
  // A second signal that arrives right away is the same one, forwarded.
  await new Promise((done) => setTimeout(done, 1_000))
  running.process.kill('SIGTERM')
  expect(await code).toBe(1)
  expect(workers.filter((pid) => isAlive(pid))).toEqual([])
  await home.remove()
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
