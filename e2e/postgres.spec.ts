import { Client } from 'pg'
import { openMutedProxy } from '../db/testing-proxy'
import { expect, get, makeContractor, test } from './fixtures'
import { ANA, post, UNLIMITED } from './lead'
import { launch, makeHome } from './running'

test('killed between the write and the answer, the server finds the lead again: one project', async ({
  entry,
  driver,
}) => {
  const home = await makeHome(driver, 'empty')
  const { key, leadKey } = makeContractor(home, 'Killed')
  const proxy = await openMutedProxy(home.postgresUrl)
  const running = await (await launch(entry, home, { ...UNLIMITED, DATABASE_URL: proxy.url })).ready()
  await post(running.url, leadKey, { ...ANA, externalId: 'warm' })
  proxy.mute()
  const answer = post(running.url, leadKey, { ...ANA, externalId: 'torn' }).catch(() => 'none')
  const watcher = new Client({ connectionString: home.postgresUrl })
  await watcher.connect()
  const torn = async () =>
    (await watcher.query("select project_id from leads where external_id = 'torn'")).rows[0]?.project_id
  await expect.poll(torn, { timeout: 2_000, intervals: [10] }).toBeTruthy()
  const projectId = await torn()
  await watcher.end()
  await running.end('SIGKILL')
  expect(await answer).toBe('none')
  proxy.close()
  const next = await (await launch(entry, home, UNLIMITED)).ready()
  const again = await post(next.url, leadKey, { ...ANA, externalId: 'torn' })
  expect([again.status, again.body.projectId]).toEqual([200, projectId])
  expect((await get({ url: next.url, key }, '/api/v1/projects')).body.items).toHaveLength(2)
  await next.end()
  await home.remove()
})
