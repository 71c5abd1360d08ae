import type { Browser, BrowserContext, Page } from '@playwright/test'
import { expect, type Service } from './fixtures'
import { plumbline } from './running'

export type Role = 'admin' | 'developer' | 'viewer'
export type Person = { email: string; password: string }

/** Creates a contractor's user on the command line. */
export function makePerson({ home }: Pick<Service, 'home'>, contractor: string, role: Role = 'admin'): Person {
  const email = `${role}.${crypto.randomUUID().slice(0, 8)}@example.com`
  const options = ['--contractor', contractor, '--email', email, '--role', role, '--json']
  const { stdout, stderr } = plumbline(home, 'admin', 'create', ...options)
  if (stdout === '') throw new Error(stderr)
  return { email, password: JSON.parse(stdout).password }
}

/** Opens a page as someone who is not signed in: they are sent to sign-in, and from there to the page. */
export async function openAs(page: Page, person: Person, url: string): Promise<void> {
  await page.goto(url)
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible()
  await page.waitForLoadState('networkidle')
  await page.getByLabel('Email address').fill(person.email)
  await page.getByLabel('Password').fill(person.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(url)
  await page.waitForLoadState('networkidle')
}

/** A browser's storage after sign-in. */
export type SignedIn = Awaited<ReturnType<BrowserContext['storageState']>>

/** Signs in through the form and returns the browser's storage, for as many windows as a test needs. */
export async function signIn(browser: Browser, url: string, person: Person): Promise<SignedIn> {
  const context = await browser.newContext()
  await openAs(await context.newPage(), person, `${url}/account`)
  const state = await context.storageState()
  await context.close()
  return state
}

/** Returns the cookies of a signed-in person, for requests without a browser. */
export const cookieOf = ({ cookies }: SignedIn): string =>
  cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
