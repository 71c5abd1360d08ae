import type { Browser, Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { expectWellMade, openTab, SCRIPT_BUDGET, sideways } from './look'
import { settled } from './settled'

const MODES = ['Sessions', 'Stateless'] as const
/** The browser's own log line for an unsuccessful response; not an error of the page. */
const OF_ANSWERS = /^Failed to load resource: the server responded with a status of/

/** Opens a tab with the console. */
async function openConsole(browser: Browser, url: string) {
  const tab = await openTab(browser, { viewport: { width: 1280, height: 900 } })
  await tab.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url })
  await tab.page.goto(`${url}/mcp/console`)
  return tab
}

async function connect(page: Page, key: string, mode: (typeof MODES)[number] = 'Sessions') {
  await page.getByRole('radio', { name: mode }).check()
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: 'Connect' }).click()
  await expect(page.getByRole('heading', { name: 'Tools' })).toBeVisible()
}

/** Unfolds what the connection says of itself. */
async function details(page: Page) {
  await page.getByText(/^Connected with the key/).click()
  await expect(page.getByRole('heading', { name: 'Server' })).toBeVisible()
}

/** Presses Tab until the wanted element has focus; fails when it is never reached. */
async function tabTo(page: Page, wanted: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') {
  for (let i = 0; i < 90; i++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press(key)
  }
  throw new Error(`Tab does not lead to ${wanted}`)
}

const jsonIn = async (page: Page, name: string) =>
  JSON.parse((await page.getByRole('group', { name }).textContent()) ?? '')
const result = (page: Page) => page.getByRole('region', { name: /^Result/ })

for (const mode of MODES) {
  test(`the console in the mode ${mode}: connect, list, call, read, repeat`, async ({ browser, service }) => {
    const { page, faults, scriptBytes, close } = await openConsole(browser, service.url)
    await settled(page)
    const before = scriptBytes()
    await connect(page, service.key, mode)
    await expect(page.getByRole('heading', { name: 'Server' })).toBeHidden()
    await details(page)
    const facts = page.getByRole('region', { name: 'Server' })
    await expect(facts).toContainText(mode === 'Sessions' ? '2025-11-25' : '2026-07-28')
    if (mode === 'Stateless') await expect(facts).toContainText('none; each request is independent')
    else await expect(facts.locator('dd code')).toHaveText(/\S{16,}/)
    await facts.getByText('Instructions for the agent').click()
    await expect(facts.locator('.prose')).toHaveText(/\S{20,}/)

    await page.getByRole('button', { name: 'list_invoices' }).click()
    await expect(page.getByRole('article')).toContainText('read-only')
    await page.getByText('Input schema').click()
    await expect(page.getByRole('group', { name: 'Input schema' })).toContainText('"additionalProperties": false')
    await page.getByLabel('limit', { exact: true }).fill('2')
    await page.getByRole('button', { name: 'Call tool' }).click()
    await expect(result(page)).toContainText('answered')
    await expect(result(page)).toContainText(/\d+ of \d+ left, until/)
    await expect(result(page)).toContainText(/\d ms/)
    // What is made for reading comes first.
    await expect(page.getByRole('table', { name: 'Result' }).getByRole('row')).toHaveCount(3)
    await page.getByRole('tab', { name: 'JSON', exact: true }).click()
    const structured = await jsonIn(page, 'Structured result')
    expect(structured.items).toHaveLength(2)
    await page.getByRole('tab', { name: 'Raw JSON-RPC' }).click()
    const request = await jsonIn(page, 'JSON-RPC request')
    expect(request).toMatchObject({ method: 'tools/call', params: { name: 'list_invoices', arguments: { limit: 2 } } })
    const response = await jsonIn(page, 'JSON-RPC response')
    expect(response.result.structuredContent).toEqual(structured)
    await expect(page.getByRole('group', { name: 'Response headers' })).toContainText('x-ratelimit-remaining')

    await page.getByRole('button', { name: 'Copy as curl' }).click()
    await expect(result(page)).toContainText('Copied.')
    const curl = await page.evaluate(() => navigator.clipboard.readText())
    expect(curl).toContain('"x-api-key: $PLUMBLINE_KEY"')
    expect(curl).not.toContain(service.key)

    await page.getByRole('button', { name: /^Repeat list_invoices/ }).click()
    await expect(page.getByRole('button', { name: /^Repeat list_invoices/ })).toHaveCount(2)
    await expect(page.getByLabel('limit', { exact: true })).toHaveValue('2')
    await page.getByRole('button', { name: 'list_customers' }).click()
    await page
      .getByRole('button', { name: /^Show list_invoices/ })
      .first()
      .click()
    await expect(page.getByRole('heading', { name: 'list_invoices' })).toBeVisible()
    await expect(result(page)).toContainText('answered')
    await page.getByRole('button', { name: 'Disconnect' }).click()
    await expect(page.getByRole('heading', { name: 'Tools' })).toBeHidden()
    console.log(`scripts, gzip: ${before} bytes to open, ${scriptBytes()} once connected (${mode})`)
    expect(before).toBeLessThan(SCRIPT_BUDGET)
    expect(faults).toEqual([])
    await close()
  })
}

test('three tools by keyboard alone: connect, examples filled in, a fault fixed, calls read @slow', async ({
  browser,
  service,
}) => {
  const { page, faults, close } = await openConsole(browser, service.url)
  await settled(page)
  const said = page.getByRole('status').first()
  const did: string[] = []
  await tabTo(page, page.getByRole('radio', { name: 'Sessions' }))
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await tabTo(page, page.getByLabel('API key'))
  await page.keyboard.type(service.key)
  await page.keyboard.press('Enter')
  did.push('connect')
  await expect(said).toContainText('Connected.')
  const choose = async (name: string) => {
    await tabTo(page, page.getByRole('button', { name: new RegExp(`^${name}`) }), did.length > 1 ? 'Shift+Tab' : 'Tab')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name })).toBeFocused()
    did.push(`choose ${name}`)
  }
  // The first two are called as they come, with their examples.
  for (const name of ['get_receivables_aging', 'search_materials']) {
    await choose(name)
    await tabTo(page, page.locator('.arguments [type=submit]'))
    await page.keyboard.press('Enter')
    did.push('call')
    await expect(said).toContainText(`${name} answered`)
  }
  await choose('list_invoices')
  await tabTo(page, page.locator('#argument-limit'))
  await page.keyboard.press('Control+a')
  await page.keyboard.type('99')
  await page.keyboard.press('Enter')
  await expect(page.locator('#argument-limit')).toBeFocused()
  await expect(page.getByLabel('limit', { exact: true })).toHaveAccessibleDescription(/Enter a number from 1 to 25\./)
  await page.keyboard.press('Control+a')
  await page.keyboard.type('3')
  await page.keyboard.press('Enter')
  did.push('limit', 'call')
  await expect(said).toContainText('list_invoices answered')
  await tabTo(page, page.getByRole('tab', { name: 'Table' }))
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('group', { name: 'Structured result' })).toBeFocused()
  expect((await jsonIn(page, 'Structured result')).items.length).toBeLessThanOrEqual(3)
  expect(did.length, did.join(', ')).toBeLessThanOrEqual(8)
  expect(faults).toEqual([])
  await close()
})

test('the console keeps the key in the tab, masks it, and forgets it', async ({ browser, service }) => {
  const { page, close } = await openConsole(browser, service.url)
  await expect(page.getByLabel('API key')).toHaveAttribute('type', 'password')
  await connect(page, service.key)
  await page.reload()
  await expect(page.getByText('Using the key')).toContainText(service.key.slice(-4))
  expect(await page.getByRole('main').innerHTML()).not.toContain(service.key)
  const stored = () => page.evaluate(() => [JSON.stringify({ ...localStorage }), document.cookie, location.href].join())
  expect(await stored()).not.toContain(service.key)
  await page.getByRole('button', { name: 'Change key' }).click()
  await expect(page.getByLabel('API key')).toHaveValue('')
  expect(await page.evaluate(() => Object.values({ ...sessionStorage }).join())).not.toContain(service.key)
  await close()
})

test('the console says what is wrong with a key: one that has no key’s shape, and one nobody knows', async ({
  browser,
  service,
}, info) => {
  const { page, faults, close } = await openConsole(browser, service.url)
  await page.getByRole('button', { name: 'Connect' }).click()
  await expect(page.getByText('Paste a key first')).toBeVisible()
  await page.getByLabel('API key').fill('plb_live_short')
  await page.keyboard.press('Enter')
  await expect(page.getByText('A key has 55 characters; this has 14.')).toBeVisible()
  for (const mode of MODES) {
    await page.getByRole('radio', { name: mode }).check()
    await page.getByLabel('API key').fill(`plb_live_${'0'.repeat(46)}`)
    await page.getByRole('button', { name: 'Connect' }).click()
    const alert = page.getByRole('alert').filter({ hasText: 'The key was not accepted.' })
    await expect(alert).toContainText('mistyped, revoked, expired')
    await expect(alert).toContainText('Paste the whole key again.')
    await page.screenshot({ path: info.outputPath(`wrong-key-${mode}.png`) })
    await page.getByRole('button', { name: 'Change key' }).click()
    await page.reload()
  }
  expect(faults.filter((fault) => !OF_ANSWERS.test(fault))).toEqual([])
  await close()
})

test('the console offers a tool that writes as one, and says what its form lacks', async ({ browser, service }) => {
  const { page, faults, close } = await openConsole(browser, service.url)
  await connect(page, service.leadKey)
  await page.getByRole('button', { name: 'create_lead' }).click()
  await expect(page.getByRole('article').getByText('write', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Call tool' }).click()
  await expect(page.getByLabel('firstName')).toBeFocused()
  await expect(page.getByText('This field is required.')).toHaveCount(2)
  await page.getByLabel('firstName').fill('Ana')
  await page.getByLabel('lastName').fill('Lopez')
  await page.keyboard.press('Enter')
  await expect(result(page)).toContainText('The tool answered with an error.')
  await expect(page.getByRole('group', { name: 'Result as text' })).toContainText(/email|phone/)
  expect(faults).toEqual([])
  await close()
})

test('the console explains a session that has ended elsewhere, and connects again', async ({ browser, service }) => {
  const { page, close } = await openConsole(browser, service.url)
  await connect(page, service.key)
  await details(page)
  const id = (await page.getByRole('region', { name: 'Server' }).locator('dd code').textContent()) ?? ''
  const headers = { 'x-api-key': service.key, 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' }
  expect((await fetch(`${service.url}/mcp`, { method: 'DELETE', headers })).status).toBe(200)
  await page.getByRole('button', { name: 'get_cash_flow' }).click()
  await page.getByRole('button', { name: 'Call tool' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'The session has ended.' })).toContainText('Connect again')
  await page.getByRole('button', { name: 'Connect again' }).click()
  await expect(page.getByRole('status').first()).toContainText('Connected.')
  await page.getByRole('button', { name: 'Call tool' }).click()
  await expect(result(page)).toContainText('answered')
  await close()
})

test('the console shows what strangers wrote as text', async ({ browser, service }) => {
  const { page, close } = await openConsole(browser, service.url)
  await page.route('**/mcp', async (route) => {
    const response = await route.fetch()
    const body = await response.text()
    return route.fulfill({ response, body: body.replaceAll('USD', '<img src=x onerror=alert(1)>\u202e') })
  })
  page.on('dialog', () => expect('a dialog').toBe('none'))
  await connect(page, service.key)
  await page.getByRole('button', { name: 'list_invoices' }).click()
  await page.getByRole('button', { name: 'Call tool' }).click()
  await expect(result(page)).toContainText('answered')
  await page.getByRole('tab', { name: 'Text' }).click()
  await expect(page.getByRole('group', { name: 'Result as text' })).toContainText('<img src=x onerror=alert(1)>\\u202e')
  for (const name of ['JSON', 'Raw JSON-RPC']) await page.getByRole('tab', { name, exact: true }).click()
  await expect(page.getByRole('group', { name: 'JSON-RPC response' })).toContainText(
    '<img src=x onerror=alert(1)>\\u202e',
  )
  expect(await page.getByRole('main').locator('img').count()).toBe(0)
  await close()
})

test('the console in each of its states: fits, and axe finds nothing @slow', async ({ browser, service }, info) => {
  const { page, faults, close } = await openConsole(browser, service.url)
  const look = (name: string) => expectWellMade(page, (look) => info.outputPath(`${name}-${look}`))
  await look('empty')
  await connect(page, service.key)
  await page.getByRole('button', { name: 'list_invoices' }).click()
  await page.getByLabel('limit', { exact: true }).fill('99')
  await page.getByRole('button', { name: 'Call tool' }).click()
  await look('fault')
  await page.getByLabel('limit', { exact: true }).fill('3')
  await page.getByRole('button', { name: 'Call tool' }).click()
  await expect(result(page)).toContainText('answered')
  await look('result')
  await page.getByRole('tab', { name: 'Raw JSON-RPC' }).click()
  await page.setViewportSize({ width: 360, height: 900 })
  for (const name of ['VS Code', 'Claude Code', 'Claude Desktop']) {
    await page.getByRole('tablist', { name: 'Clients' }).getByRole('tab', { name }).click()
    expect(await sideways(page)).toBeLessThanOrEqual(0)
  }
  await look('raw')
  expect(faults).toEqual([])
  await close()
})
