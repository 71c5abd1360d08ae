import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, get, test } from './fixtures'
import { ANA, post } from './lead'
import { NEWER_NODE } from './newer-node'
import { command, kindOf, launch, makeHome, plumbline } from './running'
import { stockOf } from './stock'

// Each starts servers of its own, so they need not wait for each other.
test.describe.configure({ mode: 'parallel' })

test('what cannot be started says why, and ends with a code', async ({ driver, service }) => {
  const home = await makeHome(driver, 'stocked')
  const busy = await launch('server', home, { PORT: String(service.running.port) })
  await expect.poll(() => busy.process.exitCode, { timeout: 60_000 }).toBe(1)
  expect(busy.output).toContain(`Port ${service.running.port} is in use`)
  const bad = await launch('server', home, { RATE_LIMIT_LEADS: 'many', TRUSTED_PROXY_HOPS: '-1', PORT: '70000' })
  await expect.poll(() => bad.process.exitCode, { timeout: 60_000 }).toBe(1)
  for (const name of ['RATE_LIMIT_LEADS', 'TRUSTED_PROXY_HOPS', 'PORT']) expect(bad.output).toContain(name)
  const underNext = await launch('next', home, { RATE_LIMIT_LEADS: 'many' })
  await expect.poll(() => underNext.process.exitCode, { timeout: 60_000 }).toBe(1)
  expect(underNext.output).toContain('RATE_LIMIT_LEADS: must be a number')
  await home.remove()
})

// The tests otherwise run on the oldest supported Node.
for (const entry of ['server', 'next'] as const)
  test(`the same on Node 24, ${entry}: ready, a list, a lead, a page, a clean end @slow`, async ({ driver }) => {
    const version = spawnSync(NEWER_NODE, ['--version'], { encoding: 'utf8' }).stdout
    expect(version).toMatch(/^v24\./)
    const home = await makeHome(driver, 'stocked')
    const { key, leadKey } = stockOf(kindOf(driver))
    // Its first requests come before the start is over.
    const running = await (await launch(entry, home, {}, [], NEWER_NODE)).ready()
    expect((await get({ url: running.url, key }, '/api/v1/invoices?limit=2')).body.items).toHaveLength(2)
    expect((await post(running.url, leadKey, { ...ANA, externalId: 'node-24' })).status).toBe(201)
    expect((await fetch(`${running.url}/sign-in`)).status).toBe(200)
    // Next says by which signal it ended.
    expect(await running.end()).toBe(entry === 'server' ? 0 : 143)
    await home.remove()
  })

/**
 * Returns what other users may read of a directory, itself and all below. The embedded database gives its files modes of its own, in a
 * closed folder.
 */
const openToOthers = (directory: string): string[] =>
  ['.', ...readdirSync(directory, { recursive: true, encoding: 'utf8' })]
    .filter((name) => !name.startsWith('pg/'))
    .filter((name) => (statSync(join(directory, name)).mode & 0o077) !== 0)

test('files are for their user only, whatever umask a program is started with; an open data directory is closed or refused @slow', async () => {
  test.setTimeout(240_000)
  // Programs inherit it: new files would be for everybody.
  const before = process.umask(0)
  try {
    for (const entry of ['server', 'next'] as const) {
      const home = await makeHome('pglite')
      chmodSync(home.dataDir, 0o755)
      const running = await (await launch(entry, home)).ready()
      await command(home, 'contractors', 'create', 'Cumberland Roofing')
      await running.end()
      expect(openToOthers(home.dataDir), entry).toEqual([])
      expect(plumbline(home, 'backup', join(home.dataDir, 'one.backup')).status).toBe(0)
      expect(openToOthers(home.dataDir), entry).toEqual([])
      await home.remove()
    }
    const home = await makeHome('pglite')
    chmodSync(home.dataDir, 0o777)
    expect(plumbline(home, 'contractors', 'create', 'Cumberland Roofing').status).toBe(0)
    expect(openToOthers(home.dataDir)).toEqual([])

    const mixed = join(home.dataDir, 'mixed')
    mkdirSync(mixed)
    writeFileSync(join(mixed, 'notes.txt'), '')
    const inMixed = { ...home, env: { ...home.env, PLUMBLINE_DATA_DIR: mixed } }
    const words = `Other users of this machine may read the data directory ${mixed}`
    const refused = plumbline(inMixed, 'contractors', 'create', 'Cumberland Roofing')
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining(words)])
    for (const args of [[], ['--demo']]) {
      const server = await launch('server', inMixed, {}, args)
      await expect.poll(() => server.process.exitCode, { timeout: 60_000 }).toBe(1)
      expect(server.output).toContain(words)
    }
    expect(statSync(mixed).mode & 0o777).toBe(0o777)
    await home.remove()
  } finally {
    process.umask(before)
  }
})

test('told to stop, the server ends what it has begun and exits with 0', async ({ entry, driver }) => {
  const home = await makeHome(driver, 'stocked')
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const running = await (await launch(entry, home)).ready()
    const inFlight = Promise.all(
      Array.from({ length: 50 }, () => fetch(`${running.url}/health`).then(({ status }) => status)),
    )
    await new Promise((done) => setTimeout(done, 5))
    const code = running.end(signal)
    const statuses = await inFlight.catch(() => [])
    expect(await code).toBe(0)
    for (const status of statuses) expect(status).toBe(200)
  }
  await home.remove()
})
