import { test as base, expect } from '@playwright/test'
import { type Driver, type Entry, type Home, launch, makeHome, plumbline, type Running } from './running'

type Service = { home: Home; running: Running; url: string; key: string; contractorId: string }
type WorkerFixtures = { entry: Entry; driver: Driver; service: Service }

/**
 * One running service per worker: the entry and database of the project, with the demonstration's second contractor loaded
 * through the command line, and limits out of the way. Gone when the worker ends.
 */
export const test = base.extend<object, WorkerFixtures>({
  entry: ['server', { option: true, scope: 'worker' }],
  driver: ['pglite', { option: true, scope: 'worker' }],
  service: [
    async ({ entry, driver }, use) => {
      const home = await makeHome(driver)
      const made = plumbline(home, 'contractors', 'create', 'Lakeshore Electric', '--demo', '--json')
      const { id } = JSON.parse(made.stdout)
      plumbline(home, 'load', '--contractor', id, 'db/demo/lakeshore-electric')
      const key = plumbline(
        home,
        'keys',
        'create',
        '--contractor',
        id,
        '--name',
        'e2e',
        '--preset',
        'integration',
      ).stdout
      const running = await (await launch(entry, home, { RATE_LIMIT_DATA_API: '1000000' })).ready()
      await use({ home, running, url: running.url, key, contractorId: id })
      await running.end()
      await home.remove()
    },
    { scope: 'worker', timeout: 90_000 },
  ],
})

export { expect }

/** GET with a key, as an integration does it. */
export async function get({ url, key }: Pick<Service, 'url' | 'key'>, path: string, init: RequestInit = {}) {
  const response = await fetch(`${url}${path}`, { ...init, headers: { 'x-api-key': key, ...init.headers } })
  return { status: response.status, headers: response.headers, body: await response.json() }
}
