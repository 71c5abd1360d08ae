import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { answersOf, REQUESTS } from './contract'
import { type Packaged, packaged } from './platform/build'
import { Platform } from './platform/router'
import { freePort, launch, makeHome } from './running'

/** Settings that a deployment has; the one-machine server is given the same. */
const SETTINGS = { PUBLIC_URL: 'https://plumbline.example', CRON_SECRET: 'a-secret-for-the-scheduler' }
/** The variables that the platform sets. */
const PLATFORM = { VERCEL: '1', VERCEL_ENV: 'production' }

/** The requests that a deployment answers differently from the one-machine server, with the reason. */
const DIFFERS: Record<string, string> = {
  'a method that is none of ours': 'Next answers TRACE with 500 before any code of ours runs',
  'a path for the router': 'the platform leads what asks for a page’s data by itself',
}

let made: Packaged
test.beforeAll(async () => {
  test.setTimeout(1_800_000)
  made = await packaged()
})
test.afterAll(() => made?.remove())

test('the packaged functions answer as the one-machine server does, from folders that nobody can write to', async () => {
  test.setTimeout(600_000)
  for (const folder of new Set(made.functions.values()))
    expect(() => writeFileSync(join(folder, 'written'), ''), folder).toThrow(/EROFS|EACCES/)
  const server = await answersOf(async (home, limits) =>
    (await launch('server', home, { ...limits, ...SETTINGS })).ready(),
  )
  const deployed = await answersOf(async (home, limits) => {
    const platform = new Platform(made, { ...home.env, ...limits, ...SETTINGS, ...PLATFORM })
    const port = await freePort()
    await platform.listen(port)
    return { port, end: () => platform.end() }
  })
  for (const title of Object.keys(REQUESTS)) {
    const isSame = expect.soft(deployed[title], title)
    if (DIFFERS[title]) isSame.not.toEqual(server[title])
    else isSame.toEqual(server[title])
  }
})

test('every path that a scheduler calls is deployed, and does its work', async () => {
  test.setTimeout(300_000)
  const home = await makeHome('pg', 'stocked')
  const platform = new Platform(made, { ...home.env, ...SETTINGS, ...PLATFORM })
  const paths = made.config.crons.map(({ path }) => path)
  expect(paths.length).toBeGreaterThan(2)
  const headers = { host: 'plumbline.example', authorization: `Bearer ${SETTINGS.CRON_SECRET}` }
  for (const path of paths) {
    const { status, body } = await platform.answer({ method: 'GET', path, headers, body: Buffer.alloc(0) })
    expect.soft([path, status], String(body)).toEqual([path, 200])
  }
  platform.end()
  await home.remove()
})
