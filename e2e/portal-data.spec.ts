import { RESOURCE_NAMES } from '../lib/core/resource-names'
import { expect, get, makeContractor, makeKey, test } from './fixtures'
import { type Account, expectPageWellMade, pageAs, person, tabOf } from './portal'

const CUSTOMERS = [
  'Customer ID,Name,Email',
  'C1,Ana \u202eLopez,ana@example.com',
  'C2,Ben Okafor,not an address',
  'C3,Cy <b>Park</b>,cy@example.com',
].join('\n')
const PROJECTS = ['Project ID,Customer ID,Name,Status', 'P1,C1,Roof,in_progress', 'P3,C3,Deck,lead', 'P9,C9,None,lead']
const FILES = [
  { name: 'projects.csv', mimeType: 'text/csv', buffer: Buffer.from(PROJECTS.join('\n')) },
  { name: 'customers.csv', mimeType: 'text/csv', buffer: Buffer.from(CUSTOMERS) },
]

type Cast = { id: string; key: string; admin: Account; viewer: Account }
let own: Cast
let demo: Omit<Cast, 'admin'>

// Each goes on with what those before it loaded.
test.describe.configure({ mode: 'serial' })

test.beforeAll(async ({ browser, service }) => {
  test.setTimeout(240_000)
  const { id, key } = makeContractor(service.home, `Upload Roofing ${process.pid}`)
  const [admin, viewer] = [await person(browser, service, id, 'admin'), await person(browser, service, id, 'viewer')]
  own = { id, key, admin, viewer }
  const ofDemo = await person(browser, service, service.contractorId, 'viewer')
  demo = { id: service.contractorId, key: makeKey(service.home, service.contractorId, 'integration'), viewer: ofDemo }
})

/** Sends a file as the page does it. */
const upload = (
  url: string,
  cookie: string,
  contractorId: string,
  body: string,
  origin = url,
  file = 'customers.csv',
) =>
  fetch(`${url}/data/load/files?${new URLSearchParams({ contractorId, file })}`, {
    method: 'POST',
    headers: { cookie, origin, 'content-type': 'text/csv' },
    body,
  })

test('a contractor without data is shown how to get some', async ({ browser, service }, info) => {
  test.setTimeout(120_000)
  await expectPageWellMade(browser, service.url, own.admin, '/data/projects', (name) =>
    info.outputPath(`empty-${name}`),
  )
  const { text } = await pageAs(service.url, own.viewer, '/data/projects')
  expect(text).toContain('No projects yet')
  expect(text).not.toContain('href="/data/load"')
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

test('names of strangers are text, and what turns text around is gone', async ({ service }) => {
  const { text } = await pageAs(service.url, own.viewer, '/data/customers')
  expect(text).toContain('Ana Lopez')
  expect(text).toContain('Cy &lt;b&gt;Park&lt;/b&gt;')
  expect(text).not.toContain('\u202e')
})

test('browse: filters in the address, pages, JSON, a record with its neighbours, the same by curl', async ({
  browser,
  service,
}, info) => {
  test.setTimeout(180_000)
  const { page, faults, close } = await tabOf(browser, service.url, demo.viewer)
  await page.goto(`${service.url}/data`)
  await page.waitForURL(/\/data\/projects$/)
  await page.getByRole('navigation', { name: 'Data' }).getByRole('link', { name: 'Invoices' }).click()
  await page.getByLabel('Status').selectOption('overdue')
  await page.getByLabel('From').fill('2026-01-01')
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.waitForURL(/status=overdue/)
  const wanted = await get(
    { url: service.url, key: demo.key },
    '/api/v1/invoices?status=overdue&from=2026-01-01&limit=50',
  )
  const rows = page.getByRole('table').getByRole('row')
  await expect(rows).toHaveCount(wanted.body.items.length + 1)
  const curl = page.getByRole('group', { name: 'Request' })
  await expect(curl).toContainText(`${service.url}/api/v1/invoices?status=overdue&from=2026-01-01`)
  await expect(curl).toContainText('x-api-key: $PLUMBLINE_KEY')
  await page.getByRole('link', { name: 'Show as JSON' }).click()
  await expect(page.getByRole('group', { name: 'Items' })).toContainText(wanted.body.items[0].id)
  await page.goto(`${service.url}/data/invoices?status=overdue`)
  await rows.nth(1).getByRole('link').first().click()
  await page.waitForURL(/\/data\/invoices\/inv_/)
  await expect(page.getByRole('heading', { level: 2, name: 'Project' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 2, name: 'Customer' })).toBeVisible()
  await page.waitForLoadState('networkidle')
  await page.getByRole('tab', { name: 'JSON' }).click()
  await expect(page.getByRole('group', { name: 'JSON' })).toContainText('"neighbours"')
  const record = new URL(page.url()).pathname

  const all = new Set<string>()
  await page.goto(`${service.url}/data/payments`)
  for (let more = true; more; ) {
    const ids = page.locator('td [title^=pay_]')
    for (const id of await ids.evaluateAll((nodes) => nodes.map((node) => node.getAttribute('title') ?? '')))
      all.add(id)
    const next = page.getByRole('link', { name: 'Next →' })
    more = await next.isVisible()
    if (more) await Promise.all([page.waitForEvent('load'), next.click()])
  }
  const last = await page.getByRole('table').getByRole('row').count()
  await Promise.all([page.waitForEvent('load'), page.getByRole('link', { name: '← Previous' }).click()])
  expect(await page.getByRole('table').getByRole('row').count()).toBeGreaterThanOrEqual(last)
  const first = await get({ url: service.url, key: demo.key }, '/api/v1/payments?limit=100')
  for (const { id } of first.body.items) expect(all).toContain(id)
  expect(faults).toEqual([])
  await close()
  for (const path of ['/data/invoices', record])
    await expectPageWellMade(browser, service.url, demo.viewer, path, (name) =>
      info.outputPath(`${path === record ? 'record' : 'invoices'}-${name}`),
    )
})

for (const name of RESOURCE_NAMES)
  test(`${name}: the list and a record are pages, and lead to each other`, async ({ service: { url } }) => {
    const { id } = (await get({ url, key: demo.key }, `/api/v1/${name}?limit=1`)).body.items[0]
    const list = await pageAs(url, demo.viewer, `/data/${name}?order=oldest`)
    expect([list.status, list.text.includes(`/data/${name}/${id}`)]).toEqual([200, true])
    const record = await pageAs(url, demo.viewer, `/data/${name}/${id}`)
    expect([record.status, record.text.includes(`href="/data/${name}"`), record.text.includes(id)]).toEqual([
      200,
      true,
      true,
    ])
  })

test('a filter that cannot be says so; what is not there is 404', async ({ service }) => {
  const { text } = await pageAs(service.url, demo.viewer, '/data/invoices?status=nonsense')
  expect(text).toContain('These filters cannot be used.')
  expect((await pageAs(service.url, demo.viewer, '/data/contractors')).status).toBe(404)
  expect((await pageAs(service.url, demo.viewer, '/data/projects/prj_none')).status).toBe(404)
  const { items } = (await get({ url: service.url, key: demo.key }, '/api/v1/projects?limit=1')).body
  expect((await pageAs(service.url, demo.viewer, `/data/invoices/${items[0].id}`)).status).toBe(404)
})

test('roles and tenants: pages, records, uploads', async ({ service }) => {
  const { url } = service
  for (const path of ['/data', '/data/projects', '/data/load'])
    expect((await pageAs(url, { cookie: '' }, path)).location, path).toContain('/sign-in?next=')
  expect((await pageAs(url, own.viewer, '/data/load')).status).toBe(403)
  const { items } = (await get({ url, key: demo.key }, '/api/v1/projects?limit=1')).body
  const foreign = await pageAs(url, own.admin, `/data/projects/${items[0].id}`)
  expect([foreign.status, foreign.text.includes(items[0].name)]).toEqual([404, false])
  expect((await pageAs(url, own.admin, `/data/invoices?projectId=${items[0].id}`)).text).toContain('No such invoice')

  const csv = 'Customer ID,Name\nX1,Intruder\n'
  expect((await upload(url, '', own.id, csv)).status).toBe(401)
  expect((await upload(url, own.viewer.cookie, own.id, csv)).status).toBe(403)
  expect((await upload(url, own.admin.cookie, demo.id, csv)).status).toBe(403)
  expect((await upload(url, own.admin.cookie, own.id, csv, 'https://example.com')).status).toBe(403)
  expect((await upload(url, own.admin.cookie, own.id, csv, url, 'passwd')).status).toBe(400)
  expect((await fetch(`${url}/data/load/files`)).status).toBe(405)
  for (const key of [own.key, demo.key]) {
    const { body } = await get({ url, key }, '/api/v1/customers?limit=100')
    expect(JSON.stringify(body)).not.toContain('Intruder')
  }
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
