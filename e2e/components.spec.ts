import type { Browser } from '@playwright/test'
import { type BuildResult, build } from 'esbuild'
import { expect, test } from './fixtures'
import { crowdedNames, expectWellMade, openTab } from './look'

let bundle: BuildResult<{ write: false }>

test.beforeAll(async () => {
  bundle = await build({
    entryPoints: ['e2e/components/harness.tsx'],
    bundle: true,
    write: false,
    outdir: 'harness',
    format: 'iife',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
  })
})

/** The components in the place of a page's content, with that page's style sheet. They are no page of the service. */
async function openComponents(browser: Browser, url: string, options: Parameters<typeof openTab>[1] = {}) {
  const tab = await openTab(browser, { bypassCSP: true, ...options })
  // Without its scripts the page cannot put its own content back.
  await tab.page.route('**/_next/static/**/*.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: '' }),
  )
  await tab.page.goto(url)
  await tab.page.evaluate(() => document.getElementById('content')?.replaceChildren())
  for (const { path, text } of bundle.outputFiles) {
    if (path.endsWith('.css')) await tab.page.addStyleTag({ content: text })
    else await tab.page.addScriptTag({ content: text })
  }
  await expect(tab.page.getByRole('heading', { name: 'Components' })).toBeVisible()
  return tab
}

test('components: axe finds nothing, open or closed; nothing sticks out @slow', async ({ browser, service }, info) => {
  const { page, faults, close } = await openComponents(browser, service.url)
  const look = (name: string) => expectWellMade(page, (look) => info.outputPath(`${name}-${look}`))
  await expect(page.getByRole('img', { name: 'Requests per hour' })).toBeVisible()
  await look('closed')
  await page.getByText('Figures as a table').click()
  await expect(page.getByRole('table', { name: 'Requests per hour' })).toContainText('Nov 20, 2026, 3:00 AM')
  await page.getByRole('button', { name: 'Say it badly' }).click()
  await look('said')
  await page.getByRole('button', { name: 'Contractor' }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  await look('menu')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Revoke' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await look('dialog')
  expect(faults).toEqual([])
  await close()
})

test('names below pictures of 1 to 62 places touch no other and stay within theirs, at any width', async ({
  browser,
  service,
}) => {
  const { page, close } = await openComponents(browser, service.url)
  for (const kind of ['bars', 'lines'])
    for (const name of ['May 2026', '10:44 PM']) {
      await page.evaluate(`draw('${kind}', '${name}')`)
      for (const width of [360, 640]) {
        await page.setViewportSize({ width, height: 900 })
        await expect(page.getByRole('img')).toHaveCount(62)
        expect.soft(await crowdedNames(page), `${kind}, ${name}, ${width} px`).toEqual([])
      }
    }
  await close()
})

test('a dialog keeps the focus, closes by Escape, by its button and beside it, and gives the focus back', async ({
  browser,
  service,
}) => {
  const { page, close } = await openComponents(browser, service.url)
  const opener = page.getByRole('button', { name: 'Revoke' })
  const dialog = page.getByRole('dialog', { name: 'Revoke this key?' })
  await opener.focus()
  await page.keyboard.press('Enter')
  await expect(dialog).toBeVisible()
  await expect(page.getByLabel('Reason')).toHaveAccessibleDescription('Say why. Kept in the audit.')
  for (let i = 0; i < 8; i++) {
    await page.keyboard.press('Tab')
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null)).toBe(true)
  }
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(opener).toBeFocused()
  await opener.click()
  await page.getByRole('button', { name: 'Keep it' }).click()
  await expect(dialog).toBeHidden()
  await expect(opener).toBeFocused()
  await opener.click()
  await page.mouse.click(5, 5)
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: 'Open from outside' }).click()
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.getByRole('button', { name: 'Open from outside' }).click()
  await expect(page.getByRole('dialog', { name: 'From outside' })).toBeVisible()
  await close()
})

test('a menu by keyboard: opens, moves by arrows and letters, chooses, closes, and gives the focus back', async ({
  browser,
  service,
}) => {
  const { page, close } = await openComponents(browser, service.url)
  const opener = page.getByRole('button', { name: 'Contractor' })
  await opener.focus()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem', { name: 'Cumberland' })).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(page.getByRole('menuitem', { name: 'All contractors' })).toBeFocused()
  await page.keyboard.press('l')
  await expect(page.getByRole('menuitem', { name: 'Lakeshore' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.locator('output')).toHaveText('Lakeshore')
  await expect(opener).toBeFocused()
  await opener.click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toBeHidden()
  await expect(opener).toBeFocused()
  await close()
})

test('a toast is said politely and takes no focus; a bad one stays until it is closed', async ({
  browser,
  service,
}) => {
  const { page, close } = await openComponents(browser, service.url)
  const region = page.getByRole('region', { name: 'Messages' })
  await page.clock.install()
  await page.getByRole('button', { name: 'Say it', exact: true }).click()
  await page.getByRole('button', { name: 'Say it badly' }).click()
  await expect(region).toContainText('Key revoked.')
  await expect(page.getByRole('button', { name: 'Say it badly' })).toBeFocused()
  await page.clock.runFor(60_000)
  await expect(region).not.toContainText('Key revoked.')
  await expect(region).toContainText('The key could not be revoked.')
  await region.getByRole('button', { name: 'Close message' }).click()
  await expect(region).toHaveText('')
  await close()
})

test('a secret is masked, copied without being shown; a countdown ends', async ({ browser, service }) => {
  const { page, context, close } = await openComponents(browser, service.url)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service.url })
  const field = page.getByLabel('API key', { exact: true })
  await expect(field).toHaveAttribute('type', 'password')
  await page.getByRole('button', { name: 'Copy API key' }).click()
  await expect(page.getByText('Copied.')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('plb_test_notarealkey')
  await page.getByRole('button', { name: 'Show' }).click()
  await expect(field).toHaveAttribute('type', 'text')
  await expect(page.getByText('2 hours ago')).toBeVisible()
  await expect(page.getByText('over', { exact: true })).toBeVisible({ timeout: 10_000 })
  await close()
})
