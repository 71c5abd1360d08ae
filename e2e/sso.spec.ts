import { pathToFileURL } from 'node:url'
import type { Browser, Page } from '@playwright/test'
import { startHttps, startProvider } from '@/lib/testing/identity-provider'
import { TEST_CERTIFICATE } from '@/lib/testing/private-keys'
import { test as base, expect, makeContractor } from './fixtures'
import { expectNoAxeFindings, sideways } from './look'
import { pageAs, person, tabOf } from './portal'
import { settled } from './settled'

const HOST = 'hook.example.com'
const SECRET = 'the-secret-of-the-client'

/** The test whose server and browser reach a provider on this machine as they reach one on the internet. */
const test = base.extend({
  settings: [
    {
      NODE_OPTIONS: `--import=${pathToFileURL('e2e/reach-provider.mjs')}`,
      TEST_PROVIDER_CERTIFICATE: TEST_CERTIFICATE.cert,
    },
    { scope: 'worker' },
  ],
  launchOptions: [
    async ({ launchOptions }, use) =>
      await use({
        ...launchOptions,
        args: [...(launchOptions.args ?? []), `--host-resolver-rules=MAP ${HOST} 127.0.0.1`],
      }),
    { scope: 'worker' },
  ],
})

/** The provider's page: who may sign in there, and a way back without it. */
const asks = (emails: string[]) =>
  `<title>Sign in</title><h1>Company</h1>${[...emails, 'refuse'].map((who) => `<a href="?who=${encodeURIComponent(who)}">${who}</a> `).join('')}`

async function newTab(browser: Browser): Promise<Page> {
  return await (await browser.newContext({ ignoreHTTPSErrors: true, viewport: { width: 360, height: 800 } })).newPage()
}

test('a contractor sets its own provider up, a member signs in there by the short name, and once it is required a password shows the way to it @slow', async ({
  browser,
  service,
}) => {
  const { url, home } = service
  const { id } = await makeContractor(home, 'Own Sign-in Roofing')
  const admin = await person(service, id, 'admin')
  const member = await person(service, id, 'viewer')
  const tab = await tabOf(browser, url, admin)
  const settings = tab.page
  await settings.goto(`${url}/team/sso`)
  const redirectUri = (await settings.getByText(/\/callback$/).textContent()) ?? ''
  const slug = /sso\/([\w-]+)\/callback$/.exec(redirectUri)?.[1] ?? ''
  const https = await startHttps()
  const at = new URL(https.issuer).host
  startProvider(https, { client: 'plumbline', secret: SECRET, redirectUri }, async (finish, request, response) => {
    const who = new URL(request.url ?? '', https.issuer).searchParams.get('who')
    if (who === null) response.setHeader('content-type', 'text/html').end(asks([member.email]))
    else await finish(who === 'refuse' ? who : { sub: `at ${who}`, email: who, name: 'Sam Lee' })
  })

  // A misspelled issuer is found before anybody needs it.
  const save = async (issuer: string) => {
    await settings.getByLabel('Issuer').fill(issuer)
    await settings.getByLabel('Client ID').fill('plumbline')
    await settings.getByLabel('Client secret').fill(SECRET)
    await settings.getByLabel('Email domains').fill('example.com')
    await settings.getByRole('button', { name: 'Save' }).click()
  }
  await save(`${https.issuer}/other`)
  await expect(settings.getByText(/has no discovery document/).first()).toBeVisible()
  await save(https.issuer)
  await expect(settings.getByText('Saved. Try it')).toBeVisible()

  const page = await newTab(browser)
  await page.goto(`${url}/sign-in?next=/invoices`)
  await page.getByRole('link', { name: 'Sign in with single sign-on' }).click()
  await page.getByLabel(/short name/).fill(slug)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('link', { name: `Sign in at ${at}` }).click()
  await page.getByRole('link', { name: 'refuse' }).click()
  await expect(page.getByText('did not let you in')).toBeVisible()
  expect(await sideways(page)).toBe(0)
  await expectNoAxeFindings(page)
  await page.getByRole('link', { name: `Sign in at ${at}` }).click()
  await page.getByRole('link', { name: member.email }).click()
  await page.waitForURL(`${url}/`)
  await page.goto(`${url}/account`)
  await expect(page.getByText('You signed in with the single sign-on of Own Sign-in Roofing')).toBeVisible()
  // Another site cannot begin it in somebody's browser: the person is shown where they are first.
  const begun = await fetch(`${url}/sign-in/sso/${slug}/start`, {
    headers: { 'sec-fetch-site': 'cross-site' },
    redirect: 'manual',
  })
  expect([begun.headers.get('location'), begun.headers.getSetCookie()]).toEqual([`${url}/sign-in/sso/${slug}`, []])
  await page.context().close()

  await settings.reload()
  await settled(settings)
  await settings.getByRole('button', { name: 'Require single sign-on' }).click()
  await expect(settings.getByRole('button', { name: 'Make it optional' })).toBeVisible()
  // The password of before reaches nothing, and the page says where to go; the longest-serving administrator stays in.
  expect((await pageAs(url, member, '/invoices')).status).toBe(403)
  expect((await pageAs(url, admin, '/invoices')).status).toBe(200)
  const locked = await newTab(browser)
  await locked.goto(`${url}/sign-in?next=/invoices`)
  await locked.getByLabel('Email address').fill(member.email)
  await locked.getByLabel('Password').fill(member.password)
  await locked.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(locked.getByRole('heading', { name: 'Own Sign-in Roofing requires single sign-on' })).toBeVisible()
  await expectNoAxeFindings(locked)
  await locked.getByRole('link', { name: 'Sign in with single sign-on' }).click()
  await locked.getByRole('link', { name: `Sign in at ${at}` }).click()
  await locked.getByRole('link', { name: member.email }).click()
  await locked.waitForURL(`${url}/invoices`)
  await expect(locked.getByRole('heading', { level: 1 })).toHaveText('Invoices')
  await locked.context().close()
  await tab.close()
  https.close()
})
