import { codeOf } from '../lib/testing/authenticator'
import { expect, makeContractor, test } from './fixtures'
import { expectNoAxeFindings } from './look'
import { makePerson, openAs, signInOn } from './people'
import { expectPageWellMade, pageAs, person, tabOf } from './portal'
import { settled } from './settled'

test('sign-in: refused in words, lets in and leads to the page that was asked for, out again; no cookie for scripts', async ({
  browser,
  service,
}) => {
  const { url } = service
  const made = await makePerson(service, service.contractorId, 'developer')
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${url}/logs?status=200`)
  await settled(page)
  await signInOn(page, made)
  await page.waitForURL(`${url}/logs?status=200`)
  const cookies = await context.cookies()
  for (const { name, httpOnly, sameSite } of cookies.filter(({ name }) => name.includes('session')))
    expect([name, httpOnly, sameSite]).toEqual([name, true, 'Lax'])
  await settled(page)
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL(`${url}/`)
  const kept = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  expect((await pageAs(url, { cookie: kept }, '/logs')).status).toBe(307)
  await context.close()
})

test('an invitation: its link makes an account with its role, once', async ({ browser, service }) => {
  const { url } = service
  const { id } = await makeContractor(service.home, 'Invited Roofing')
  const admin = await person(service, id, 'admin')
  const { page, close } = await tabOf(browser, url, admin)
  await page.goto(`${url}/team`)
  await settled(page)
  await page.getByRole('button', { name: 'Invite' }).click()
  const email = `new.${crypto.randomUUID().slice(0, 8)}@example.com`
  await page.getByLabel('Email address').fill(email)
  await page.getByRole('radio', { name: /^Developer/ }).check()
  await page.getByRole('button', { name: 'Create link' }).click()
  const link = await page.getByLabel('Invitation link').inputValue()
  expect(new URL(link).pathname).toMatch(/^\/invitation\/[\w-]{43}$/)
  await close()

  const context = await browser.newContext()
  const guest = await context.newPage()
  await guest.goto(url + new URL(link).pathname)
  await settled(guest)
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText('Join Invited Roofing')
  await expectNoAxeFindings(guest)
  await guest.getByLabel('Your name').fill('New Person')
  await guest.getByLabel(/^Password/).fill('a long enough password')
  await guest.getByLabel(/^Confirm password/).fill('another password here')
  await guest.getByRole('button', { name: 'Join' }).click()
  await expect(guest.getByText('The passwords don’t match.')).toBeVisible()
  await guest.getByLabel(/^Password/).fill('a long enough password')
  await guest.getByLabel(/^Confirm password/).fill('a long enough password')
  await guest.getByRole('button', { name: 'Join' }).click()
  await guest.waitForURL((at) => at.pathname === '/')
  expect((await guest.goto(`${url}/logs`))?.status()).toBe(200)
  expect((await guest.goto(`${url}/team`))?.status()).toBe(403)
  await guest.goto(url + new URL(link).pathname)
  await expect(guest.getByRole('heading', { name: 'This invitation is no longer valid' })).toBeVisible()
  await context.close()
})

test('two-factor: on by an authenticator app’s code, asked for at the next sign-in', async ({ browser, service }) => {
  const { url } = service
  const made = await makePerson(service, service.contractorId, 'viewer')
  const context = await browser.newContext()
  const page = await context.newPage()
  await openAs(page, made, `${url}/account`)
  await page.getByRole('button', { name: 'Turn on' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Password').fill(made.password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByRole('img', { name: 'QR code' })).toBeVisible()
  await expectNoAxeFindings(page)
  const secret = await dialog.locator('code').first().textContent()
  const uri = `otpauth://totp/x?secret=${secret}`
  await dialog.getByLabel('Code from the app').fill(codeOf(uri))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await expect(page.getByText('Two-factor sign-in is on.')).toBeVisible()
  await context.close()

  const other = await browser.newContext()
  const again = await other.newPage()
  await again.goto(`${url}/sign-in?next=/account`)
  await settled(again)
  await again.getByLabel('Email address').fill(made.email)
  await again.getByLabel('Password').fill(made.password)
  await again.getByRole('button', { name: 'Sign in', exact: true }).click()
  await again.waitForURL(/\/sign-in\/code/)
  expect((await again.goto(`${url}/account`))?.url()).toContain('/sign-in')
  await again.goto(`${url}/sign-in/code?next=/account`)
  await settled(again)
  // The code that turned it on is used up; the next one already works.
  await again.getByLabel('Authenticator code').fill(codeOf(uri, Date.now() + 30_000))
  await again.getByRole('button', { name: 'Sign in', exact: true }).click()
  await again.waitForURL(`${url}/account`)
  await other.close()
})

test('team and audit: a role is changed and written down; who is no administrator, and who is of another contractor, gets nowhere', async ({
  browser,
  service,
}) => {
  const { url } = service
  const { id } = await makeContractor(service.home, 'Team Roofing')
  const admin = await person(service, id, 'admin')
  const viewer = await person(service, id, 'viewer')
  const stranger = await person(service, service.contractorId, 'admin')
  for (const path of ['/team', '/audit', '/keys', '/logs', '/usage', '/leads/lab'])
    expect([path, (await pageAs(url, viewer, path)).status]).toEqual([path, 403])
  for (const path of ['/team', '/audit']) {
    const { status, text } = await pageAs(url, stranger, path)
    expect(status).toBe(200)
    expect(text).not.toContain(viewer.email)
    expect(text).not.toContain('Team Roofing')
    expect((await pageAs(url, { cookie: '' }, path)).location).toContain('/sign-in')
  }
  const { page, close } = await tabOf(browser, url, admin)
  await page.goto(`${url}/team`)
  await settled(page)
  const row = page.getByRole('row').filter({ hasText: viewer.email })
  await row.getByRole('link', { name: /^Change/ }).click()
  await expect(page.getByText('Nothing that still works.')).toBeVisible()
  await expectNoAxeFindings(page)
  await page.getByRole('radio', { name: /^Developer/ }).check()
  await page.getByRole('button', { name: 'Change role' }).click()
  await expect(page.getByText('Role changed.')).toBeVisible()
  expect((await pageAs(url, viewer, '/logs')).status).toBe(200)
  await page.goto(`${url}/audit?event=role_changed`)
  await expect(page.getByRole('row').filter({ hasText: 'before: viewer' })).toHaveCount(1)
  await close()
})

test('sign-in, account, team and audit: fit, are calm to axe in both themes, within the script budget @slow', async ({
  browser,
  service,
}, info) => {
  test.setTimeout(180_000)
  const { url } = service
  const admin = await person(service, service.contractorId, 'admin')
  for (const path of ['/account', '/team', '/audit'])
    await expectPageWellMade(browser, url, admin, path, (name) => info.outputPath(`${path.slice(1)}-${name}`))
  await expectPageWellMade(browser, url, { ...admin, cookie: 'none=1' }, '/sign-in', (name) =>
    info.outputPath(`sign-in-${name}`),
  )
})

test('a form that another site sends changes nothing', async ({ browser, service }) => {
  const { url } = service
  const { cookie, ...made } = await person(service, service.contractorId, 'admin')
  const { context, page, close } = await tabOf(browser, url, { ...made, cookie })
  // The action's id as the page sends it, so that only the origin differs.
  const sent = page.waitForRequest((request) => request.method() === 'POST')
  await page.goto(`${url}/account`)
  await settled(page)
  await page.getByRole('button', { name: /^Account of/ }).click()
  await context.route('**', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()))
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  const action = (await sent).headers()['next-action'] ?? ''
  expect(action).toMatch(/^[0-9a-f]{40,}$/)
  await close()
  const response = await fetch(`${url}/account`, {
    method: 'POST',
    headers: {
      cookie,
      origin: 'https://example.com',
      'next-action': action,
      'content-type': 'text/plain;charset=UTF-8',
    },
    body: '["$undefined","$K1"]',
  })
  expect(response.status).toBeGreaterThanOrEqual(400)
  expect((await pageAs(url, { cookie }, '/account')).status).toBe(200)
})
