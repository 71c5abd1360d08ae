import type { Browser } from '@playwright/test'
import { Client } from 'pg'
import { expect, makeContractor, type Service, test } from './fixtures'
import { atKeyboard } from './keyboard'
import { expectWellMade } from './look'
import { person, tabOf } from './portal'
import { settled } from './settled'

/** The narrow and the wide page in both themes. */
const BOTH = [390, 1440].flatMap((width) => (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })))

/** An administrator who signed in an hour ago, on a page. */
async function signedInEarlier(browser: Browser, service: Service, name: string, path: string) {
  const { id } = await makeContractor(service.home, name)
  const admin = await person(service, id, 'admin')
  const client = new Client({ connectionString: service.home.postgresUrl })
  await client.connect()
  await client.query(
    `update person_sessions set proven_at = proven_at - interval '1 hour'
     where person_id = (select id from people where email = $1)`,
    [admin.email],
  )
  await client.end()
  const tab = await tabOf(browser, service.url, admin)
  await tab.page.goto(service.url + path)
  await settled(tab.page)
  return { admin, ...tab }
}

test('by mouse: a form asks who it is in a dialog, keeps what was entered, and goes on by itself', async ({
  browser,
  service,
}, info) => {
  const { admin, page, faults, close } = await signedInEarlier(browser, service, 'Proof Roofing', '/team')
  await page.getByRole('button', { name: 'Invite' }).click()
  const invite = page.getByRole('dialog', { name: 'Invite someone' })
  await invite.getByLabel('Email address').fill('new@example.com')
  await invite.getByRole('radio', { name: /^Administrator/ }).check()
  await invite.getByRole('button', { name: /^(Send invitation|Create link)$/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await expect(dialog.getByLabel('Password')).toBeFocused()
  await expectWellMade(page, (name) => info.outputPath(`confirm-${name}`), { fullPage: false, looks: BOTH })
  await dialog.getByLabel('Password').fill('not the password at all')
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(dialog.getByText('The password is not right.')).toBeVisible()
  // Closed, the form is as it was left; it asks again.
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(invite.getByLabel('Email address')).toHaveValue('new@example.com')
  await expect(invite.getByRole('radio', { name: /^Administrator/ })).toBeChecked()
  await invite.getByRole('button', { name: 'Confirm it’s you' }).click()
  await dialog.getByLabel('Password').fill(admin.password)
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(invite.getByRole('textbox', { name: 'Invitation link' })).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await page.goto(`${service.url}/team`)
  const row = page.getByRole('row').filter({ hasText: 'new@example.com' })
  await expect(row).toContainText('Administrator')
  // Nothing asks again for the next minutes.
  await row.getByRole('button', { name: /^Withdraw/ }).click()
  await page.getByRole('button', { name: 'Withdraw invitation' }).click()
  await expect(row).toHaveCount(0)
  expect(faults).toEqual([])
  await close()
})

test('by keyboard alone, and what the person set up is shown and ended with them @slow', async ({
  browser,
  service,
}, info) => {
  const { admin, page, close } = await signedInEarlier(browser, service, 'Keyboard Roofing', '/keys/new')
  const hand = atKeyboard(page)
  await hand.to('Name (required)')
  await hand.type('Night sync')
  await hand.to('Next: limits')
  await hand.press('Enter')
  await expect(page.getByLabel('Expires after')).toBeFocused()
  await hand.type('N')
  await hand.to('Create key')
  await hand.press('Enter')
  await expect(page.getByRole('dialog').getByLabel('Password')).toBeFocused()
  await hand.type(admin.password)
  await hand.press('Enter')
  await expect(page.getByText(/plb_live_/).first()).toBeVisible()

  await page.goto(`${service.url}/team`)
  await page
    .getByRole('row')
    .filter({ hasText: admin.email })
    .getByRole('link', { name: /^Change/ })
    .click()
  await expect(page.getByRole('link', { name: 'Night sync' })).toBeVisible()
  await expect(page.getByRole('radio', { name: 'Keep it working' }).last()).toBeChecked()
  await expectWellMade(page, (name) => info.outputPath(`member-${name}`), { looks: BOTH })
  await close()
})

test('without script: a page asks, and what was entered is still in the form @slow', async ({
  browser,
  service,
}, info) => {
  const { admin, context: scripted, close } = await signedInEarlier(browser, service, 'Plain Roofing', '/team')
  const context = await browser.newContext({ javaScriptEnabled: false })
  await context.addCookies(await scripted.cookies())
  const page = await context.newPage()
  await page.goto(`${service.url}/keys/new`)
  await page.getByLabel('Name (required)').fill('Plain key')
  await page.getByLabel('Expires after').selectOption('never')
  await page.getByRole('button', { name: 'Create key' }).click()
  const opening = context.waitForEvent('page')
  await page.getByRole('link', { name: 'Confirm it’s you (new tab)' }).click()
  const asking = await opening
  await asking.getByLabel('Password').fill(admin.password)
  await asking.screenshot({ path: info.outputPath('plain.png') })
  await asking.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(asking.getByRole('heading', { name: 'Confirmed' })).toBeVisible()
  await expect(asking.getByRole('link', { name: 'Go on here' })).toHaveAttribute('href', '/keys/new')
  await expect(page.getByLabel('Name (required)')).toHaveValue('Plain key')
  await page.getByRole('button', { name: 'Create key' }).click()
  await expect(page.getByText(/plb_live_/).first()).toBeVisible()
  await context.close()
  await close()
})
