import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
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
  await expectPageWellMade(browser, service.url, own.admin, '/projects', (name) => info.outputPath(`empty-${name}`))
  const { text } = await pageAs(service.url, own.viewer, '/projects')
  expect(text).toContain('No projects yet')
  expect(text).not.toContain('href="/data/load"')
})

test('names of strangers are text, and what turns text around is gone', async ({ service }) => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-names-'))
  writeFileSync(join(folder, 'customers.csv'), CUSTOMERS)
  writeFileSync(join(folder, 'projects.csv'), PROJECTS)
  await command(service.home, 'load', '--contractor', own.id, folder)
  rmSync(folder, { recursive: true })
  const { text } = await pageAs(service.url, own.viewer, '/customers')
  expect(text).toContain('Ana Lopez')
  expect(text).toContain('Cy &lt;b&gt;Park&lt;/b&gt;')
  expect(text).not.toContain('\u202e')
})

test('a list: search, days, tabs and order in the address; totals and the file are of what is found', async ({
  browser,
  service,
}, info) => {
  test.setTimeout(180_000)
  const { page, faults, close } = await tabOf(browser, service.url, demo.viewer)
  await page.goto(`${service.url}/data/invoices?status=overdue`)
  // The address of before leads on.
  await page.waitForURL(/[^a]\/invoices\?status=overdue$/)
  await page.getByLabel('From', { exact: true }).fill('2026-01-01')
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.waitForURL(/from=2026-01-01/)
  const wanted = await get(
    { url: service.url, key: demo.key },
    '/api/v1/invoices?status=overdue&from=2026-01-01&limit=50',
  )
  const rows = page.getByRole('table').locator('tbody tr')
  await expect(rows).toHaveCount(wanted.body.items.length)
  await expect(page.getByRole('navigation', { name: 'Status' }).locator('[aria-current]')).toContainText('Overdue')
  await page.getByText('For developers').click()
  const curl = page.getByRole('group', { name: 'Request' })
  await expect(curl).toContainText(`${service.url}/api/v1/invoices?status=overdue&from=2026-01-01`)
  await expect(curl).toContainText('x-api-key: $PLUMBLINE_KEY')

  const amounts = await rows.locator('td[data-label="Amount"]').allTextContents()
  const total = await page.locator('tfoot td[data-label="Amount"]').textContent()
  const cents = (text: string | null) => Math.round(Number((text ?? '').replace(/[^\d.-]/g, '')) * 100)
  expect(cents(total)).toBe(amounts.reduce((sum, amount) => sum + cents(amount), 0))
  const link = page.getByRole('link', { name: 'Export CSV' })
  await expect(link).toHaveAttribute('download')
  const [file] = await Promise.all([page.waitForEvent('download'), link.click()])
  const bytes = await readFile(await file.path())
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  expect(bytes.toString().trim().split('\n')).toHaveLength(wanted.body.items.length + 1)

  await page.getByRole('columnheader', { name: 'Amount' }).getByRole('link').click()
  await page.waitForURL(/sort=-amount/)
  await expect(page.getByRole('columnheader', { name: 'Amount' })).toHaveAttribute('aria-sort', 'descending')
  const sorted = await rows.locator('td[data-label="Amount"]').allTextContents()
  expect(sorted.map(cents)).toEqual(sorted.map(cents).toSorted((a, b) => b - a))

  await page.goto(`${service.url}/invoices`)
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'Updated' }).check()
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(page.getByRole('columnheader', { name: 'Updated' })).toBeAttached()
  const number = (await rows.first().getByRole('link').first().textContent()) ?? ''
  await page.getByLabel('Search invoices').fill(number.slice(0, -1))
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(rows.filter({ hasText: number })).toHaveCount(1)
  await rows.filter({ hasText: number }).getByRole('link').first().click()
  await page.waitForURL(/\/invoices\/inv_/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Invoice ${number}`)
  await expect(page.getByRole('list', { name: 'Payments' })).toContainText('Invoiced')
  await page.getByText('For developers').click()
  await expect(page.getByRole('group', { name: 'JSON' })).toContainText('"timeline"')
  const record = new URL(page.url()).pathname
  expect(faults).toEqual([])
  await close()
  for (const path of ['/invoices', record])
    await expectPageWellMade(browser, service.url, demo.viewer, path, (name) =>
      info.outputPath(`${path === record ? 'record' : 'invoices'}-${name}`),
    )
})

test('refunds, credits and write-offs: tabs, total and file are of the same records, and J goes to the first one', async ({
  browser,
  service,
}, info) => {
  test.setTimeout(120_000)
  const { page, faults, close } = await tabOf(browser, service.url, demo.viewer)
  await page.goto(`${service.url}/payments`)
  await page.getByRole('link', { name: 'Refunds and credits' }).click()
  await page.waitForURL(/\/transactions$/)
  await settled(page)
  const tabs = page.getByRole('navigation', { name: 'Status' }).getByRole('link')
  const counts = (await tabs.allTextContents()).flatMap((text) => /\d+$/.exec(text.replace(/,/g, '')) ?? [])
  const all = counts.reduce((sum, count) => sum + Number(count), 0)
  await expect(page.getByText(`${all} entries`)).toBeVisible()
  const file = await page.request.get(`${service.url}/transactions/export`)
  expect((await file.text()).trim().split('\n')).toHaveLength(all + 1)
  await page.keyboard.press('j')
  const first = page.getByRole('table').locator('tbody tr').first().getByRole('link').first()
  await expect(first).toBeFocused()
  await first.press('j')
  await page.keyboard.press('k')
  await expect(first).toBeFocused()
  await first.press('Enter')
  await page.waitForURL(/\/(invoices|projects)\//)
  expect(faults).toEqual([])
  await close()
  await expectPageWellMade(browser, service.url, demo.viewer, '/transactions', (name) =>
    info.outputPath(`transactions-${name}`),
  )
})

test('pages of a list follow each other, and lead back', async ({ browser, service }) => {
  test.setTimeout(120_000)
  const { page, close } = await tabOf(browser, service.url, demo.viewer)
  const all = new Set<string>()
  await page.goto(`${service.url}/payments`)
  for (let more = true; more; ) {
    const hrefs = page.locator('tbody th a')
    for (const href of await hrefs.evaluateAll((nodes) => nodes.map((node) => node.getAttribute('href') ?? '')))
      all.add(href.slice('/payments/'.length))
    const next = page.getByRole('link', { name: 'Next →' })
    more = await next.isVisible()
    if (more) await Promise.all([page.waitForEvent('load'), next.click()])
  }
  const last = await page.getByRole('table').getByRole('row').count()
  await Promise.all([page.waitForEvent('load'), page.getByRole('link', { name: '← Previous' }).click()])
  expect(await page.getByRole('table').getByRole('row').count()).toBeGreaterThanOrEqual(last)
  const first = await get({ url: service.url, key: demo.key }, '/api/v1/payments?limit=100')
  for (const { id } of first.body.items) expect(all).toContain(id)
  await close()
})

for (const name of RESOURCE_NAMES)
  test(`${name}: the list and a record are pages, and lead to each other`, async ({ service: { url } }) => {
    const list = await pageAs(url, demo.viewer, `/${name}?sort=updated`)
    const id = new RegExp(`href="/${name}/([a-z]{3}_[\\w-]+)"`).exec(list.text)?.[1] ?? ''
    expect([list.status, id]).toEqual([200, expect.stringMatching(/_/)])
    const moved = await pageAs(url, demo.viewer, `/data/${name}/${id}`)
    expect([moved.status, moved.location]).toEqual([308, expect.stringMatching(new RegExp(`(^|\\w)/${name}/${id}$`))])
    const record = await pageAs(url, demo.viewer, `/${name}/${id}`)
    expect([record.status, record.text.includes(`href="/${name}"`), record.text.includes(id)]).toEqual([
      200,
      true,
      true,
    ])
  })

test('a person writes a note on a customer’s project, sees it in the story, and takes it back', async ({
  browser,
  service,
}) => {
  const { page, faults, close } = await tabOf(browser, service.url, own.admin)
  await page.goto(`${service.url}/customers?query=lopez`)
  await page.getByRole('link', { name: 'Ana Lopez' }).click()
  await page.waitForURL(/\/customers\/cus_/)
  await settled(page)
  await page.getByLabel('Note').fill('Gate code has changed.')
  await page.getByRole('button', { name: /^(Save|Add note)$/ }).click()
  const story = page.getByRole('list', { name: 'Timeline' })
  await expect(story).toContainText('Gate code has changed.')
  await story.getByRole('listitem').filter({ hasText: 'Gate code' }).getByRole('link').click()
  await page.waitForURL(/\/projects\/prj_/)
  await settled(page)
  await page.getByRole('button', { name: /^Undo/ }).click()
  await expect(page.getByText(/^Undone by/)).toBeVisible()
  expect(faults).toEqual([])
  await close()
  const viewed = await pageAs(service.url, own.viewer, new URL(page.url()).pathname)
  // Everyone on the team writes notes; only administrators take one back.
  expect(viewed.text).toContain('>Add note<')
  expect(viewed.text).not.toMatch(/>Undo</)
  expect(viewed.text).not.toContain('\u202e')
})

test('a filter that cannot be says so; what is not there is 404', async ({ service }) => {
  const { text } = await pageAs(service.url, demo.viewer, '/invoices?status=nonsense')
  expect(text).toContain('These filters cannot be used.')
  expect((await pageAs(service.url, demo.viewer, '/data/contractors')).status).toBe(404)
  expect((await pageAs(service.url, demo.viewer, '/projects/prj_none')).status).toBe(404)
  const { items } = (await get({ url: service.url, key: demo.key }, '/api/v1/projects?limit=1')).body
  expect((await pageAs(service.url, demo.viewer, `/invoices/${items[0].id}`)).status).toBe(404)
})

test('roles and tenants: pages, records, uploads', async ({ service }) => {
  const { url } = service
  for (const path of ['/projects', '/projects/prj_1', '/data/load'])
    expect((await pageAs(url, { cookie: '' }, path)).location, path).toContain('/sign-in?next=')
  expect((await pageAs(url, own.viewer, '/data/load')).status).toBe(403)
  const { items } = (await get({ url, key: demo.key }, '/api/v1/projects?limit=1')).body
  const foreign = await pageAs(url, own.admin, `/projects/${items[0].id}`)
  expect([foreign.status, foreign.text.includes(items[0].name)]).toEqual([404, false])
  expect((await pageAs(url, own.admin, `/invoices?projectId=${items[0].id}`)).text).toContain('No matching invoices')

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
