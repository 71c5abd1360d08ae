import { expect, makeContractor, test } from './fixtures'
import { makePerson } from './people'

test('without script: sign-in says what is wrong, and leads to the page that was asked for', async ({
  browser,
  service,
}) => {
  const { url } = service
  const { id } = makeContractor(service.home, 'No Script Roofing')
  const made = makePerson(service, id, 'admin')
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${url}/keys`)
  const send = async (password: string) => {
    await page.getByLabel('Email address').fill(made.email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }
  await send('not the password at all')
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Incorrect email or password')
  await send(made.password)
  await expect(page).toHaveURL(`${url}/keys`)
  await context.close()
})

test('without script: the whole life of a key, and back out', async ({ browser, service }) => {
  const { url } = service
  const { id } = makeContractor(service.home, 'No Script Keys')
  const made = makePerson(service, id, 'admin')
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
  await expect(page.getByText('Enter a name, such as what will use it.')).toBeVisible()
  await page.getByLabel('Name').fill('Typed by hand')
  await page.getByRole('radio', { name: /^Custom/ }).check()
  await page.getByRole('checkbox', { name: /^read:customers/ }).check()
  await page.getByRole('button', { name: 'Create key' }).click()
  const first = await secret()
  expect(await status(first)).toBe(200)
  await page.getByRole('link', { name: 'I’ve saved it' }).click()

  await page.getByRole('link', { name: 'Rotate Typed by hand' }).click()
  await page.getByRole('button', { name: 'Create new secret' }).click()
  const second = await secret()
  expect([await status(first), await status(second)]).toEqual([200, 200])
  await page.getByRole('link', { name: 'I’ve saved it' }).click()

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
