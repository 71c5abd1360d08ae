import { terminalSample } from '../app/(portal)/landing/sample'
import { expect, test } from './fixtures'
import { expectNoAxeFindings, expectWellMade, openTab, SCRIPT_BUDGET, sideways } from './look'
import { settled } from './settled'

const PAGES = ['/', '/mcp/console', '/developers/api', '/status', '/nothing-here']
/** The browser's report of a page that answers 404. */
const OF_STATUS = /^Failed to load resource: the server responded with a status of 404/

for (const path of PAGES.filter((path) => path !== '/mcp/console')) {
  test(`${path}: fits, axe finds nothing, no fault in the console, scripts within the budget`, async ({
    browser,
    service,
  }, info) => {
    const { page, faults, scriptBytes, close } = await openTab(browser)
    await page.goto(service.url + path)
    await settled(page)
    await expectWellMade(page, (name) => info.outputPath(`page-${name}`))
    expect(faults.filter((fault) => !OF_STATUS.test(fault))).toEqual([])
    expect(scriptBytes()).toBeLessThan(SCRIPT_BUDGET)
    console.log(`${path}: ${scriptBytes()} bytes of script, gzipped`)
    await close()
  })
}

test('every page has its policy and its own nonce, which all its scripts carry; what is forged in a request is not taken', async ({
  service,
}) => {
  const nonces = new Set<string>()
  for (const path of [...PAGES, '/', '/nothing.html']) {
    const forged = { 'content-security-policy': "script-src 'nonce-Zm9yZ2VkZm9yZ2VkZm9yZ2Vk'" }
    const { headers, text } = await fetch(service.url + path, { headers: { ...forged, accept: 'text/html' } }).then(
      async (response) => ({ headers: response.headers, text: await response.text() }),
    )
    const policy = headers.get('content-security-policy') ?? ''
    const nonce = policy.match(/script-src 'nonce-([\w+/=]{24})' 'strict-dynamic';/)?.[1] ?? ''
    expect(nonce, path).not.toBe('')
    expect(policy).not.toContain('unsafe')
    expect(policy).toContain("frame-ancestors 'none'")
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(headers.get('permissions-policy')).toContain('camera=()')
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-powered-by')).toBeNull()
    const scripts = text.match(/<script\b[^>]*>/g) ?? []
    expect(scripts.length, path).toBeGreaterThan(0)
    for (const script of scripts) expect(script).toContain(`nonce="${nonce}"`)
    expect(text).not.toMatch(/<[^>]+\sstyle="/)
    nonces.add(nonce)
  }
  expect(nonces.size).toBe(PAGES.length + 2)
})

test('the palette: Ctrl K, a few letters, Enter; Escape gives the focus back', async ({ browser, service }, info) => {
  const { page, faults, close } = await openTab(browser)
  await page.goto(service.url)
  await settled(page)
  const opener = page.getByRole('button', { name: 'Search…' })
  await opener.focus()
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Search' })
  await expect(field).toBeFocused()
  await expectWellMade(page, (name) => info.outputPath(`palette-${name}`), { fullPage: false })
  await page.keyboard.press('ArrowUp')
  const active = await field.getAttribute('aria-activedescendant')
  await expect(page.locator(`[id="${active}"]`)).toContainText('Guides')
  await page.keyboard.type('zebra')
  await expect(page.getByText(/^Nothing found\./)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(field).toBeHidden()
  await expect(opener).toBeFocused()
  await opener.click()
  await page.keyboard.type('mcp')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('MCP console')
  await expect(
    page.getByRole('navigation', { name: 'Portal' }).getByRole('link', { name: 'MCP console' }),
  ).toHaveAttribute('aria-current', 'page')
  expect(faults).toEqual([])
  await close()
})

test('the page of a link is fetched as the pointer rests on it, under the policy of the page', async ({
  browser,
  service,
}) => {
  const { page, context, faults, close } = await openTab(browser)
  await page.clock.install()
  await page.goto(`${service.url}/developers/guides`)
  await settled(page)
  // A prefetched page is dropped after a few seconds, which a busy machine may need for the click.
  await page.clock.pauseAt(Date.now() + 60_000)
  const link = page.getByRole('main').locator('a[href$="/developers/guides/quick-start"]').first()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Preload.enable')
  const fetched = new Promise<void>((done) =>
    devtools.on('Preload.prefetchStatusUpdated', ({ status }) => status === 'Ready' && done()),
  )
  await link.hover()
  await page.clock.runFor(100)
  await fetched
  await link.click()
  await page.waitForURL(/quick-start$/)
  const delivery = () =>
    new Promise((done) => {
      const observer = new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) done('deliveryType' in entry ? entry.deliveryType : undefined)
      })
      observer.observe({ type: 'navigation', buffered: true })
    })
  expect(await page.evaluate(delivery)).toBe('navigational-prefetch')
  expect(faults).toEqual([])
  await close()
})

test('the theme is kept: chosen once, written by the server into the first byte after', async ({
  browser,
  service,
}) => {
  const { page, context, faults, close } = await openTab(browser, { colorScheme: 'light' })
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  await page.goto(service.url)
  await settled(page)
  const light = await ground()
  await page.getByRole('combobox', { name: 'Theme' }).selectOption('Dark')
  expect(await ground()).not.toBe(light)
  const dark = await ground()
  const answer = await page.reload()
  expect(await answer?.text()).toMatch(/<html lang="en"[^>]* data-theme="dark"/)
  expect(await ground()).toBe(dark)
  await page.getByRole('combobox', { name: 'Theme' }).selectOption('System')
  expect(await ground()).toBe(light)
  expect((await context.cookies()).map(({ name }) => name)).toEqual([])
  expect(faults).toEqual([])
  await close()
})

test('without script the device decides the theme, the page reads, and the pages can be reached', async ({
  browser,
  service,
}) => {
  const { page, close } = await openTab(browser, {
    javaScriptEnabled: false,
    colorScheme: 'dark',
    viewport: { width: 360, height: 800 },
  })
  await page.goto(service.url)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByLabel('Theme')).toBeHidden()
  await page.getByRole('button', { name: 'Pages' }).click()
  const pages = page.getByRole('navigation', { name: 'Portal' })
  await expect(pages.getByRole('link', { name: 'MCP console' })).toBeVisible()
  await close()
})

test('a narrow window: the pages open below the header by keyboard, and the skip link leads to the content', async ({
  browser,
  service,
}) => {
  const { page, close } = await openTab(browser, { viewport: { width: 360, height: 800 } })
  await page.goto(service.url)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  const link = page.getByRole('navigation', { name: 'Portal' }).getByRole('link', { name: 'API explorer' })
  await expect(link).toBeHidden()
  await page.getByRole('button', { name: 'Pages' }).focus()
  await page.keyboard.press('Enter')
  await expect(link).toBeVisible()
  await expectNoAxeFindings(page)
  expect(await sideways(page)).toBeLessThanOrEqual(0)
  await page.keyboard.press('Escape')
  await expect(link).toBeHidden()
  await close()
})

/** Names and types of a JSON value, all the way down. */
const shape = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(shape)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shape(inner)]))
      : typeof value

test('the terminal on the landing page shows what the API answers', async ({ browser, service }) => {
  const shown = terminalSample(`${service.url}/api/v1`)
  const { page, close } = await openTab(browser)
  await page.goto(service.url)
  expect(await page.getByRole('group', { name: 'A request and its response' }).textContent()).toContain(
    '"status": "overdue"',
  )
  await close()
  const answer = await fetch(`${service.url}/api/v1/invoices?status=overdue&limit=1`, {
    headers: { 'x-api-key': service.key },
  })
  expect(shape(JSON.parse(shown.slice(shown.indexOf('{'))))).toEqual(shape(await answer.json()))
})

test('the files a browser asks a site for are there', async ({ service }) => {
  const types = {
    '/icon.svg': 'image/svg+xml',
    '/favicon.ico': 'image/x-icon',
    '/apple-touch-icon.png': 'image/png',
    '/icon-512.png': 'image/png',
  }
  for (const [path, type] of Object.entries(types)) {
    const { status, headers } = await fetch(service.url + path)
    expect([status, headers.get('content-type')], path).toEqual([200, type])
  }
  const manifest = await (await fetch(`${service.url}/site.webmanifest`)).json()
  for (const { src } of manifest.icons) expect((await fetch(service.url + src)).status, src).toBe(200)
})
