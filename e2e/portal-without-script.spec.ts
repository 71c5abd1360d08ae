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
