import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RESOURCE_NAMES } from '../lib/core/resource-names'
import { expect, get, makeContractor, makeKey, test } from './fixtures'
import { type Account, expectPageWellMade, pageAs, person, tabOf } from './portal'
import { command } from './running'
import { settled } from './settled'
import { CUSTOMERS, PROJECTS, upload } from './upload'

type Cast = { id: string; key: string; admin: Account; viewer: Account }
let own: Cast
let demo: Omit<Cast, 'admin'>

// Each goes on with what those before it loaded.
test.describe.configure({ mode: 'serial' })

test.beforeAll(async ({ service }) => {
  test.setTimeout(240_000)
  const { id, key } = await makeContractor(service.home, `Data Roofing ${process.pid}`)
  const [admin, viewer] = [await person(service, id, 'admin'), await person(service, id, 'viewer')]
  own = { id, key, admin, viewer }
  const ofDemo = await person(service, service.contractorId, 'viewer')
  demo = {
    id: service.contractorId,
    key: await makeKey(service.home, service.contractorId, 'integration'),
    viewer: ofDemo,
  }
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

test('names of strangers are text, and what turns text around is gone', async ({ service }) => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-names-'))
  writeFileSync(join(folder, 'customers.csv'), CUSTOMERS)
  writeFileSync(join(folder, 'projects.csv'), PROJECTS)
  await command(service.home, 'load', '--contractor', own.id, folder)
  rmSync(folder, { recursive: true })
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
  await settled(page)
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
  expect((await pageAs(url, own.admin, `/data/invoices?projectId=${items[0].id}`)).text).toContain(
    'No matching invoices',
  )

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
