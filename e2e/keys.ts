import { createServer, request } from 'node:http'
import type { Browser, Locator, Page } from '@playwright/test'
import { listenOnFreePort } from '../lib/core/listen'
import { expect, type Service } from './fixtures'
import { openTab } from './look'
import { makePerson, openAs, type Role } from './people'
import { command } from './running'
import { settled } from './settled'

/**
 * Starts a proxy for clients that cannot send a key: it passes everything on unchanged and adds the key. Where the client names the
 * proxy as host or origin, the proxy substitutes the server's; other names are left for the server to check.
 */
export async function openKeyProxy(upstream: string, key: string) {
  const { hostname, port, host } = new URL(upstream)
  let own = ''
  const proxy = createServer((incoming, outgoing) => {
    const headers: NodeJS.Dict<string | string[]> = { ...incoming.headers, 'x-api-key': key }
    if (headers.host === own) headers.host = host
    if (headers.origin === `http://${own}`) headers.origin = `http://${host}`
    const passed = request({ hostname, port, path: incoming.url, method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    passed.on('error', () => outgoing.destroy())
    // A client that goes away ends what was passed on for it, such as a stream.
    outgoing.on('close', () => passed.destroy())
    incoming.pipe(passed)
  })
  own = `localhost:${await listenOnFreePort(proxy, 'localhost')}`
  const close = () => {
    proxy.closeAllConnections()
    proxy.close()
  }
  return { url: `http://${own}`, close }
}

let made = 0

/** Creates a contractor for one test, so that tests in one service do not affect each other. */
export async function makeContractor({ home }: Service): Promise<{ id: string; name: string }> {
  const name = `Keyed ${Date.now()} ${++made}`
  return { id: JSON.parse(await command(home, 'contractors', 'create', name, '--json')).id, name }
}

/** Opens a tab with a contractor's keys, as one of its members sees them. */
export async function openKeys(browser: Browser, service: Service, contractorId: string, role: Role = 'admin') {
  const tab = await openTab(browser, { viewport: { width: 1280, height: 900 } })
  await tab.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openAs(tab.page, await makePerson(service, contractorId, role), `${service.url}/keys`)
  return tab
}

/** Returns what was last copied. */
export const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

/** Returns the status of a first call with a key. */
export const statusWith = async ({ url }: Service, key: string) =>
  (await fetch(`${url}/api/v1/customers?limit=1`, { headers: { 'x-api-key': key } })).status

/** Returns a contractor's keys as stored. */
export const keysOf = async ({ home }: Service, contractorId: string) =>
  JSON.parse(await command(home, 'keys', 'list', '--contractor', contractorId, '--json'))

/** Locates the open dialog. */
export const dialog = (page: Page) => page.getByRole('dialog')

/** Locates a key on its own page by its name. */
export const card = (page: Page, name: string) => page.getByRole('region', { name })

/** Opens a key's own page from the list. */
export async function openKey(page: Page, name: string): Promise<void> {
  await page.getByRole('table', { name: 'Keys in use' }).getByRole('link', { name, exact: true }).click()
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
  await settled(page)
}

/** Goes through the two steps of a new key whose purpose is chosen. */
export async function create(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Next: limits' }).click()
  await page.getByRole('button', { name: 'Create key' }).last().click()
}

/** Reloads the page until it shows the log entry, which is written after the response. */
export async function reloadUntil(page: Page, shows: () => Locator): Promise<void> {
  await expect(async () => {
    await page.reload()
    await expect(shows()).toBeVisible({ timeout: 5_000 })
  }).toPass({ timeout: 60_000 })
  await settled(page)
}

/** Presses Tab until an element has focus. */
export async function tabTo(page: Page, element: Locator): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    if (await element.evaluate((node) => node === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`the Tab key never came to ${element}`)
}

/** Tabs to an element and presses a key there. */
export async function press(page: Page, element: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, element)
  await page.keyboard.press(key)
}
