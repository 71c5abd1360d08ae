import { expect, makeContractor, test } from './fixtures'
import { post } from './lead'
import { makePerson } from './people'
import { openPlain } from './raw'

test('without script: the whole life of a key, and back out @slow', async ({ browser, service }) => {
  const { url } = service
  const { id } = await makeContractor(service.home, 'No Script Keys')
  const made = await makePerson(service, id, 'admin')
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${url}/keys`)
  await page.getByLabel('Email address').fill(made.email)
  await page.getByLabel('Password').fill(made.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  const status = async (key: string) =>
    (await fetch(`${url}/api/v1/customers`, { headers: { 'x-api-key': key } })).status
  const secret = async () => {
    const text = await page.getByRole('main').textContent()
    return /plb_live_[0-9A-Za-z]{46}/.exec(text ?? '')?.[0] ?? ''
  }

  await page.getByRole('link', { name: 'Create key' }).click()
  await page.getByRole('button', { name: 'Create key' }).click()
  await expect(page.getByText('Enter a name, such as the integration that will use it.')).toBeVisible()
  await page.getByLabel('Name').fill('Typed by hand')
  await page.getByRole('radio', { name: /^Custom/ }).check()
  await page.getByRole('checkbox', { name: /^read:customers/ }).check()
  await page.getByRole('button', { name: 'Create key' }).click()
  const first = await secret()
  expect(await status(first)).toBe(200)
  await page.getByRole('link', { name: 'I’ve saved it' }).click()

  await page.getByRole('link', { name: 'Typed by hand', exact: true }).click()
  await page.getByRole('link', { name: 'Rotate Typed by hand' }).click()
  await page.getByRole('button', { name: 'Create new secret' }).click()
  const second = await secret()
  expect([await status(first), await status(second)]).toEqual([200, 200])
  await page.getByRole('link', { name: 'I’ve saved it' }).click()

  await page.getByRole('link', { name: 'Typed by hand', exact: true }).click()
  await page.getByRole('link', { name: `Revoke Typed by hand, plb_live_…${second.slice(-4)}` }).click()
  await expect(page.getByRole('radio', { name: /^Both secrets/ })).toBeChecked()
  await page.getByRole('button', { name: 'Revoke key' }).click()
  await expect(page.getByRole('main')).toContainText('2 secrets revoked.')
  expect([await status(first), await status(second)]).toEqual([401, 401])

  await page.goto(`${url}/account`)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.goto(`${url}/keys`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in')
  await context.close()
})

test('without script: files are loaded, and a delivery is replayed', async ({ browser, service }) => {
  const { id, leadKey } = await makeContractor(service.home, 'No Script Files')
  const { page, close } = await openPlain(browser, service, id, '/data/load')
  await page.getByRole('button', { name: 'Load', exact: true }).click()
  // Text within `noscript` is found by role only.
  await expect(page.getByRole('main').getByRole('alert').first()).toContainText('Choose at least one file.')
  const csv = Buffer.from('Customer ID,Name,Email\nC1,Ana Lopez,ana@example.com\nC2,Ben Okafor,not an address')
  await page.locator('input[name=files]').setInputFiles({ name: 'customers.csv', mimeType: 'text/csv', buffer: csv })
  await page.getByRole('button', { name: 'Load', exact: true }).click()
  const loaded = page.getByRole('table', { name: 'Files loaded' }).getByRole('row').nth(1)
  await expect(loaded.getByRole('cell')).toHaveText(['2', '1', '0', '0', '1', 'none'])
  await expect(page.getByRole('table', { name: 'Refused rows' })).toContainText('not an address')

  await post(service.url, leadKey, { firstName: 'Dana', lastName: 'Whitfield', phone: '(615) 555-0142' })
  await page.goto(`${service.url}/leads`)
  await page.getByRole('link', { name: 'Dana Whitfield' }).click()
  await page.getByRole('button', { name: 'Replay' }).click()
  await expect(page.getByRole('main').getByRole('alert')).toContainText('This lead was already received')
  await close()
})
