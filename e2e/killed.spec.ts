import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, get, makeContractor, test } from './fixtures'
import { ANA, post, UNLIMITED } from './lead'
import { command, launch, makeHome } from './running'
import { stockOf } from './stock'

// The embedded database is written by the process that is killed, whichever entry it is. Over Postgres: postgres.spec.ts.
test('killed while leads and files come in, the server has what was acknowledged; a lead sent again is one project @slow', async ({
  entry,
}) => {
  test.setTimeout(240_000)
  const home = await makeHome('pglite', 'stocked')
  const { id } = stockOf('pglite').spare
  const folder = join(home.dataDir, 'files')
  mkdirSync(folder)
  /** Loads the folder. After a kill the server first takes back what the cut-off load left, and says that a load is running. */
  const load = async (): Promise<string> => {
    for (;;)
      try {
        return await command(home, 'load', '--contractor', id, folder, '--json')
      } catch (error) {
        if (!/Another load is running/.test(String(error))) throw error
        await sleep(50)
      }
  }
  const loaded: string[] = []
  const leads = new Set<string>()
  let sender = { id: '', key: '', leadKey: '' }
  const lead = (wait: number, i: number) => ({ ...ANA, externalId: `torn-${wait}-${i}` })
  /** The times when the process is killed: how long after a load began, and how long after twenty leads were sent. */
  const KILLED = [
    { load: 100, leads: 0 },
    { load: 400, leads: 8 },
  ]
  for (const after of KILLED) {
    const running = await (await launch(entry, home, UNLIMITED)).ready()
    if (sender.id === '') sender = await makeContractor(home, 'Torn Roofing')
    await post(running.url, sender.leadKey, { ...ANA, externalId: 'warm' })
    for (let i = 0; i < 3; i++) {
      const reference = `C${after.load}-${i}`
      writeFileSync(join(folder, 'customers.csv'), `Customer ID,Name\n${reference},Name\n`)
      await load()
      loaded.push(reference)
    }
    const loading = command(home, 'load', '--contractor', id, 'db/demo/lakeshore-electric').catch(() => 'cut off')
    await sleep(after.load)
    const sent = Array.from({ length: 20 }, (_, i) =>
      post(running.url, sender.leadKey, lead(after.leads, i)).then(
        ({ body }) => leads.add(body.projectId),
        () => {},
      ),
    )
    await sleep(after.leads)
    await running.end('SIGKILL')
    await Promise.all([loading, ...sent])
  }
  const running = await (await launch(entry, home, UNLIMITED)).ready()
  const rows = loaded.map((reference) => `${reference},Name`).join('\n')
  writeFileSync(join(folder, 'customers.csv'), `Customer ID,Name\n${rows}\n`)
  const report = JSON.parse(await load())
  const { length } = loaded
  expect(report.files[0]).toMatchObject({ rows: length, added: 0, updated: 0, unchanged: length })
  for (const after of KILLED)
    for (let i = 0; i < 20; i++)
      expect([200, 201]).toContain((await post(running.url, sender.leadKey, lead(after.leads, i))).status)
  const { body } = await get({ url: running.url, key: sender.key }, '/api/v1/projects?limit=100')
  expect(body.items).toHaveLength(41)
  const ids = body.items.map((item: { id: string }) => item.id)
  for (const made of leads) expect(ids).toContain(made)
  await running.end()
  await home.remove()
})
