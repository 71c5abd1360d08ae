import { expect, get, makeContractor, test } from './fixtures'
import { type Account, expectPageWellMade, pageAs, person, tabOf } from './portal'
import { CUSTOMERS, PROJECTS, upload } from './upload'

const FILES = [
  { name: 'projects.csv', mimeType: 'text/csv', buffer: Buffer.from(PROJECTS) },
  { name: 'customers.csv', mimeType: 'text/csv', buffer: Buffer.from(CUSTOMERS) },
]

let own: { id: string; key: string; admin: Account }

test.beforeAll(async ({ service }) => {
  test.setTimeout(240_000)
  const { id, key } = await makeContractor(service.home, `Upload Roofing ${process.pid}`)
  own = { id, key, admin: await person(service, id, 'admin') }
})

test('upload: files in their order, progress, bad rows named, the rest loaded and in the audit log', async ({
  browser,
  service,
}, info) => {
  test.setTimeout(180_000)
  const { page, faults, close } = await tabOf(browser, service.url, own.admin)
  await page.goto(`${service.url}/data/load`)
  await page.waitForLoadState('networkidle')
  await page.getByRole('button', { name: 'Load', exact: true }).click()
  await expect(page.getByText('Choose at least one file.')).toBeVisible()
  await page.getByLabel('CSV files').setInputFiles(FILES)
  await page.getByRole('button', { name: 'Load', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Messages' })).toContainText('The files are loaded.')
  await expect(page.getByRole('progressbar')).toHaveCount(2)
  const files = page.getByRole('table', { name: 'Files loaded' })
  await expect(files.getByRole('row').nth(1)).toContainText('customers.csv')
  await expect(files.getByRole('row').nth(1).getByRole('cell')).toHaveText(['3', '2', '0', '0', '1', 'none'])
  await expect(files.getByRole('row').nth(2).getByRole('cell')).toHaveText(['3', '2', '0', '0', '1', 'none'])
  const bad = page.getByRole('table', { name: 'Refused rows' })
  await expect(bad.getByRole('row').nth(1)).toContainText('customers.csv')
  await expect(bad.getByRole('row').nth(1).getByRole('cell')).toHaveText([
    '3',
    'Email',
    'not an address',
    'is not an email address',
  ])
  await expect(bad.getByRole('row').nth(2).getByRole('cell').first()).toHaveText('4')
  expect(faults).toEqual([])
  await close()
  expect((await pageAs(service.url, own.admin, '/audit')).text).toContain('loaded data')
  expect((await get({ url: service.url, key: own.key }, '/api/v1/projects')).body.items).toHaveLength(2)
  await expectPageWellMade(
    browser,
    service.url,
    own.admin,
    '/data/load',
    (name) => info.outputPath(`load-${name}`),
    async (page) => {
      await page.getByLabel('CSV files').setInputFiles(FILES)
      await page.getByRole('button', { name: 'Load', exact: true }).click()
      await expect(page.getByRole('table', { name: 'Refused rows' })).toBeVisible()
    },
  )
})

test('a file of 15 MB comes whole', async ({ service }) => {
  test.setTimeout(120_000)
  const rows = Array.from({ length: 150 }, (_, i) => `P${i},C1,Large,${'x'.repeat(100_000)}`)
  const answer = await upload(
    service.url,
    own.admin.cookie,
    own.id,
    ['Project ID,Customer ID,Name,Description', ...rows].join('\n'),
    service.url,
    'projects.csv',
  )
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/x-ndjson'])
  const lines = (await answer.text()).trim().split('\n')
  const last = JSON.parse(lines.at(-1) ?? '')
  // Descriptions end at 10,000 characters, so each row is refused: every one of them was read.
  expect(last).toMatchObject({ step: 'done', files: [{ rows: 150, refused: 150 }], faultCount: 150 })
})
