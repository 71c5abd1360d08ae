import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test as base, expect, makeContractor, type Service } from './fixtures'
import { expectNoAxeFindings, sideways } from './look'
import { pageAs, person, tabOf } from './portal'
import { settled } from './settled'

/** Mails to people are files in the data directory, as in the demonstration. */
const test = base.extend({ settings: [{ MAIL_OUTBOX: 'on' }, { scope: 'worker' }] })

/** The text of the mails to an address, with the line breaks of their encoding undone. */
function mailsTo({ home }: Service, email: string): string[] {
  const folder = join(home.dataDir, 'outbox')
  if (!existsSync(folder)) return []
  const mails = readdirSync(folder)
    .filter((name) => name.endsWith('.eml'))
    .map((name) => readFileSync(join(folder, name), 'utf8').replace(/=\r?\n/g, ''))
  return mails.filter((mail) => new RegExp(`^To: ${email}\\r?$`, 'm').test(mail))
}

/** The link of the only mail to an address, once it is there. */
async function linkTo(service: Service, email: string, path: string): Promise<string> {
  const pattern = new RegExp(`^${service.url}/${path}/[\\w-]{43}(?=\\r?$)`, 'm')
  const links = () => mailsTo(service, email).flatMap((mail) => pattern.exec(mail)?.[0] ?? [])
  await expect.poll(links).toHaveLength(1)
  return links()[0] ?? ''
}

test('a forgotten password: a link by mail, once; the old password and old sessions are over @slow', async ({
  browser,
  service,
}) => {
  const { url } = service
  const who = await person(service, service.contractorId, 'viewer')
  const page = await browser.newPage({ viewport: { width: 360, height: 800 } })
  await page.goto(`${url}/sign-in`)
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  const ask = async (email: string) => {
    await page.getByLabel('Email address').fill(email)
    await page.getByRole('button', { name: 'Email me a link' }).click()
    await expect(page.getByText(`If there is an account for ${email}, a link is on its way.`)).toBeVisible()
  }
  // Whether there is an account is not to be seen.
  await ask('nobody@example.com')
  await page.reload()
  await ask(who.email)
  const link = await linkTo(service, who.email, 'reset-password')
  await page.goto(link)
  expect(await sideways(page)).toBe(0)
  await expectNoAxeFindings(page)
  await page.getByLabel(/^New password/).fill('another password of mine')
  await page.getByLabel(/^Confirm new password/).fill('another password of mine')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('Your password was changed. Sign in with the new one.')).toBeVisible()
  expect((await pageAs(url, who, '/account')).location).toContain('/sign-in')
  const signIn = async (password: string) => {
    await page.getByLabel('Email address').fill(who.email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }
  await signIn(who.password)
  await expect(page.getByText('Incorrect email or password.')).toBeVisible()
  await signIn('another password of mine')
  await page.waitForURL(`${url}/`)
  expect((await page.goto(`${url}/account`))?.url()).toBe(`${url}/account`)
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'This link is no longer valid' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Email me a new link' })).toBeVisible()
  await expectNoAxeFindings(page)
  await page.context().close()
  expect(mailsTo(service, 'nobody@example.com')).toEqual([])
  await expect.poll(() => mailsTo(service, who.email).some((mail) => mail.includes('password was changed'))).toBe(true)
})

test('an invitation by mail: its link makes the account and joins, once @slow', async ({ browser, service }) => {
  const { url } = service
  const { id } = await makeContractor(service.home, 'Inviting Roofing')
  const admin = await person(service, id, 'admin')
  const email = `invited.${crypto.randomUUID().slice(0, 8)}@example.com`
  const tab = await tabOf(browser, url, admin)
  await tab.page.goto(`${url}/team`)
  await settled(tab.page)
  await tab.page.getByRole('button', { name: 'Invite' }).click()
  await tab.page.getByLabel('Email address').fill(email)
  await tab.page.getByRole('button', { name: 'Send invitation' }).click()
  await expect(tab.page.getByText(`We’ve emailed ${email} a link of their own.`)).toBeVisible()
  await tab.close()
  const link = await linkTo(service, email, 'invitation')
  const page = await browser.newPage({ viewport: { width: 360, height: 800 } })
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Join Inviting Roofing' })).toBeVisible()
  await page.getByLabel('Your name').fill('Sam Lee')
  await page.getByLabel(/^Password/).fill('a password of my own')
  await page.getByLabel(/^Confirm password/).fill('a password of my own')
  await page.getByRole('button', { name: 'Join' }).click()
  await page.waitForURL(`${url}/`)
  expect(await (await page.request.get(`${url}/`)).text()).toContain('Inviting Roofing')
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'This invitation is no longer valid' })).toBeVisible()
  await page.context().close()
})
