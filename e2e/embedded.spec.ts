import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './fixtures'
import { launch, makeHome } from './running'

test('a second process on an embedded database is refused with the name of the first; a killed one leaves no lock behind', async ({
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
  } finally {
    await first.end('SIGKILL')
    await home.remove()
  }
})
