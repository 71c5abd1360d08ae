import { expect, makeContractor, test } from './fixtures'
import { expectPageWellMade, pageAs, person, tabOf } from './portal'

test('alerts are chosen without script, kept for that person alone, and refused where they may not go', async ({
  browser,
  service,
}, info) => {
  const { url } = service
  const { id } = await makeContractor(service.home, 'Alert Roofing')
  const developer = await person(service, id, 'developer')
  const viewer = await person(service, id, 'viewer')
  const { page, close } = await tabOf(browser, url, developer, { javaScriptEnabled: false })
  await page.goto(`${url}/alerts`)
  const main = page.getByRole('main')
  await expect(page.getByRole('checkbox', { name: /^Refused leads/ })).not.toBeChecked()
  await page.getByRole('checkbox', { name: /^Refused leads/ }).check()
  await page.getByRole('radio', { name: /^Daily/ }).check()
  await page.getByLabel('Slack or webhook URL').fill('https://169.254.169.254/latest')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(main.getByText('must be an address on the public internet').first()).toBeVisible()
  await page.getByRole('checkbox', { name: /^Refused leads/ }).check()
  await page.getByRole('checkbox', { name: /^Email/ }).check()
  await page.getByLabel('Slack or webhook URL').fill('')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Latest messages' })).toBeVisible()
  await page.getByRole('button', { name: 'Send a test message' }).click()
  await page.goto(`${url}/alerts`)
  await expect(page.getByRole('checkbox', { name: /^Refused leads/ })).toBeChecked()
  await expect(page.getByRole('table')).toContainText('Test of your Plumbline alerts')
  await close()
  expect((await pageAs(url, viewer, '/alerts')).status).toBe(403)
  await expectPageWellMade(browser, url, developer, '/alerts', (name) => info.outputPath(`alerts-${name}`))
})
