import { expect, makeContractor, test } from './fixtures'
import { atKeyboard } from './keyboard'
import { ANA, post } from './lead'
import { type Account, expectPageWellMade, pageAs, person, tabOf } from './portal'
import { settled } from './settled'

/** A lead with nothing to reach the person by, and characters that would turn the page's text around. */
const BAD = JSON.stringify({ firstName: 'Bo\u202eb', lastName: '<b>Tables</b>', notes: '<script>alert(1)</script>' })

type Cast = { id: string; leadKey: string; admin: Account; developer: Account; viewer: Account; refusedId: string }
let cast: Cast
let other: Cast

// Each goes on with what those before it sent.
test.describe.configure({ mode: 'serial' })

test.beforeAll(async ({ service }) => {
  test.setTimeout(180_000)
  const make = async (name: string): Promise<Cast> => {
    const { id, leadKey } = await makeContractor(service.home, `${name} ${process.pid}`)
    const [admin, developer, viewer] = [
      await person(service, id, 'admin'),
      await person(service, id, 'developer'),
      await person(service, id, 'viewer'),
    ]
    return { id, leadKey, admin, developer, viewer, refusedId: '' }
  }
  cast = await make('Lead Roofing')
  other = await make('Other Roofing')
})

test('before the first lead the page teaches how to send one, at the real address', async ({
  browser,
  service,
}, info) => {
  await expectPageWellMade(browser, service.url, cast.developer, '/leads', (name) =>
    info.outputPath(`leads-empty-${name}`),
  )
  const { text } = await pageAs(service.url, cast.developer, '/leads')
  expect(text).toContain('No leads yet')
  expect(text).toContain(`${service.url}/api/webhooks/leads/inbound`)
})

test('a lead shows up with its project, a refused one with its reason, and what a stranger wrote is text', async ({
  browser,
  service,
}, info) => {
  test.setTimeout(180_000)
  const sent = { ...ANA, externalId: 'portal-1', leadSource: 'Google Ads' }
  expect((await post(service.url, cast.leadKey, sent)).status).toBe(201)
  expect((await post(service.url, cast.leadKey, BAD)).status).toBe(400)
  expect((await post(service.url, other.leadKey, BAD)).status).toBe(400)

  const { page, faults, close } = await tabOf(browser, service.url, cast.admin)
  await page.goto(`${service.url}/leads`)
  const rows = page.getByRole('table').getByRole('row')
  await expect(rows).toHaveCount(3)
  await expect(rows.nth(1)).toContainText('Needs fixing')
  await expect(rows.nth(1)).toContainText('Bob <b>Tables</b>')
  await expect(rows.nth(1)).toContainText('is required when there is no phone number')
  await expect(rows.nth(2).getByRole('link', { name: 'Job 1' })).toHaveAttribute('href', /^\/projects\/prj_/)

  await page.getByRole('navigation', { name: 'Status' }).getByRole('link', { name: 'Needs fixing' }).click()
  await page.waitForURL(/outcome=refused/)
  await expect(rows).toHaveCount(2)
  await rows.nth(1).getByRole('link').first().click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Lead of Bob <b>Tables</b>')
  await settled(page)
  cast.refusedId = page.url().split('/').pop() ?? ''
  await expect(page.getByText('Ask for an email address or a phone number')).toBeVisible()
  // What a stranger wrote is text, and what turns text around is gone.
  await expect(page.getByRole('group', { name: 'Body' })).toContainText('<script>alert(1)</script>')
  expect(await page.content()).not.toContain('\u202e')
  await expectPageWellMade(browser, service.url, cast.admin, `/leads/${cast.refusedId}`, (name) =>
    info.outputPath(`delivery-${name}`),
  )

  await close()
  expect(faults).toEqual([])
})

test('why was a lead refused, and recovered: by keyboard alone', async ({ browser, service }, info) => {
  const { page, faults, close } = await tabOf(browser, service.url, cast.admin)
  await page.goto(`${service.url}/leads`)
  await settled(page)
  const person = atKeyboard(page)
  await person.to(/^Bob <b>Tables/)
  await person.press('Enter')
  await expect(page.getByText('is required when there is no phone number').first()).toBeVisible()
  await settled(page)
  const status = page.getByRole('main').getByRole('status').filter({ hasText: 'Replayed now' })
  await expect(status).toContainText('Still refused. Email is required')
  await person.to('Email')
  await person.type('bob at example')
  await expect(status).toContainText('Email is not an email address')
  await person.press('ControlOrMeta+a')
  await person.type('bob@example.com')
  await expect(status).toContainText('Creates job 2, for a new customer.')
  await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0)
  await person.to('Fix and replay')
  await person.press('Enter')
  await expect(page.getByRole('link', { name: 'Recovered as job 2' })).toBeFocused()
  await person.press('Enter')
  await page.waitForURL(/\/projects\/prj_/)
  info.annotations.push({ type: 'steps', description: JSON.stringify(person.done) })
  expect(person.done.steps).toBeLessThanOrEqual(6)
  await page.goto(`${service.url}/leads`)
  await expect(page.getByRole('row').filter({ hasText: 'Fixed' })).toContainText('Job 2')
  expect(faults).toEqual([])
  await close()
  const { text } = await pageAs(service.url, cast.admin, '/projects?status=lead')
  expect(text).toContain('Bob &lt;b&gt;Tables')
  const audit = await pageAs(service.url, cast.admin, '/audit')
  expect(audit.text).toContain('replayed the lead')
})

test('the dialog that runs a lead again stands in both themes, at both widths @slow', async ({
  browser,
  service,
}, info) => {
  await expectPageWellMade(
    browser,
    service.url,
    cast.admin,
    `/leads/${cast.refusedId}`,
    (name) => info.outputPath(`replay-${name}`),
    async (page) => {
      await page.getByRole('button', { name: 'Replay', exact: true }).click()
      await page.getByRole('button', { name: 'Edit body' }).click()
    },
  )
})

test('the lab reads a body, makes nothing, and shows a duplicate of what came before; by keyboard', async ({
  browser,
  service,
}, info) => {
  test.setTimeout(120_000)
  const { page, faults, close } = await tabOf(browser, service.url, cast.developer)
  await page.goto(`${service.url}/leads/lab`)
  await settled(page)
  const result = page.getByRole('region', { name: 'What would happen' })
  await page.getByRole('button', { name: 'Use an example' }).press('Enter')
  await page.getByRole('button', { name: 'Try it' }).press('Enter')
  await expect(result).toContainText('a project would be created')
  await expect(result).toContainText('Website form')
  await expect(result).toContainText('“website”')
  await expect(result).toContainText('(615) 555-0142')
  await page.getByLabel('Body', { exact: true }).fill(JSON.stringify({ ...ANA, externalId: 'portal-1' }))
  await page.getByRole('button', { name: 'Try it' }).press('Enter')
  await expect(result).toContainText('duplicate: nothing would be created')
  await page.getByLabel('Body', { exact: true }).fill('{"Full Name":"Sam Hill","Email":"sam@example.com"}')
  await page.getByRole('button', { name: 'Try it' }).press('Enter')
  await expect(result).toContainText('zapier')
  await page.getByLabel('Sender').selectOption('inbound')
  await page.getByRole('button', { name: 'Try it' }).press('Enter')
  await expect(result).toContainText('would be refused')
  expect(faults).toEqual([])
  await close()
  const { text } = await pageAs(service.url, cast.developer, '/leads?outcome=created')
  expect(text).not.toContain('Sam Hill')
  await expectPageWellMade(
    browser,
    service.url,
    cast.developer,
    '/leads/lab',
    (name) => info.outputPath(`lab-${name}`),
    async (page) => {
      await page.getByRole('button', { name: 'Use an example' }).click()
      await page.getByRole('button', { name: 'Try it' }).click()
      await expect(page.getByRole('table')).toBeVisible()
    },
  )
})

test('pages and actions: who is not signed in, a viewer, a developer, and someone of another contractor', async ({
  browser,
  service,
}) => {
  const { url } = service
  const delivery = `/leads/${cast.refusedId}`
  for (const path of ['/leads', delivery, '/leads/lab']) {
    const { location } = await pageAs(url, { cookie: '' }, path)
    expect(location, path).toContain('/sign-in?next=')
    expect((await pageAs(url, cast.viewer, path)).status, path).toBe(path === '/leads' ? 200 : 403)
    expect((await pageAs(url, cast.developer, path)).status, path).toBe(200)
  }
  const read = (await pageAs(url, cast.viewer, '/leads')).text
  expect([read.includes('/projects/prj_'), read.includes(cast.refusedId)]).toEqual([true, false])
  const foreign = await pageAs(url, other.admin, delivery)
  expect([foreign.status, foreign.text.includes('Tables')]).toEqual([404, false])
  expect((await pageAs(url, cast.developer, delivery)).text).not.toContain('Replay</button>')

  // The other's own form, sent for a contractor that is not theirs, and for a delivery that is not theirs.
  const { page, close } = await tabOf(browser, url, other.admin)
  await page.goto(`${url}/leads`)
  await page.getByRole('table').getByRole('link').first().click()
  await page.waitForURL(/\/leads\/dlv_/)
  await settled(page)
  const form = page.getByRole('main').locator('form')
  const send = async (name: string, value: string) => {
    await form.locator(`input[name=${name}]`).evaluate((input, text) => input.setAttribute('value', text), value)
    await page.getByRole('button', { name: 'Fix and replay' }).click()
  }
  await send('contractorId', cast.id)
  await expect(form.getByText('You are not on this contractor’s team.')).toBeVisible()
  await page.reload()
  await settled(page)
  await send('id', cast.refusedId)
  await expect(form.getByText('There is no delivery with this id.')).toBeVisible()
  await close()
})

test('a form sent from another site is refused', async ({ browser, service }) => {
  const { page, context, close } = await tabOf(browser, service.url, cast.admin)
  const kept = async () =>
    (await pageAs(service.url, cast.admin, '/leads')).text.match(/href="\/leads\/dlv_\w+"/g)?.length
  await page.goto(`${service.url}/leads/${cast.refusedId}`)
  await settled(page)
  await context.route('**/leads/dlv_*', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  )
  await page.getByRole('button', { name: 'Replay', exact: true }).click()
  const sending = page.waitForRequest((request) => request.method() === 'POST')
  await page.getByRole('dialog').getByRole('button', { name: 'Replay', exact: true }).click()
  const request = await sending
  const { 'next-action': action = '', 'content-type': type = '' } = request.headers()
  const send = async (origin: string) => {
    const headers = { 'next-action': action, 'content-type': type, cookie: cast.admin.cookie, origin }
    const answer = await fetch(request.url(), { method: 'POST', headers, body: request.postData() })
    return answer.text()
  }
  const before = await kept()
  expect(await send('https://example.com')).not.toContain('It was refused again.')
  expect(await kept()).toBe(before)
  // The very same request from here is taken, so it was the origin that it was refused for.
  expect(await send(service.url)).toContain('It was refused again.')
  expect(await kept()).toBe((before ?? 0) + 1)
  await close()
})
