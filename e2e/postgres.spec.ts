import { rmSync } from 'node:fs'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import { Client } from 'pg'
import { openMutedProxy } from '../lib/testing/pooler'
import { expect, get, test } from './fixtures'
import { laterMigrations } from './later-migrations'
import { ANA, post, UNLIMITED } from './lead'
import { launch, makeHome } from './running'
import { stockOf } from './stock'

test('killed between the write and the answer, the server finds the lead again: one project', async ({
  entry,
  driver,
}) => {
  const home = await makeHome(driver, 'stocked')
  const { key, leadKey } = stockOf('pg').spare
  const proxy = await openMutedProxy(home.postgresUrl)
  const running = await (await launch(entry, home, { ...UNLIMITED, DATABASE_URL: proxy.url })).ready()
  const warm = () => post(running.url, leadKey, { ...ANA, externalId: 'warm' })
  await warm()
  // What follows finds a connection open, whatever the process does beside it, and the key known: neither gets an answer when muted.
  await Promise.all(Array.from({ length: 20 }, () => get({ url: running.url, key }, '/api/v1/projects')))
  await warm()
  proxy.mute()
  const answer = post(running.url, leadKey, { ...ANA, externalId: 'torn' }).then(
    ({ status }) => status,
    () => 'none',
  )
  const watcher = new Client({ connectionString: home.postgresUrl })
  await watcher.connect()
  const torn = async () =>
    (await watcher.query("select project_id from leads where external_id = 'torn'")).rows[0]?.project_id
  await expect.poll(torn, { intervals: [10] }).toBeTruthy()
  const projectId = await torn()
  await watcher.end()
  await running.end('SIGKILL')
  // On a busy machine the server may have given the database up before it was killed.
  expect(['none', 500]).toContain(await answer)
  proxy.close()
  const next = await (await launch(entry, home, UNLIMITED)).ready()
  const again = await post(next.url, leadKey, { ...ANA, externalId: 'torn' })
  expect([again.status, again.body.projectId]).toEqual([200, projectId])
  expect((await get({ url: next.url, key }, '/api/v1/projects')).body.items).toHaveLength(2)
  await next.end()
  await home.remove()
})

test('a later version migrates while this one serves: no request fails, and this one starts on what it left', async ({
  entry,
  driver,
}) => {
  const home = await makeHome(driver, 'stocked')
  const { id, key, leadKey } = stockOf('pg').spare
  const running = await (await launch(entry, home, UNLIMITED)).ready()
  const statuses: number[] = []
  let goesOn = true
  const asking = (async () => {
    for (let i = 0; goesOn; i++) {
      statuses.push((await post(running.url, leadKey, { ...ANA, externalId: `l${i}` })).status)
      statuses.push((await get({ url: running.url, key }, '/api/v1/projects?limit=5')).status)
    }
  })()
  await expect.poll(() => statuses.length).toBeGreaterThan(20)
  const folder = laterMigrations()
  const client = new Client({ connectionString: home.postgresUrl })
  await client.connect()
  await migrate(drizzle(client), { migrationsFolder: folder })
  const before = statuses.length
  await expect.poll(() => statuses.length).toBeGreaterThan(before + 20)
  goesOn = false
  await asking
  expect(statuses.filter((status) => status !== 200 && status !== 201)).toEqual([])
  const added = 'select count(*)::int as n from projects where contractor_id = $1 and later_note is null'
  const { rows } = await client.query(added, [id])
  expect(rows[0].n).toBe(statuses.filter((status) => status === 201).length)
  await client.end()
  await running.end()
  const again = await (await launch(entry, home, UNLIMITED)).ready()
  expect((await get({ url: again.url, key }, '/api/v1/projects?limit=5')).status).toBe(200)
  await again.end()
  rmSync(folder, { recursive: true })
  await home.remove()
})
