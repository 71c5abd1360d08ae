import { TEST_APP } from '@/lib/testing/quickbooks/oauth'
import { TEST_VERIFIER, TestQuickBooks } from '@/lib/testing/quickbooks/server'
import { test as base, expect, get, makeContractor } from './fixtures'
import { expectWellMade } from './look'
import { pageAs, person, tabOf } from './portal'

const REALM = '4620816365'

/** The service under test reads from a QuickBooks of ours, which takes a free port before the service starts. */
const test = base.extend<object, { quickbooks: TestQuickBooks }>({
  quickbooks: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from the pattern.
    async ({}, use) => {
      const server = await TestQuickBooks.start(() => new Date())
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
  settings: [
    async ({ quickbooks }, use) =>
      await use({
        QUICKBOOKS_CLIENT_ID: TEST_APP.clientId,
        QUICKBOOKS_CLIENT_SECRET: TEST_APP.clientSecret,
        QUICKBOOKS_WEBHOOK_VERIFIER: TEST_VERIFIER,
        QUICKBOOKS_TEST_URL: quickbooks.url,
      }),
    { scope: 'worker' },
  ],
})

test('QuickBooks is connected in the portal: first sync, a change, a delete, a revoked grant, a throttled hour @slow', async ({
  browser,
  service,
  quickbooks: server,
}, info) => {
  const { url } = service
  const { id, key } = await makeContractor(service.home, 'Connected Roofing')
  const company = server.company(REALM, 'Whitfield Roofing')
  const dana = company.customer('Dana Hill')
  const kept = company.invoice({ customer: dana, lines: [1250.5], tax: 87.53, number: '1001' })
  const gone = company.invoice({ customer: dana, lines: [40], number: '1002' })
  const admin = await person(service, id, 'admin')
  const { page, faults, close } = await tabOf(browser, url, admin)
  const main = page.getByRole('main')
  const amounts = async () => {
    const { body } = await get({ url, key }, '/api/v1/invoices')
    return body.items.map(({ amount }: { amount: number }) => amount).sort()
  }
  const reads = async (text: string) => {
    // Until it is there, the page is asked for without a browser.
    const isThere = async () => {
      const { text: html } = await pageAs(url, admin, '/data/quickbooks')
      return html.replaceAll('<!-- -->', '').includes(text)
    }
    await expect.poll(isThere, { message: text, timeout: 60_000 }).toBe(true)
    await expect(async () => {
      await page.goto(`${url}/data/quickbooks`)
      await expect(main.getByText(text).first()).toBeVisible({ timeout: 1_000 })
    }).toPass({ timeout: 60_000 })
  }
  // The answer is waited for: leaving the page before could take the request back.
  const presses = async (name: string, within: Pick<typeof page, 'getByRole'> = main) => {
    const answer = page.waitForResponse((response) => response.request().method() === 'POST', { timeout: 30_000 })
    await within.getByRole('button', { name }).click()
    expect((await answer).status()).toBe(200)
  }
  const shot = (state: string) => (name: string) => info.outputPath(`connector-${state}-${name}`)

  await page.goto(`${url}/data/quickbooks`)
  await expectWellMade(page, shot('none'))
  await page.getByRole('button', { name: 'Connect QuickBooks Online' }).click()
  await page.getByRole('link', { name: 'Connect Whitfield Roofing' }).click()
  await expect(page.getByRole('heading', { name: 'Whitfield Roofing' })).toBeVisible()
  await reads('Up to date')
  expect(await amounts()).toEqual([1338.03, 40])
  await expectWellMade(page, shot('current'))

  // A change, told by a signed webhook.
  company.payment({ customer: dana, total: 1338.03, invoices: { [kept]: 1338.03 } })
  const hook = server.webhook(REALM)
  expect((await fetch(`${url}/api/webhooks/quickbooks`, { method: 'POST', ...hook })).status).toBe(200)
  await reads('payments: 1 added')

  company.removeInvoice(gone)
  await presses('Sync now')
  await reads('invoices: 1 deleted')
  expect(await amounts()).toEqual([1338.03])

  server.trouble = { status: 429, retryAfter: 3_600, times: 1 }
  await presses('Sync now')
  await reads('QuickBooks takes no more requests for now.')
  await expectWellMade(page, shot('throttled'))
  await page.getByRole('button', { name: 'Disconnect' }).click()
  await presses('Disconnect', page.getByRole('dialog'))
  await reads('Disconnected')
  expect(server.tokens.isLive(REALM)).toBe(false)

  await page.getByRole('button', { name: 'Connect again' }).click()
  await page.getByRole('link', { name: 'Connect Whitfield Roofing' }).click()
  await reads('Up to date')
  server.tokens.revoke(REALM)
  await presses('Sync now')
  await reads('Reconnect needed')
  await expectWellMade(page, shot('reconnect'))
  expect(await amounts()).toEqual([1338.03])

  await page.goto(url)
  await expect(main).toContainText('QuickBooks Online must be connected again')
  await expectWellMade(page, shot('home'))
  await main.getByRole('link', { name: 'Connect again' }).click()
  await expect(main).toContainText('Reconnect needed')

  // Another company is refused until the records of the first are removed.
  server.company('99', 'Harpeth Builders').customer('Ben Ray')
  const choose = async (name: string) => {
    await page.getByRole('button', { name: 'Connect again' }).click()
    await page.getByRole('link', { name: `Connect ${name}` }).click()
  }
  await choose('Harpeth Builders')
  await expect(main.getByRole('alert')).toContainText('records here come from Whitfield Roofing')
  await expectWellMade(page, shot('refused'))
  await page.getByLabel('Enter Whitfield Roofing to confirm').fill('whitfield  roofing')
  await presses('Remove records')
  await expect(page.getByLabel('Enter Whitfield Roofing to confirm')).toHaveCount(0)
  expect(await amounts()).toEqual([])
  await choose('Harpeth Builders')
  await reads('Up to date')
  await expect(page.getByRole('heading', { name: 'Harpeth Builders' })).toBeVisible()

  // Who comes back without having begun here connects nothing.
  await page.goto(`${url}/data/quickbooks/callback?code=c&state=s&realmId=${REALM}`)
  await expect(main.getByRole('alert')).toContainText('Begin again')
  expect(faults).toEqual([])
  await close()
})
