import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import { expect, makeContractor, test } from './fixtures'
import { expectNoAxeFindings, expectWellMade, openTab, SCRIPT_BUDGET } from './look'
import { cookieOf, makePerson, type SignedIn, signIn } from './people'
import { settled } from './settled'

type Side = { contractorId: string; key: string; leadKey: string }
/** Two contractors, `a` with people of every role; each test makes its own requests. */
let a: Side
let b: Side
let people: { admin: SignedIn; developer: SignedIn; viewer: SignedIn; stranger: SignedIn }
let base: string

test.beforeAll(async ({ service }) => {
  test.setTimeout(180_000)
  base = service.url
  const side = async (name: string): Promise<Side> => {
    const { id, key, leadKey } = await makeContractor(service.home, name)
    return { contractorId: id, key, leadKey }
  }
  a = await side(`Logs A ${Date.now()}`)
  b = await side(`Logs B ${Date.now()}`)
  const enter = async (contractor: string, role: 'admin' | 'developer' | 'viewer') =>
    signIn(base, await makePerson(service, contractor, role))
  people = {
    admin: await enter(a.contractorId, 'admin'),
    developer: await enter(a.contractorId, 'developer'),
    viewer: await enter(a.contractorId, 'viewer'),
    stranger: await enter(b.contractorId, 'admin'),
  }
})

/** Returns what a page or a route of the portal answers to someone, without a browser. */
async function ask(path: string, who?: SignedIn) {
  const headers = who ? { cookie: cookieOf(who) } : {}
  const answer = await fetch(base + path, { headers, redirect: 'manual' })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

/** Makes a request of the API and waits until it stands in the log; answers its id. */
async function call(path: string, { key }: Side, init: RequestInit = {}): Promise<string> {
  const answer = await fetch(base + path, { ...init, headers: { 'x-api-key': key, ...init.headers } })
  await answer.text()
  return answer.headers.get('x-request-id') ?? ''
}
const written = async (id: string, who: SignedIn): Promise<void> =>
  expect(async () => expect((await ask(`/logs/${id}`, who)).status).toBe(200)).toPass({ intervals: [50] })
async function logged(path: string, side: Side, init: RequestInit = {}): Promise<string> {
  const id = await call(path, side, init)
  await written(id, side.contractorId === a.contractorId ? people.developer : people.stranger)
  return id
}

async function open(browser: Browser, path: string, who: SignedIn, options: BrowserContextOptions = {}) {
  const tab = await openTab(browser, { storageState: who, ...options })
  await tab.page.goto(base + path)
  return tab
}

const rowsOf = (page: Page) => page.getByRole('table', { name: 'Requests, newest first' }).locator('tbody tr')
const row = (page: Page, id: string) => rowsOf(page).filter({ has: page.locator(`a[href="/logs/${id}"]`) })

test('nothing yet: both pages say what will stand here, and the command they show makes the first request', async ({
  browser,
}) => {
  const { page, close } = await open(browser, '/usage', people.developer)
  await expect(page.getByRole('heading', { name: 'No requests in this time' })).toBeVisible()
  await page.goto(`${base}/logs`)
  await expect(page.getByRole('heading', { name: 'No requests yet' })).toBeVisible()
  const command = (await page.getByRole('group', { name: 'Command' }).textContent()) ?? ''
  const done = spawnSync('sh', ['-c', `${command} -s -w '%{http_code}'`], {
    env: { ...process.env, PLUMBLINE_KEY: a.key },
    encoding: 'utf8',
  })
  expect(done.stdout).toMatch(/"items":\[\].*200$/)
  await expect(async () => {
    await page.reload()
    await expect(rowsOf(page)).toHaveCount(1)
  }).toPass()
  await expect(rowsOf(page)).toContainText('GET /api/v1/customers')
  await close()
})

test('a request stands in the log with what was asked, by which key, from where, and how it ended', async ({
  browser,
}) => {
  const began = Date.now()
  const id = await logged('/api/v1/invoices/inv_none_1', a)
  console.log(`in the log after ${Date.now() - began} ms`)
  const { page, faults, close } = await open(browser, '/logs', people.developer)
  const cells = row(page, id)
  for (const text of ['GET /api/v1/invoices/inv_none_1', '404', 'not_found', 'e2e', ' ms'])
    await expect(cells).toContainText(text)
  await expect(rowsOf(page).first()).toContainText('inv_none_1')
  expect(faults).toEqual([])
  await close()
})

test('filters stand in the URL, alone and together, by keyboard and without script', async ({ browser }) => {
  const fine = await logged('/api/v1/projects?limit=1', a)
  const missing = await logged('/api/v1/projects/prj_none', a)
  const lead = await logged('/api/webhooks/leads/inbound', { ...a, key: a.leadKey }, { method: 'POST' })
  const { page, close } = await open(browser, '/logs', people.developer, { javaScriptEnabled: false })
  await page.getByRole('search').getByLabel('Status').focus()
  await page.keyboard.type('4xx')
  await page.getByLabel('Path begins with').fill('/api/v1/projects')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${base}/logs?status=4xx&path=%2Fapi%2Fv1%2Fprojects`)
  await expect(row(page, missing)).toHaveCount(1)
  await expect(rowsOf(page)).toHaveCount(1)
  await expect(page.getByRole('search').getByLabel('Status')).toHaveValue('4xx')
  const found = async (query: string) => {
    await page.goto(`${base}/logs?${query}`)
    const all = [fine, missing, lead]
    const there = await Promise.all(all.map(async (id) => (await row(page, id).count()) === 1))
    return ['fine', 'missing', 'lead'].filter((_, at) => there[at])
  }
  expect(await found('method=POST')).toEqual(['lead'])
  expect(await found('status=200&endpoint=list_projects')).toEqual(['fine'])
  expect(await found('status=404')).toEqual(['missing'])
  expect(await found('address=203.0.113.77')).toEqual([])
  expect(await found('path=/api/v1/')).toEqual(['fine', 'missing'])
  expect(await found('from=2026-01-01')).toEqual(['fine', 'missing', 'lead'])
  expect(await found('to=2026-01-01')).toEqual([])
  await expect(page.getByRole('heading', { name: 'No request matches' })).toBeVisible()
  await page.goto(`${base}/logs`)
  const choice = page.getByRole('search').getByLabel('Key', { exact: true })
  const last4 = a.leadKey.slice(-4)
  const option = await choice.locator('option', { hasText: last4 }).textContent()
  await choice.selectOption(option ?? '')
  await page.getByRole('button', { name: 'Filter' }).click()
  await expect(page).toHaveURL(/\/logs\?key=key_\w+$/)
  await expect(rowsOf(page)).toHaveCount(1)
  await expect(row(page, lead)).toHaveCount(1)
  await page.getByRole('link', { name: 'Clear' }).click()
  await page.getByText('More filters').click()
  await page.getByRole('search').getByLabel('Request id').fill(missing.slice(4))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${base}/logs/${missing}`)
  await close()
})

test('time range, figures, saved filters, a file, and two requests side by side @slow', async ({ browser }, info) => {
  const fine = await logged('/api/v1/payments?limit=2', a)
  const refused = await logged('/api/v1/payments?limit=900&status=%3D1%2B1', a)
  const { page, faults, close } = await open(browser, '/logs', people.developer)
  const range = page.getByRole('navigation', { name: 'Time range' })
  await range.getByRole('link', { name: 'Hour', exact: true }).click()
  await expect(page).toHaveURL(`${base}/logs?period=1h`)
  await expect(range.getByRole('link', { name: 'Hour', exact: true })).toHaveAttribute('aria-current', 'true')
  await page.getByRole('main').getByRole('definition').nth(1).getByRole('link').click()
  await expect(page).toHaveURL(`${base}/logs?status=failed&period=1h`)
  await range.getByRole('link', { name: 'Today' }).click()
  await expect(range.getByRole('link', { name: 'Today' })).toHaveAttribute('aria-current', 'true')
  await expect(page.getByRole('table').locator('tbody')).toContainText('/api/v1/payments')
  await page.goto(`${base}/logs?endpoint=list_payments&period=1h`)
  await expect(page.getByRole('figure', { name: 'Requests over time' })).toBeVisible()
  await expect(page.getByRole('main').getByRole('definition').first()).toBeVisible()
  await expect(page.getByRole('main').getByRole('definition')).toHaveText([/^2$/, '1 (50.0%)', /ms$/, /ms$/])
  await settled(page)
  await page.getByText('Save these filters').click()
  await page.getByLabel('Name', { exact: true }).fill('Payments now')
  await page.keyboard.press('Enter')
  const saved = page.getByRole('navigation', { name: 'Saved filters' }).getByRole('link', { name: 'Payments now' })
  await expect(saved).toHaveAttribute('aria-current', 'true')
  await page.goto(`${base}/logs`)
  await saved.click()
  await expect(page).toHaveURL(`${base}/logs?endpoint=list_payments&period=1h`)
  await expectWellMade(page, (name) => info.outputPath(`figures-${name}`))
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export CSV' }).click(),
  ])
  const lines = (await readFile(await file.path(), 'utf8')).trim().split('\n')
  expect(lines).toHaveLength(3)
  expect(lines[1]).toContain(`${refused},`)
  expect((await ask('/logs/export', people.viewer)).status).toBe(403)
  expect((await ask('/logs/export')).headers.get('location')).toContain('/sign-in')

  await page.goto(`${base}/logs/${refused}`)
  await expect(page.getByRole('region', { name: 'What went wrong' })).toContainText(
    'limit: must be a whole number from 1 to 100',
  )
  await expect(page.getByRole('main')).not.toContainText('`')
  await page.getByRole('link', { name: 'With this key’s last successful request to this operation' }).click()
  await expect(page).toHaveURL(`${base}/logs/compare?a=${fine}&b=${refused}`)
  await expect(page.getByRole('row', { name: /Parameter limit/ })).toContainText(/2\s*900/)
  await expectWellMade(page, (name) => info.outputPath(`compare-${name}`))
  const lead = await logged('/api/webhooks/leads/inbound', { ...a, key: a.leadKey }, { method: 'POST', body: '{}' })
  await page.goto(`${base}/logs/${lead}`)
  await page.getByRole('link', { name: /^Lead without a name/ }).click()
  await page.waitForURL(/\/leads\/dlv_/)
  await page.getByRole('link', { name: 'Show in the log' }).click()
  await expect(page).toHaveURL(`${base}/logs/${lead}`)
  expect(faults).toEqual([])
  await close()
})

test('what cannot be a filter is told at its field; a cursor that is none leads to the first page', async ({
  browser,
}) => {
  const { page, close } = await open(browser, '/logs?status=9xx&from=soon&id=req_1', people.developer)
  await expect(page.getByText('A status such as 404, a class such as 4xx, failed or limited.')).toBeVisible()
  await expect(page.getByLabel('From (UTC)')).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByRole('search').getByLabel('Request id')).toHaveValue('req_1')
  await page.goto(`${base}/logs?status=4xx&before=x`)
  await expect(page).toHaveURL(`${base}/logs?status=4xx`)
  await close()
})

test('pages go on behind the last row, each request once', async ({ browser }) => {
  const ids: string[] = []
  for (let n = 0; n < 53; n++) ids.push(await call(`/api/v1/estimates?limit=${(n % 9) + 1}`, a))
  await written(ids.at(-1) ?? '', people.developer)
  const { page, close } = await open(browser, '/logs?endpoint=list_estimates', people.developer)
  const seen: string[] = []
  const collect = async () =>
    seen.push(
      ...(await rowsOf(page)
        .locator('a')
        .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))),
    )
  await collect()
  await page.getByRole('link', { name: 'Next' }).click()
  await expect(page.getByRole('link', { name: 'First' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Follow live' })).toBeHidden()
  await collect()
  const newestFirst = [...ids].reverse().map((id) => `/logs/${id}`)
  expect(seen).toEqual(newestFirst)
  await page.getByRole('link', { name: 'Previous' }).click()
  await expect(page.getByRole('link', { name: 'Previous' })).toBeHidden()
  await expect(rowsOf(page)).toHaveCount(50)
  seen.length = 0
  await collect()
  expect(seen).toEqual(newestFirst.slice(0, 50))
  await close()
})

test('one request: everything kept, what its error means, and a command that makes it again', async ({ browser }) => {
  const good = await logged('/api/v1/customers?limit=2', a)
  const { page, faults, close } = await open(browser, `/logs/${good}`, people.developer)
  const facts = page.getByRole('main')
  for (const text of [good, 'list_customers', 'limit=2', 'e2e', 'node']) await expect(facts).toContainText(text)
  const command = (await page.getByRole('group', { name: 'The request in curl' }).textContent()) ?? ''
  expect(command).toBe(`curl '${base}/api/v1/customers?limit=2' \\\n  -H "x-api-key: $PLUMBLINE_KEY"`)
  const done = spawnSync('sh', ['-c', `${command} -s -o /dev/null -w '%{http_code}'`], {
    env: { ...process.env, PLUMBLINE_KEY: a.key },
    encoding: 'utf8',
  })
  expect(done.stdout).toBe('200')
  await page.getByRole('link', { name: 'Requests to the same path' }).click()
  await expect(page).toHaveURL(`${base}/logs?path=%2Fapi%2Fv1%2Fcustomers`)
  await expect(row(page, good)).toHaveCount(1)
  await row(page, good).getByRole('link').click()
  await page.getByRole('link', { name: 'Requests with the same key' }).click()
  await expect(row(page, good)).toHaveCount(1)
  const bad = await logged('/api/v1/customers?limit=0', a)
  await page.goto(`${base}/logs/${bad}`)
  await expect(page.getByRole('heading', { name: 'What went wrong' })).toBeVisible()
  await expect(facts).toContainText('The response lists each invalid field')
  expect(await page.getByText(a.key).count()).toBe(0)
  expect(faults).toEqual([])
  await page.goto(`${base}/logs/req_019aa1b0-7f1e-7b59-9d3e-0a8d5b1f7c2a`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found')
  await close()
})

test('the live view: new requests come on top and are counted; paused nothing moves', async ({ browser }) => {
  const { page, faults, close } = await open(browser, '/logs?path=/api/v1/inv', people.developer)
  const switched = page.getByRole('button', { name: 'Follow live' })
  await expect(switched).toBeVisible()
  // Between the page and the switch: must not be missed.
  const early = await logged('/api/v1/invoices?limit=1', a)
  await switched.focus()
  await page.keyboard.press('Enter')
  await expect(row(page, early)).toHaveCount(1)
  await expect(page.getByRole('status').filter({ hasText: '1 new request' })).toBeVisible()
  const [next, other] = [await logged('/api/v1/invoices?limit=2', a), await logged('/api/v1/customers?limit=3', a)]
  await expect(rowsOf(page).first().locator('a')).toHaveAttribute('href', `/logs/${next}`)
  await expect(page.getByRole('status').filter({ hasText: '2 new requests' })).toBeVisible()
  await expect(row(page, other)).toHaveCount(0)
  await expectNoAxeFindings(page)
  await page.getByRole('button', { name: 'Pause' }).click()
  const asked: string[] = []
  page.on('request', (request) => request.url().includes('/logs/tail') && asked.push(request.url()))
  const whilePaused = await logged('/api/v1/invoices?limit=4', a)
  await page.waitForTimeout(2_500)
  expect(asked).toEqual([])
  await expect(row(page, whilePaused)).toHaveCount(0)
  await page.getByRole('button', { name: 'Follow live' }).click()
  await expect(row(page, whilePaused)).toHaveCount(1)
  expect(faults).toEqual([])
  await close()
})

test('who is not signed in, and a viewer, reach none of it', async () => {
  const id = await logged('/api/v1/customers?limit=1', a)
  for (const path of ['/logs', `/logs/${id}`, '/usage']) {
    const out = await ask(path)
    expect([out.status, out.headers.get('location')], path).toEqual([307, `/sign-in?next=${encodeURIComponent(path)}`])
    const viewer = await ask(path, people.viewer)
    expect(viewer.status, path).toBe(403)
    expect(viewer.text).not.toContain('list_customers')
    expect((await ask(path, people.developer)).status, path).toBe(200)
  }
  const tail = `/logs/tail?contractor=${a.contractorId}`
  expect(await ask(tail)).toMatchObject({ status: 401, text: expect.stringContaining('"code":"unauthorized"') })
  expect(await ask(tail, people.viewer)).toMatchObject({ status: 403 })
  const { status, headers, text } = await ask(tail, people.developer)
  expect([status, headers.get('cache-control'), Object.keys(JSON.parse(text))]).toEqual([
    200,
    'no-store',
    ['rows', 'cursor', 'more'],
  ])
})

test('a contractor sees no row of another, also by id, key, cursor or name', async ({ browser }) => {
  const canary = await logged('/api/v1/customers/cus_do-not-leak', a)
  const own = await logged('/api/v1/projects?limit=7', b)
  const { page, close } = await open(browser, '/logs', people.stranger)
  await expect(row(page, own)).toHaveCount(1)
  await expect(page.getByText('do-not-leak')).toHaveCount(0)
  await close()
  const keyOfA = /key=(key_\w+)/.exec((await ask(`/logs/${canary}`, people.developer)).text)?.[1] ?? ''
  expect(keyOfA).not.toBe('')
  for (const path of [`/logs?key=${keyOfA}`, '/logs?path=/api/v1/customers', '/usage', `/usage?key=${keyOfA}`]) {
    const { status, text } = await ask(path, people.stranger)
    expect(status, path).toBe(200)
    expect(text, path).not.toContain('do-not-leak')
    expect(text, path).not.toContain('get_customer')
  }
  expect((await ask(`/logs/${canary}`, people.stranger)).status).toBe(404)
  const tail = (contractor: string) =>
    ask(`/logs/tail?contractor=${contractor}&after=2026-01-01T00:00:00.000Z_${canary.slice(4)}`, people.stranger)
  expect((await tail(a.contractorId)).status).toBe(403)
  const { status, text } = await tail(b.contractorId)
  expect([status, text.includes('do-not-leak'), text.includes(own)]).toEqual([200, false, true])
})

test('usage counts it by time, operation and key, and leads to the requests', async ({ browser }) => {
  const id = await logged('/api/v1/invoices/inv_used', a)
  await logged('/api/webhooks/leads/inbound', { ...a, key: a.leadKey }, { method: 'POST' })
  const { page, faults, close } = await open(browser, '/usage?range=7d', people.developer)
  const operations = page.getByRole('table', { name: 'Usage by operation' })
  await expect(operations.getByRole('row').filter({ hasText: 'get_invoice' })).toContainText('API')
  await expect(page.getByRole('table', { name: 'Usage by key' }).getByRole('row')).toHaveCount(3)
  await expect(page.getByRole('img', { name: /^Requests per hour: [1-9]/ })).toBeVisible()
  // Half a request is no figure of its axis; a duration beside it may be 2.5 s.
  await expect(page.locator('svg').getByText('2.5')).toHaveCount(0)
  await page.getByText('Figures as a table').click()
  const figures = page.getByRole('table', { name: 'Requests per hour' })
  await expect(figures.getByRole('row')).toHaveCount(169)
  // Of the last two hours, because one may have begun since.
  const shown = await figures.locator('tr:nth-last-child(-n+2) > td:nth-of-type(1)').allTextContents()
  expect(shown).toHaveLength(2)
  expect(shown.some((text) => Number(text.replace(',', '')) > 0)).toBe(true)
  await page.getByRole('link', { name: '30 days' }).click()
  await expect(page.getByRole('link', { name: '30 days' })).toHaveAttribute('aria-current', 'page')
  await operations.getByRole('link', { name: 'requests of get_invoice' }).click()
  await expect(page).toHaveURL(/\/logs\?path=%2Fapi&endpoint=get_invoice&from=/)
  await expect(row(page, id)).toHaveCount(1)
  expect(faults).toEqual([])
  await close()
})

test('the pages of the log fit, axe finds nothing, scripts within the budget @slow', async ({ browser }, info) => {
  const id = await logged('/api/v1/customers?limit=0', a)
  const pages = { logs: '/logs', filtered: '/logs?status=4xx&method=GET', request: `/logs/${id}`, usage: '/usage' }
  for (const [name, path] of Object.entries(pages)) {
    const { page, faults, scriptBytes, close } = await open(browser, path, people.developer)
    await settled(page)
    await expectWellMade(page, (look) => info.outputPath(`${name}-${look}`))
    expect(faults).toEqual([])
    expect(scriptBytes()).toBeLessThan(SCRIPT_BUDGET)
    console.log(`${path}: ${scriptBytes()} bytes of script, gzipped`)
    await close()
  }
})

test('the quick start sees the first request after it was opened, of this contractor', async ({ browser }) => {
  const path = '/developers/first-request'
  const since = `?since=${new Date().toISOString()}`
  expect(await ask(path + since)).toMatchObject({ status: 200, text: expect.stringContaining('signed-out') })
  expect((await ask(path + since, people.viewer)).status).toBe(403)
  expect((await ask(path, people.developer)).status).toBe(400)
  const { page, close } = await open(browser, '/developers/guides/quick-start', people.developer)
  await expect(page.getByText('Waiting for your first request…')).toBeVisible()
  await logged('/api/v1/projects?limit=9', b)
  expect(JSON.parse((await ask(path + since, people.developer)).text)).toEqual({ state: 'waiting' })
  await logged('/api/v1/payments?limit=1', a)
  await expect(page.getByText('Your first request is here: GET /api/v1/payments, answered with 200')).toBeVisible()
  await close()
})

test('the explorer issues a key that works, to a developer and for their own contractor only', async ({ browser }) => {
  const { page, close } = await open(browser, '/developers/api', people.developer)
  const button = page.getByRole('button', { name: 'Create a test key' })
  await settled(page)
  await button.click()
  await expect(page.getByText('Using the key')).toBeVisible()
  const key = await page.evaluate(() => Object.values({ ...sessionStorage }).join())
  expect((await fetch(`${base}/api/v1/customers`, { headers: { 'x-api-key': key } })).status).toBe(200)
  expect(
    (await fetch(`${base}/api/webhooks/leads/inbound`, { method: 'POST', headers: { 'x-api-key': key } })).status,
  ).toBe(403)
  await page.getByRole('button', { name: 'Change key' }).click()
  await page.route('**/developers/api*', (route, request) =>
    request.method() === 'POST'
      ? route.continue({ postData: request.postData()?.replaceAll(a.contractorId, b.contractorId) ?? '' })
      : route.continue(),
  )
  await button.click()
  await expect(page.getByText('You are not on this contractor’s team.')).toBeVisible()
  await close()
  const viewer = await open(browser, '/developers/api', people.viewer)
  await expect(viewer.page.getByRole('button', { name: 'Use key' })).toBeVisible()
  await expect(viewer.page.getByRole('button', { name: 'Create a test key' })).toHaveCount(0)
  await viewer.close()
  const admin = await open(browser, '/audit', people.admin)
  await expect(admin.page.getByRole('row').filter({ hasText: 'Explorer, developer' })).toHaveCount(1)
  await admin.close()
})
