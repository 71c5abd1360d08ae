import { expect, test } from './fixtures'
import { openTab } from './look'

test('the start page: its links lead somewhere', async ({ browser, service }) => {
  const { page, close } = await openTab(browser)
  await page.goto(service.url)
  const hrefs = await page
    .getByRole('main')
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
  expect(hrefs.length).toBeGreaterThan(3)
  for (const href of hrefs) expect((await fetch(service.url + href)).status, href).toBe(200)
  await close()
})

test('a page that is not there says so, with a way on', async ({ browser, service }) => {
  const { page, close } = await openTab(browser)
  const response = await page.goto(`${service.url}/nothing-here`)
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('main').getByRole('link', { name: 'start page' })).toBeVisible()
  await close()
})
