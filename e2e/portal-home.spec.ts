import { expect, makeContractor, test } from './fixtures'
import { expectNoAxeFindings } from './look'
import { makePerson, signIn } from './people'
import { expectPageWellMade, pageAs, person, tabOf } from './portal'
import { command } from './running'
import { settled } from './settled'

test('Home: what is still to be set up, how the business stands, what needs a person; a viewer sees the business’s part', async ({
  browser,
  service,
}, info) => {
  test.slow()
  const { url } = service
  const { id, leadKey } = await makeContractor(service.home, 'Home Roofing')
  const admin = await person(service, id, 'admin')
  const send = (body: object) =>
    fetch(`${url}/api/webhooks/leads/inbound`, {
      method: 'POST',
      headers: { 'x-api-key': leadKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  await send({ firstName: 'Ana', lastName: 'Lopez', phone: '(615) 555-0142' })
  await send({ firstName: 'Ana' })
  await expectPageWellMade(
    browser,
    url,
    admin,
    '/',
    (name) => info.outputPath(`home-${name}`),
    async (page) => {
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Home Roofing')
      const steps = page.getByRole('region', { name: 'Get started' })
      await expect(steps).toContainText('of 5 done')
      await expect(steps.getByRole('link', { name: 'Load files' })).toHaveAttribute('href', '/data/load')
      const figures = page.getByRole('region', { name: 'Today' })
      await expect(figures).toContainText('Leads this week')
      await expect(figures.getByRole('link', { name: 'Open', exact: true })).toHaveAttribute(
        'href',
        '/reports/who-owes',
      )
      const needed = page.getByRole('region', { name: 'Needs you' })
      await expect(needed).toContainText('1 lead could not be read')
      await expect(needed.getByRole('link', { name: 'Fix' })).toHaveAttribute('href', /^\/leads\/\w+_\w+$/)
    },
  )
  const viewer = await person(service, id, 'viewer')
  const { text } = await pageAs(url, viewer, '/')
  for (const name of ['Last load', 'Leads this week', 'Overdue']) expect(text).toContain(name)
  for (const name of ['Get started', 'could not be read', 'Requests today']) expect(text).not.toContain(name)
})

test('who serves two contractors: a record that is not there keeps the frame; switching keeps the page or falls back to its list', async ({
  browser,
  service,
}) => {
  test.slow()
  const { url, home, contractorId } = service
  const { id } = await makeContractor(home, 'Second Roofing')
  const made = await makePerson(service, contractorId, 'admin')
  const said = await command(home, 'admin', 'create', '--contractor', id, '--email', made.email, '--json')
  const link = /\/invitation\/[\w-]+/.exec(said)?.[0] ?? ''
  const context = await browser.newContext({ storageState: await signIn(url, made) })
  const page = await context.newPage()
  await page.goto(url + link)
  await settled(page)
  await page.getByRole('button', { name: /^Join/ }).click()
  await page.waitForURL(`${url}/`)
  await page.goto(`${url}/customers`)
  await settled(page)
  const switchTo = async (name: string) => {
    await page.getByRole('button', { name: /^Contractor: / }).click()
    await page.getByRole('menuitem', { name }).click()
    await expect(page.getByRole('button', { name: `Contractor: ${name}` })).toBeVisible()
    await settled(page)
  }
  const missing = await page.goto(`${url}/customers/cus_01jb2w9r4s8kq0v6m3n5x7y9za`)
  expect(missing?.status()).toBe(404)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found')
  await expect(page.getByRole('main')).toContainText('If the page belongs to another of your contractors')
  await expect(page.getByRole('banner')).toHaveCount(1)
  await expectNoAxeFindings(page)
  await switchTo('Second Roofing')
  await expect(page).toHaveURL(`${url}/customers`)
  await page.goto(`${url}/nothing-here`)
  await expect(page.getByRole('button', { name: 'Contractor: Second Roofing' })).toBeVisible()
  await expect(page.getByRole('banner')).toHaveCount(1)
  await context.close()
})

test('the palette finds records by name and number, guides by text, and does things', async ({ browser, service }) => {
  const { url, contractorId } = service
  const account = await person(service, contractorId, 'admin')
  // It is opened again while it closes.
  const { page, faults, close } = await tabOf(browser, url, account, { reducedMotion: 'no-preference' })
  const { items } = await (
    await fetch(`${url}/api/v1/customers?limit=1`, { headers: { 'x-api-key': service.key } })
  ).json()
  await page.goto(`${url}/customers`)
  await settled(page)
  // What is typed at once is kept, though the palette is loaded when it first opens.
  const search = async (text: string) => {
    await page.keyboard.press('Control+k')
    await page.keyboard.type(text)
    await expect(page.getByRole('combobox', { name: 'Search' })).toHaveValue(text)
  }
  await search(items[0].name)
  await expect(page.getByRole('option').first()).toContainText(items[0].name)
  await expectNoAxeFindings(page)
  await page.keyboard.press('Escape')
  await search(items[0].id)
  await expect(page.getByRole('option').first()).toContainText(items[0].name)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${url}/customers/${items[0].id}`)
  await settled(page)
  await search('dark theme')
  await expect(page.getByRole('option').first()).toContainText('Dark theme')
  await page.keyboard.press('Enter')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await search('retry-after')
  await expect(page.getByRole('option').first()).toContainText('guide')
  await page.keyboard.press('Escape')
  expect(faults).toEqual([])
  await close()
})
