import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './fixtures'
import { launch, makeHome } from './running'

/** The state that Postgres notes of itself, behind an identifier and two versions: 1 after a clean end, so that a start does not recover. */
const stateOf = (dataDir: string) => readFileSync(join(dataDir, 'pg/global/pg_control')).readInt32LE(16)
const SHUT_DOWN = 1

test('a second process on an embedded database is refused with the name of the first; a killed one leaves no lock behind, a stopped one a database at rest @slow', async ({
  entry,
  driver,
}) => {
  const home = await makeHome(driver, 'stocked')
  const first = await (await launch(entry, home)).ready()
  try {
    await expect.poll(() => existsSync(join(home.dataDir, 'lock.json'))).toBe(true)
    const second = await launch('server', home)
    await expect.poll(() => second.process.exitCode, { timeout: 60_000 }).toBe(1)
    expect(second.output).toContain(`in use by process ${first.process.pid}`)
    await first.end('SIGKILL')
    const third = await (await launch(entry, home)).ready()
    expect(JSON.parse(readFileSync(join(home.dataDir, 'lock.json'), 'utf8')).pid).toBe(third.process.pid)
    await third.end()
    expect(existsSync(join(home.dataDir, 'lock.json'))).toBe(false)
    expect(stateOf(home.dataDir)).toBe(SHUT_DOWN)
  } finally {
    await first.end('SIGKILL')
    await home.remove()
  }
})
