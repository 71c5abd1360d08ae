import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { create, dialog, makeContractor, openKey, openKeys, reloadUntil, statusWith } from './keys'
import { expectWellMade } from './look'
import { command } from './running'
import { settled } from './settled'

/** Opens the key of the test, and presses one of its buttons. */
async function ofSync(page: Page, button: string): Promise<void> {
  await openKey(page, 'Accounting sync')
  await page
    .getByRole('button', { name: `${button} Accounting sync` })
    .first()
    .click()
}

const PAGES = ['list', 'key']

/** The scenes that can be open on the page, and how to open them. */
const SCENES: [name: string, open: (page: Page) => Promise<void>][] = [
  ['list', async (page) => page.getByText(/^Ended keys \(/).click()],
  ['create', async (page) => page.getByRole('button', { name: 'Create key' }).click()],
  [
    'create-own-choice',
    async (page) => {
      await page.getByRole('button', { name: 'Create key' }).click()
      await page.getByRole('radio', { name: /^Custom/ }).check()
      await page.getByLabel('Name').fill('Own choice')
      await page.getByRole('button', { name: 'Next: limits' }).click()
      await page.getByLabel('Expires after').selectOption('Never')
      await expect(page.getByRole('dialog').getByRole('alert')).toContainText('This key never expires')
    },
  ],
  [
    'made',
    async (page) => {
      await page.getByRole('button', { name: 'Create key' }).click()
      await page.getByLabel('Name').fill('Website form')
      await page.getByRole('radio', { name: /^Lead source/ }).check()
      await create(page)
      await expect(page.getByLabel('API key', { exact: true })).toBeFocused()
    },
  ],
  ['key', async (page) => openKey(page, 'Accounting sync')],
  ['rotate', async (page) => ofSync(page, 'Rotate')],
  ['change', async (page) => ofSync(page, 'Edit')],
  ['revoke', async (page) => ofSync(page, 'Revoke')],
]

test('/keys: list and every dialog fit, and axe finds nothing @slow', async ({ browser, service }, info) => {
  test.slow()
  const { id } = await makeContractor(service)
  const keys = (...args: string[]) => command(service.home, 'keys', ...args)
  const make = async (...more: string[]) => JSON.parse(await keys('create', '--contractor', id, '--json', ...more))
  const sync = await make(
    ...['--name', 'Accounting sync', '--preset', 'integration', '--expires', '365d', '--per-minute', '120'],
  )
  await keys('rotate', sync.id, '--overlap', '3d')
  await statusWith(service, sync.key)
  const addresses = '203.0.113.0/24,2001:db8:85a3::8a2e:370:7334'
  await make('--name', 'Office assistant', '--preset', 'agent', '--allow', addresses)
  await keys('revoke', (await make('--name', 'Old import', '--scopes', 'read:payments')).id)
  const { page, faults, close } = await openKeys(browser, service, id)
  await openKey(page, 'Accounting sync')
  await reloadUntil(page, () => page.getByText('Still used since the rotation, from:'))
  for (const [name, open] of SCENES) {
    await page.goto(`${service.url}/keys`)
    await settled(page)
    await open(page)
    if (!PAGES.includes(name)) await expect(dialog(page)).toBeVisible()
    const shot = (look: string) => info.outputPath(`keys-${name}-${look}`)
    await expectWellMade(page, shot, { fullPage: PAGES.includes(name) })
  }
  expect(faults).toEqual([])
  await close()
})
