import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './fixtures'
import { command, launch, makeHome, plumbline } from './running'
import { stockOf } from './stock'

test('a second process on an embedded database is refused with the name of the first; a killed one leaves no lock behind', async ({
  entry,
  driver,
}) => {
  const home = await makeHome(driver, 'empty')
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

test('what a killed server had acknowledged is there', async ({ entry, driver }) => {
  test.setTimeout(120_000)
  const home = await makeHome(driver, 'stocked')
  const { id } = stockOf('pglite').spare
  const folder = join(home.dataDir, 'files')
  mkdirSync(folder)
  const acknowledged: string[] = []
  for (const killedAfter of [100, 400]) {
    const running = await (await launch(entry, home)).ready()
    for (let i = 0; i < 3; i++) {
      const reference = `C${killedAfter}-${i}`
      writeFileSync(join(folder, 'customers.csv'), `Customer ID,Name\n${reference},Name\n`)
      await command(home, 'load', '--contractor', id, folder)
      acknowledged.push(reference)
    }
    const loading = command(home, 'load', '--contractor', id, 'db/demo/lakeshore-electric').catch(() => 'cut off')
    await new Promise((done) => setTimeout(done, killedAfter))
    await running.end('SIGKILL')
    await loading
  }
  writeFileSync(
    join(folder, 'customers.csv'),
    `Customer ID,Name\n${acknowledged.map((reference) => `${reference},Name`).join('\n')}\n`,
  )
  const report = JSON.parse(plumbline(home, 'load', '--contractor', id, folder, '--json').stdout)
  expect(report.files[0]).toMatchObject({
    rows: acknowledged.length,
    added: 0,
    updated: 0,
    unchanged: acknowledged.length,
  })
  await home.remove()
})
