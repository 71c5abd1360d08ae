import { readFileSync } from 'node:fs'
import { expect, get, makeContractor, test } from './fixtures'
import { type Account, expectPageWellMade, pageAs, person, tabOf } from './portal'
import { settled } from './settled'
import { CUSTOMERS, PROJECTS } from './upload'

const FILES = [
  { name: 'projects.csv', mimeType: 'text/csv', buffer: Buffer.from(PROJECTS) },
  { name: 'customers.csv', mimeType: 'text/csv', buffer: Buffer.from(CUSTOMERS) },
]
const board = (month: string) => ({
  name: `job board ${month}.csv`,
  mimeType: 'text/csv',
  buffer: readFileSync(`lib/load/mapping/fixtures/job-board-${month}.csv`),
})

let own: { id: string; key: string; admin: Account }

test.beforeAll(async ({ service }) => {
  test.setTimeout(240_000)
  const { id, key } = await makeContractor(service.home, `Upload Roofing ${process.pid}`)
  own = { id, key, admin: await person(service, id, 'admin') }
})

test('load: files together, looked at first, bad rows named and handed back, the rest loaded and taken back', async ({
  browser,
  service,
}, info) => {
  test.setTimeout(180_000)
  const { page, faults, close } = await tabOf(browser, service.url, own.admin)
  await page.goto(`${service.url}/data/load`)
  await settled(page)
  await page.getByLabel('Files', { exact: true }).setInputFiles(FILES)
  await expect(page.getByRole('heading', { name: 'customers.csv' })).toBeVisible()
  await page.getByRole('button', { name: 'Look at the changes' }).click()
  const looked = page.getByRole('table', { name: 'What would be loaded' })
  await expect(looked.getByRole('row').nth(1).getByRole('cell')).toHaveText(['3', '2', '0', '0', '1', 'none'])
  await expect(page.getByText('Nothing was written yet.').first()).toBeVisible()
  expect((await get({ url: service.url, key: own.key }, '/api/v1/projects')).body.items).toEqual([])
  await page.getByRole('button', { name: 'Load', exact: true }).click()
  await expect(page.getByText(/^Loaded in part: 2 rows refused/)).toBeVisible()
  const bad = page.getByRole('table', { name: 'Refused rows' })
  await expect(bad.getByRole('row').nth(1).getByRole('cell')).toHaveText([
    '3',
    'Email',
    'not an address',
    'is not an email address',
  ])
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Refused rows of customers.csv (CSV)' }).click()
  expect(readFileSync(await (await downloading).path(), 'utf8')).toContain('Refused because')
  expect((await pageAs(service.url, own.admin, '/audit')).text).toContain('loaded data')
  expect((await get({ url: service.url, key: own.key }, '/api/v1/projects')).body.items).toHaveLength(2)
  await page.getByRole('button', { name: 'Take back the last load' }).click()
  await expect(page.getByRole('dialog')).toContainText(/Removes \d customers?, 2 projects/)
  await page.getByRole('button', { name: 'Take back', exact: true }).click()
  await expect(page.getByText('It was taken back.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Report' })).toBeHidden()
  expect((await get({ url: service.url, key: own.key }, '/api/v1/projects')).body.items).toEqual([])
  expect(faults).toEqual([])
  await close()
  await expectPageWellMade(
    browser,
    service.url,
    own.admin,
    '/data/load',
    (name) => info.outputPath(`load-${name}`),
    async (page) => {
      await page.getByLabel('Files', { exact: true }).setInputFiles([...FILES, board('september')])
      await page.getByRole('button', { name: 'Look at the changes' }).click()
      await expect(page.getByRole('table', { name: 'Refused rows' })).toBeVisible()
    },
  )
})

test('a sheet nobody saw before is corrected by its menus, and the next month’s is mapped by itself @slow', async ({
  browser,
  service,
}) => {
  test.setTimeout(180_000)
  const { page, close } = await tabOf(browser, service.url, own.admin)
  await page.goto(`${service.url}/data/load`)
  await settled(page)
  await page.getByLabel('Files', { exact: true }).setInputFiles(board('september'))
  const menu = page.getByLabel('Field for Referred By')
  await menu.focus()
  const down = await menu
    .locator('option')
    .evaluateAll((all) => all.findIndex((each) => each.getAttribute('value') === 'projects.description'))
  for (let i = 0; i < down; i++) await page.keyboard.press('ArrowDown')
  await expect(menu).toHaveValue('projects.description')
  await page.getByRole('button', { name: 'Look at the changes' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('table', { name: /^Invoices and payments by month/ })).toContainText('Sep 2026')
  await page.getByRole('button', { name: 'Load', exact: true }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Loaded.', { exact: true })).toBeVisible()
  await page.getByLabel('Files', { exact: true }).setInputFiles(board('october'))
  await expect(page.getByText('Mapped before', { exact: true })).toBeVisible()
  await expect(page.getByLabel('Field for Referred By')).toHaveValue('projects.description')
  await close()
})

/** A report of transactions. */
const report = (...rows: string[]) => ({
  name: 'transactions.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(
    `Date,Transaction type,Num,Posting (Y/N),Name,Memo,Account name,Split,Amount\n${rows.join('\n')}\n`,
  ),
})

test('what a file does not say is asked before anything is written; the books are shown before and after', async ({
  browser,
  service,
}, info) => {
  test.setTimeout(180_000)
  const { id, key } = await makeContractor(service.home, `Asking Roofing ${process.pid} ${info.retry}`)
  const { page, faults, close } = await tabOf(browser, service.url, await person(service, id, 'admin'))
  await page.goto(`${service.url}/data/load`)
  await settled(page)
  const files = report(
    '08/14/2026,Invoice,1,Y,Acre,,Accounts Receivable,Sales,"1,030.00"',
    '08/20/2026,Swap,411,Y,Acre,,Accounts Receivable,Sales,12.00',
  )
  await page.getByLabel('Files', { exact: true }).setInputFiles(files)
  await page.getByRole('button', { name: 'Look at the changes' }).click()
  await expect(page.getByRole('heading', { name: 'Questions before loading' })).toBeVisible()
  expect((await get({ url: service.url, key }, '/api/v1/invoices')).body.items).toEqual([])
  await page.screenshot({ path: info.outputPath('questions.png'), fullPage: true })
  await page.getByLabel(/Swap/).selectOption('payment')
  await page.getByRole('button', { name: 'Answer and look again' }).click()
  await expect(page.getByText('Nothing was written yet.').first()).toBeVisible()
  await page.getByRole('button', { name: 'Load', exact: true }).click()
  const books = page.getByRole('table', { name: 'Books before and after' })
  await expect(books.getByRole('row').nth(1)).toContainText('1,030.00')
  await expect(books.getByRole('row').nth(2)).toContainText('12.00')
  await page.screenshot({ path: info.outputPath('reconciliation.png'), fullPage: true })
  await page.getByLabel('Country').selectOption('GB')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByLabel('Country')).toHaveValue('GB')
  expect(faults).toEqual([])
  await close()
})
