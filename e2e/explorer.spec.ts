import type { Locator, Page } from '@playwright/test'
import { expect, makeKey, test } from './fixtures'
import { COLOR_RULES, expectNoAxeFindings, expectWellMade, openTab, sideways } from './look'
import { settled } from './settled'

/** Presses Tab until the wanted element has the focus, and counts; fails where the page cannot be walked to it. */
async function tabTo(page: Page, wanted: Locator): Promise<number> {
  for (let steps = 0; steps < 80; steps++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return steps
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${wanted}`)
}

const answer = (page: Page) => page.getByRole('group', { name: 'Response body' })

test('the explorer lists every operation of the OpenAPI document, each with a page of its own', async ({ service }) => {
  const { paths } = await (await fetch(`${service.url}/api/v1/openapi`)).json()
  const ids = Object.values(paths).flatMap((methods) =>
    Object.values(Object(methods)).map((operation) => Object(operation).operationId),
  )
  expect(ids.length).toBeGreaterThan(12)
  const text = await (await fetch(`${service.url}/developers/api`)).text()
  for (const id of ids) {
    expect(text).toContain(`href="/developers/api/${id}"`)
    expect((await fetch(`${service.url}/developers/api/${id}`)).status, id).toBe(200)
  }
  expect((await fetch(`${service.url}/developers/api/no_such_operation`)).status).toBe(404)
})

test('an operation is tried by keyboard alone: key, parameter, send, read; the samples follow without the key @slow', async ({
  browser,
  service,
}, info) => {
  const key = await makeKey(service.home, service.contractorId, 'integration')
  const { page, faults, close } = await openTab(browser, { viewport: { width: 1280, height: 1000 } })
  await page.goto(`${service.url}/developers/api`)
  await settled(page)
  const did: string[] = []
  await tabTo(page, page.locator('#argument-limit'))
  await page.keyboard.press('Control+a')
  await page.keyboard.type('200')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('limit')).toHaveAccessibleDescription(/Enter a number from 1 to 100\./)
  await page.keyboard.press('Control+a')
  await page.keyboard.type('3')
  did.push('limit')
  await page.keyboard.press('Enter')
  // What is missing is said, and the focus is where it is given.
  await expect(page.getByText('This request needs a key.')).toBeVisible()
  await expect(page.getByLabel('API key')).toBeFocused()
  await page.keyboard.type(key)
  await page.keyboard.press('Enter')
  did.push('key')
  await tabTo(page, page.getByRole('button', { name: 'Send request' }))
  await page.keyboard.press('Enter')
  did.push('send')
  await expect(page.getByText(/^Response: 200 in \d+ milliseconds\.$/)).toBeAttached()
  expect(JSON.parse((await answer(page).textContent()) ?? '').items).toHaveLength(3)
  expect(did.length, did.join(', ')).toBeLessThanOrEqual(3)
  expect(page.url()).toBe(`${service.url}/developers/api?status=overdue&limit=3`)

  const curl = page.getByRole('tab', { name: 'curl' })
  await tabTo(page, curl)
  for (const [name, word] of [
    ['TypeScript', 'await fetch('],
    ['Python', 'urllib.request'],
    ['Go', 'http.NewRequest('],
    ['PHP', 'curl_setopt_array('],
    ['Ruby', 'Net::HTTP::Get'],
    ['C#', 'new HttpClient()'],
  ] as const) {
    await page.keyboard.press('ArrowRight')
    const shown = page.getByRole('group', { name: `Request in ${name}` })
    await expect(shown).toContainText(word)
    await expect(shown).toContainText(`${service.url}/api/v1/invoices?status=overdue&limit=3`)
    await expect(shown).not.toContainText(key)
  }
  await page.goto(`${service.url}/developers/api/get_invoice?id=inv_none`)
  await expect(page.getByRole('tab', { name: 'C#' })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByLabel('id (required)')).toHaveValue('inv_none')
  await settled(page)
  await page.getByRole('button', { name: 'Send request' }).click()
  await expect(answer(page)).toContainText('"not_found"')
  await expectWellMade(page, (name) => info.outputPath(`explorer-${name}`))
  expect(faults.filter((fault) => !fault.includes('404'))).toEqual([])
  await close()
})

test('without script a link to an operation shows its parameters and its samples', async ({ browser, service }) => {
  const { page, close } = await openTab(browser, { javaScriptEnabled: false })
  await page.goto(`${service.url}/developers/api/list_projects?status=in_progress&limit=2`)
  await expect(page.getByLabel('status')).toHaveValue('in_progress')
  await expect(page.getByRole('group', { name: 'Request in curl' })).toContainText('limit=2&status=in_progress')
  await close()
})

test('Swagger UI, one click away: the same key, an answer, nothing for axe to find', async ({ browser, service }) => {
  const key = await makeKey(service.home, service.contractorId, 'integration')
  const { page, faults, close } = await openTab(browser, { viewport: { width: 1280, height: 1000 } })
  await page.goto(`${service.url}/developers/api`)
  await settled(page)
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: 'Use key' }).click()
  await page.getByRole('link', { name: 'Swagger UI' }).click()
  await expect(page.getByText('Using the key')).toBeVisible()
  const block = page.locator('[id$="list_customers"]').first()
  await block.getByRole('button').first().click()
  await block.getByRole('button', { name: 'Execute' }).click()
  await expect(block.locator('.live-responses-table .response .response-col_status').first()).toContainText('200')
  await expect(block.locator('.curl-command')).toContainText(`${service.url}/api/v1/customers`)
  await expect(block.locator('.curl-command')).not.toContainText(key)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expectNoAxeFindings(page, 'html', false, colorScheme === 'light' ? undefined : COLOR_RULES)
    expect(await sideways(page)).toBeLessThanOrEqual(0)
  }
  expect(faults).toEqual([])
  await close()
})
