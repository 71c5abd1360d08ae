import type { Browser } from '@playwright/test'
import { expect, type Service } from './fixtures'
import { makePerson } from './people'

/** A signed-in administrator's page without script, at a path. */
export async function openPlain(browser: Browser, service: Service, contractorId: string, path: string) {
  const made = await makePerson(service, contractorId, 'admin')
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(service.url + path)
  await page.getByLabel('Email address').fill(made.email)
  await page.getByLabel('Password').fill(made.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL(service.url + path)
  return { page, close: () => context.close() }
}
