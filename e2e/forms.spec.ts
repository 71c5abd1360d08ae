import { expect, makeContractor, test } from './fixtures'
import { makePerson, signInOn } from './people'
import { person } from './portal'
import { openPlain } from './raw'
import { upload } from './upload'

test('a file of 15 MB comes whole @slow', async ({ service }) => {
  test.setTimeout(120_000)
  const rows = Array.from({ length: 150 }, (_, i) => `P${i},C1,Large,${'x'.repeat(100_000)}`)
  const { url } = service
  const { id } = await makeContractor(service.home, 'Whole Roofing')
  const { cookie } = await person(service, id, 'admin')
  const csv = ['Project ID,Customer ID,Name,Description', ...rows].join('\n')
  const held = await upload(url, cookie, id, csv, url, 'projects.csv')
  expect(held.status).toBe(200)
  const { draft } = await held.json()
  const answer = await fetch(`${url}/data/load/run?contractorId=${id}`, {
    method: 'POST',
    headers: { cookie, origin: url, 'content-type': 'application/json' },
    body: JSON.stringify({ draft, dryRun: false, map: [] }),
  })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/x-ndjson'])
  const last = JSON.parse((await answer.text()).trim().split('\n').at(-1) ?? '')
  // Descriptions end at 10,000 characters, so each row is refused: every one of them was read.
  expect(last).toMatchObject({ step: 'done', files: [{ rows: 150, refused: 150 }] })
})

test('without script: sign-in says what is wrong, and leads to the page that was asked for', async ({
  browser,
  service,
}) => {
  const { url } = service
  const { id } = await makeContractor(service.home, 'No Script Roofing')
  const made = await makePerson(service, id, 'admin')
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${url}/keys`)
  await signInOn(page, made)
  await expect(page).toHaveURL(`${url}/keys`)
  await context.close()
})

test('without script: a refused form shows again what it was sent with', async ({ browser, service }) => {
  const { id } = await makeContractor(service.home, 'No Script Alerts')
  const { page, close } = await openPlain(browser, service, id, '/alerts')
  await page.getByRole('radio', { name: /^Daily/ }).check()
  await page.getByRole('checkbox', { name: /^Refused leads/ }).check()
  await page.getByLabel('Slack or webhook URL').fill('http://127.0.0.1/hook')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('main').getByRole('alert').first()).toBeVisible()
  await expect(page.getByRole('radio', { name: /^Daily/ })).toBeChecked()
  await expect(page.getByRole('checkbox', { name: /^Refused leads/ })).toBeChecked()
  await expect(page.getByLabel('Slack or webhook URL')).toHaveValue('http://127.0.0.1/hook')
  await close()
})
