import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import { expect } from './fixtures'
import { expectWellMade, OPENED_BUDGET, openTab, SCRIPT_BUDGET } from './look'
import { cookieOf, makePerson, type Role, signIn } from './people'
import type { Home } from './running'
import { settled } from './settled'

export type Account = { email: string; password: string; cookie: string }

/** Creates a person with a role for a contractor and signs in once. The cookie is the session's. */
export async function person(service: { home: Home; url: string }, contractorId: string, role: Role): Promise<Account> {
  const made = await makePerson(service, contractorId, role)
  return { ...made, cookie: cookieOf(await signIn(service.url, made)) }
}

/** Opens a signed-in person's tab. */
export async function tabOf(browser: Browser, url: string, { cookie }: Account, options: BrowserContextOptions = {}) {
  const tab = await openTab(browser, options)
  const cookies = cookie.split('; ').map((pair) => {
    const at = pair.indexOf('=')
    return { name: pair.slice(0, at), value: pair.slice(at + 1), url }
  })
  await tab.context.addCookies(cookies)
  return tab
}

/** Requests a page as a signed-in person; returns status and text. */
export async function pageAs(url: string, { cookie }: Pick<Account, 'cookie'>, path: string) {
  const response = await fetch(url + path, { headers: { cookie, accept: 'text/html' }, redirect: 'manual' })
  return { status: response.status, location: response.headers.get('location'), text: await response.text() }
}

/** Opens a page as a signed-in person and checks its appearance, before and after `prepare`, and its script size. */
export async function expectPageWellMade(
  browser: Browser,
  url: string,
  account: Account,
  path: string,
  shot: (name: string) => string,
  prepare: (page: Page) => Promise<unknown> = async () => {},
): Promise<void> {
  const { page, faults, scriptBytes, close } = await tabOf(browser, url, account)
  await page.goto(url + path)
  await settled(page)
  expect(scriptBytes()).toBeLessThan(SCRIPT_BUDGET)
  await prepare(page)
  await expectWellMade(page, shot)
  expect(faults).toEqual([])
  expect(scriptBytes()).toBeLessThan(OPENED_BUDGET)
  await close()
}
