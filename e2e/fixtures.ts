import { test as base, expect } from '@playwright/test'
import { command, type Driver, type Entry, type Home, kindOf, launch, makeHome, type Running } from './running'
import { stockOf } from './stock'

export type Service = { home: Home; running: Running; url: string; key: string; leadKey: string; contractorId: string }
type WorkerFixtures = { entry: Entry; driver: Driver; settings: Record<string, string>; service: Service }

/**
 * A running service per worker: the project's entry and database, a spec's own `settings`, with the demonstration's second contractor
 * loaded and limits too high to matter. It is removed when the worker ends.
 */
export const test = base.extend<object, WorkerFixtures>({
  entry: ['server', { option: true, scope: 'worker' }],
  driver: ['pglite', { option: true, scope: 'worker' }],
  settings: [{}, { option: true, scope: 'worker' }],
  service: [
    async ({ entry, driver, settings }, use) => {
      const home = await makeHome(driver, 'stocked')
      const { contractorId, key, leadKey } = stockOf(kindOf(driver))
      const limits = Object.fromEntries(
        ['DATA_API', 'LEADS', 'MCP', 'SIGN_IN', 'PAGES', 'OAUTH'].map((name) => [`RATE_LIMIT_${name}`, '1000000']),
      )
      const running = await (await launch(entry, home, { ...limits, ...settings })).ready()
      await use({ home, running, url: running.url, key, leadKey, contractorId })
      await running.end()
      await home.remove()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
})

export { expect }

/** Creates a key for a contractor on the command line. */
export const makeKey = (home: Home, contractor: string, preset: string): Promise<string> =>
  command(home, 'keys', 'create', '--contractor', contractor, '--name', 'e2e', '--preset', preset)

/** Creates a contractor with a key that can read and one that can send leads. Its slug is its own: others that share the home may have its name. */
export async function makeContractor(home: Home, name: string): Promise<{ id: string; key: string; leadKey: string }> {
  const slug = `made-${crypto.randomUUID().slice(0, 8)}`
  const { id } = JSON.parse(await command(home, 'contractors', 'create', name, '--slug', slug, '--json'))
  return { id, key: await makeKey(home, id, 'integration'), leadKey: await makeKey(home, id, 'lead-source') }
}

/** Sends a GET with a key, as an integration does. */
export async function get({ url, key }: Pick<Service, 'url' | 'key'>, path: string, init: RequestInit = {}) {
  const response = await fetch(`${url}${path}`, { ...init, headers: { 'x-api-key': key, ...init.headers } })
  return { status: response.status, headers: response.headers, body: await response.json() }
}
