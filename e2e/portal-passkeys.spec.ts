import type { BrowserContext, Page } from '@playwright/test'
import { codeOf } from '../lib/testing/authenticator'
import { expect, test } from './fixtures'
import { expectWellMade, OPENED_BUDGET, openTab } from './look'
import { makePerson, openAs, type Person } from './people'
import { settled } from './settled'

/** Adds a virtual authenticator, which stores passkeys and reports that user verification succeeded or failed. */
async function addDevice(context: BrowserContext, page: Page) {
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', { options })
  return {
    recognizes: (isUserVerified: boolean) =>
      devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  }
}

/** Turns off passkey autofill, so that only the button asks for passkeys. */
const fillInNone = (page: Page) =>
  page.addInitScript(() => {
    if ('PublicKeyCredential' in window) PublicKeyCredential.isConditionalMediationAvailable = async () => false
  })

async function addPasskey(page: Page, { password }: Person, name: string): Promise<void> {
  const card = page.getByRole('region', { name: 'Passkeys', exact: true })
  await card.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByLabel('Password').fill(password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
}

async function signOut(page: Page, url: string): Promise<void> {
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL(`${url}/`)
}

async function turnOnTwoFactor(page: Page, { password }: Person): Promise<void> {
  await page.getByRole('button', { name: 'Turn on' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Password').fill(password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  const secret = await dialog.locator('code').first().textContent()
  await dialog.getByLabel('Code from the app').fill(codeOf(`otpauth://totp/x?secret=${secret}`))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await expect(page.getByText('Two-factor sign-in is on.')).toBeVisible()
  await settled(page)
}

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

test('a passkey: added with the password, signs in without a code though two-factor is on, renamed, removed, then refused', async ({
  browser,
  service,
}) => {
  test.setTimeout(120_000)
  const { url } = service
  const made = await makePerson(service, service.contractorId, 'developer')
  const { context, page, faults, close } = await openTab(browser)
  await fillInNone(page)
  await addDevice(context, page)
  await openAs(page, made, `${url}/account`)
  await expect(page.getByText('No passkeys yet')).toBeVisible()
  await turnOnTwoFactor(page, made)

  await addPasskey(page, { ...made, password: 'not the password' }, 'Laptop')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('alert')).toContainText('The password is not right.')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await dialog.getByRole('button', { name: 'Discard' }).click()
  await addPasskey(page, made, 'Laptop')
  await expect(page.getByText('Passkey added.')).toBeVisible()
  await expect(rowOf(page, 'Laptop')).toContainText('none')
  await addPasskey(page, made, 'Laptop again')
  await expect(dialog.getByRole('alert')).toContainText('already has a passkey for your account')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await dialog.getByRole('button', { name: 'Discard' }).click()

  await settled(page)
  await signOut(page, url)
  await page.goto(`${url}/sign-in?next=/account`)
  await settled(page)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.waitForURL(`${url}/account`)
  await expect(rowOf(page, 'Laptop')).not.toContainText('Never')
  await settled(page)

  await page.getByRole('button', { name: 'Rename Laptop' }).click()
  await dialog.getByLabel('Name').fill('Work laptop')
  await dialog.getByRole('button', { name: 'Rename' }).click()
  await expect(page.getByText('Passkey renamed.')).toBeVisible()
  await page.getByRole('button', { name: 'Remove Work laptop' }).click()
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('No passkeys yet')).toBeVisible()

  await settled(page)
  await signOut(page, url)
  await page.goto(`${url}/sign-in?next=/account`)
  await settled(page)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByRole('main').getByRole('alert')).toContainText('This passkey is not known here')
  expect(new URL(page.url()).pathname).toBe('/sign-in')
  expect(faults).toEqual([])
  await close()
})

test('a passkey is offered by the email field itself, and signs in when it is chosen there @slow', async ({
  browser,
  service,
}) => {
  const { url } = service
  const made = await makePerson(service, service.contractorId, 'viewer')
  const { context, page, close } = await openTab(browser)
  await addDevice(context, page)
  await openAs(page, made, `${url}/account`)
  await addPasskey(page, made, 'Phone')
  await expect(rowOf(page, 'Phone')).toBeVisible()
  await settled(page)
  await signOut(page, url)
  // The virtual authenticator confirms immediately, in place of a person, perhaps before the page has loaded.
  await page.goto(`${url}/sign-in?next=/account`, { waitUntil: 'commit' })
  await page.waitForURL(`${url}/account`)
  await expect(rowOf(page, 'Phone')).toBeVisible()
  await close()
})

test('a device that does not recognize its person, or has no passkey, is told in plain words @slow', async ({
  browser,
  service,
}) => {
  const { url } = service
  const made = await makePerson(service, service.contractorId, 'viewer')
  const { context, page, close } = await openTab(browser)
  const device = await addDevice(context, page)
  await openAs(page, made, `${url}/account`)
  await device.recognizes(false)
  await addPasskey(page, made, 'Phone')
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('canceled or took too long')
  await close()
})

test('the account page with passkeys, its dialogs and the sign-in page: fit, calm to axe in both themes, within the script budget @slow', async ({
  browser,
  service,
}, info) => {
  test.setTimeout(240_000)
  const { url } = service
  const made = await makePerson(service, service.contractorId, 'viewer')
  const tab = await openTab(browser)
  const { page } = tab
  const look = (name: string) => expectWellMade(page, (shown) => info.outputPath(`${name}-${shown}`))
  await addDevice(tab.context, page)
  await page.goto(`${url}/sign-in`)
  await settled(page)
  await look('sign-in')
  await openAs(page, made, `${url}/account`)
  await look('account-empty')
  await addPasskey(page, made, 'The phone of the office in Nashville')
  await expect(rowOf(page, 'The phone')).toBeVisible()
  await settled(page)
  await look('account-list')
  for (const [button, name] of [
    ['Add a passkey', 'add'],
    ['Rename The phone', 'rename'],
    ['Remove The phone', 'remove'],
  ] as const) {
    const card = page.getByRole('region', { name: 'Passkeys', exact: true })
    await card.getByRole('button', { name: button }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await look(`account-${name}`)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
  }
  expect(tab.faults).toEqual([])
  expect(tab.scriptBytes()).toBeLessThan(OPENED_BUDGET)
  await tab.close()
})
