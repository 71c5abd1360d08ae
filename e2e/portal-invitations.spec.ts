import type { Browser } from '@playwright/test'
import { expect, makeContractor, type Service, test } from './fixtures'
import { expectWellMade } from './look'
import { type Account, pageAs, person, tabOf } from './portal'
import { plumbline } from './running'
import { settled } from './settled'

const newAddress = () => `owner.${crypto.randomUUID().slice(0, 8)}@example.com`
const OWN = 'the owner’s own password'

/** Creates a contractor with an administrator. */
async function team(service: Service, name: string) {
  const { id } = await makeContractor(service.home, name)
  return { id, admin: await person(service, id, 'admin') }
}

/** Returns the path of a link that an administrator creates in the portal. */
async function inviteAs(browser: Browser, url: string, admin: Account, email: string): Promise<string> {
  const { page, close } = await tabOf(browser, url, admin)
  await page.goto(`${url}/team`)
  await settled(page)
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByLabel('Email address').fill(email)
  await page.getByRole('button', { name: 'Create link' }).click()
  const link = await page.getByLabel('Invitation link').inputValue()
  await close()
  return new URL(link).pathname
}

/** Opens a link in a new person's tab. */
async function opened(browser: Browser, url: string, path: string) {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(url + path)
  await settled(page)
  return { context, page }
}

test('an address taken with an administrator’s link: the operator’s link hands the account to its owner, and whoever took it is out @slow', async ({
  browser,
  service,
}, info) => {
  test.setTimeout(240_000)
  const { url } = service
  const email = newAddress()
  const { admin } = await team(service, 'Squatting Roofing')
  const squatter = await opened(browser, url, await inviteAs(browser, url, admin, email))
  await squatter.page.getByLabel('Your name').fill('Squatter')
  await squatter.page.getByLabel(/^Password/).fill('the password of a squatter')
  await squatter.page.getByLabel(/^Confirm password/).fill('the password of a squatter')
  await squatter.page.getByRole('button', { name: 'Join' }).click()
  await squatter.page.waitForURL((at) => at.pathname === '/')
  const cookies = await squatter.context.cookies()
  const device = cookies.find(({ name }) => name.includes('.device-'))
  expect(device).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' })

  // Another contractor's administrator cannot bring the account in.
  const second = await team(service, 'Second Roofing')
  const refused = await opened(browser, url, await inviteAs(browser, url, second.admin, email))
  await expect(refused.page.getByRole('heading', { name: 'This address is not verified yet' })).toBeVisible()
  await expectWellMade(refused.page, (name) => info.outputPath(`unconfirmed-${name}`))
  await refused.context.close()

  const { stdout, stderr } = plumbline(service.home, 'admin', 'create', '--contractor', second.id, '--email', email)
  expect(stderr).toContain(`${email} has an account.`)
  const own = await opened(browser, url, new URL(stdout.trim()).pathname)
  await expect(own.page.getByRole('heading', { level: 1 })).toHaveText('Join Second Roofing')
  await expect(own.page.getByText('Someone created an account for this address')).toBeVisible()
  await expectWellMade(own.page, (name) => info.outputPath(`new-password-${name}`))
  await own.page.getByLabel('Your name').fill('Owner')
  await own.page.getByLabel(/^Password/).fill(OWN)
  await own.page.getByLabel(/^Confirm password/).fill(OWN)
  await own.page.getByRole('button', { name: 'Join' }).click()
  await own.page.waitForURL((at) => at.pathname === '/')
  expect((await own.page.goto(`${url}/account`))?.url()).toBe(`${url}/account`)
  const kept = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  expect((await pageAs(url, { cookie: kept }, '/account')).location).toContain('/sign-in')
  await squatter.context.close()

  // The address is now confirmed: signed in, one click joins another contractor.
  const third = await team(service, 'Third Roofing')
  const path = await inviteAs(browser, url, third.admin, email)
  const guest = await opened(browser, url, path)
  await expect(guest.page.getByRole('heading', { name: 'You have an account' })).toBeVisible()
  await guest.context.close()
  await own.page.goto(url + path)
  await settled(own.page)
  await expectWellMade(own.page, (name) => info.outputPath(`one-click-${name}`))
  await own.page.getByRole('button', { name: 'Join Third Roofing' }).click()
  await own.page.waitForURL((at) => at.pathname === '/')
  await own.context.close()
})

test('an invitation is over once its inviter is removed, which the member’s page says before @slow', async ({
  browser,
  service,
}, info) => {
  const { url } = service
  const { id, admin } = await team(service, 'Leaving Roofing')
  const leaving = await person(service, id, 'admin')
  const path = await inviteAs(browser, url, leaving, newAddress())
  const { page, close } = await tabOf(browser, url, admin)
  await page.goto(`${url}/team`)
  await settled(page)
  const row = page.getByRole('row').filter({ hasText: leaving.email })
  await row.getByRole('link', { name: /^Change/ }).click()
  await expect(page.getByText('the invitations they sent end')).toBeVisible()
  await expectWellMade(page, (name) => info.outputPath(`remove-${name}`))
  await page.getByRole('button', { name: 'Remove from team' }).click()
  await page.waitForURL(`${url}/team`)
  await expect(row).toHaveCount(0)
  await close()
  const guest = await opened(browser, url, path)
  await expect(guest.page.getByRole('heading', { name: 'This invitation is no longer valid' })).toBeVisible()
  await guest.context.close()
})
