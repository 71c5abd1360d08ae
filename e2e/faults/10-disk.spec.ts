import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { SmallDisk } from '../../lib/testing/small-disk'
import { get, makeContractor } from '../fixtures'
import { ANA, post, UNLIMITED } from '../lead'
import { type Entry, type Home, launch, makeHome, type Running } from '../running'
import { msUntil, report } from './own-postgres'
import { needsSmallDisk } from './small-disk'

const LEADS = 40
/** An incompressible text, so that each lead needs disk space. */
const NOTES = randomBytes(4_500).toString('hex')

const healthOf = async ({ url }: Running) => (await fetch(`${url}/health`)).json()

for (const entry of ['server', 'next'] as const)
  test(`${entry}: a disk that is full refuses writes in JSON, reads go on, nothing that was acknowledged is lost`, async () => {
    needsSmallDisk()
    const disk = new SmallDisk(256)
    const made = await makeHome('pglite')
    const home = { ...made, env: { ...made.env, PLUMBLINE_DATA_DIR: join(disk.directory, 'data') } }
    try {
      await fill(entry, home, disk)
    } finally {
      await made.remove()
      disk.remove()
    }
  })

async function fill(entry: Entry, home: Home, disk: SmallDisk): Promise<void> {
  const { key, leadKey } = await makeContractor(home, 'Full')
  const first = await (await launch(entry, home, UNLIMITED)).ready()
  const send = (running: Running, i: number) =>
    post(running.url, leadKey, { ...ANA, notes: NOTES, externalId: `disk-${i}` })
  const projects = async (running: Running) => {
    const ids = new Set<string>()
    for (let token = ''; ; ) {
      const { status, body } = await get({ url: running.url, key }, `/api/v1/projects?limit=100${token}`)
      expect(status).toBe(200)
      for (const { id } of body.items) ids.add(id)
      if (!body.nextPageToken) return ids
      token = `&pageToken=${body.nextPageToken}`
    }
  }
  const acknowledged: string[] = []
  let refusals = 0
  let odd = 0
  let running = first
  try {
    for (let i = 0; i < LEADS; i++) {
      const { status, body } = await send(running, i)
      expect(status).toBe(201)
      acknowledged.push(body.projectId)
    }
    disk.fill()
    for (let i = LEADS; i < 3 * LEADS; i++) {
      const { status, body, headers } = await send(running, i)
      if (status === 201) acknowledged.push(body.projectId)
      else if (status >= 500 && body.error && headers.get('content-type')?.includes('json')) refusals++
      else odd++
    }
    const said = await healthOf(running)
    const readable = (await projects(running)).size
    disk.makeRoom()
    const backMs = await msUntil(async () => (await send(running, 3 * LEADS)).status < 300)
    const healthyMs = await msUntil(async () => (await healthOf(running)).status === 'healthy')
    await running.end('SIGKILL')
    disk.fill()
    const full = await launch(entry, home, UNLIMITED)
    await expect.poll(() => full.output, { timeout: 60_000 }).toContain('is full')
    await full.end('SIGKILL')
    disk.makeRoom()
    running = await (await launch(entry, home, UNLIMITED)).ready()
    const there = await projects(running)
    report(10, `disk full (${entry})`, [
      { what: 'refused with 5xx in JSON, at least one', value: Math.min(1, refusals), exactly: 1 },
      { what: 'other answers', value: odd, exactly: 0 },
      { what: '/health says so', value: Number(said.checks.disk.status === 'full'), exactly: 1 },
      { what: 'acknowledged and not readable', value: Math.max(0, acknowledged.length - readable), exactly: 0 },
      { what: 'takes leads again after', value: backMs, unit: 'ms', bound: 5_000 },
      { what: 'healthy again after', value: healthyMs, unit: 'ms', bound: 5_000 },
      { what: 'lost after a restart', value: acknowledged.filter((id) => !there.has(id)).length, exactly: 0 },
    ])
  } finally {
    await running.end('SIGKILL')
  }
}
