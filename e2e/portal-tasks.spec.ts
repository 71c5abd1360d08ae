import { expect, test } from './fixtures'
import { atKeyboard } from './keyboard'
import { card, clipboard, dialog, makeContractor, openKeys, statusWith } from './keys'
import { settled } from './settled'

/** Steps that a task may take; one more is a change for the worse that somebody must decide on. */
const MOST = { 'a first call that is seen': 7, 'a rotation': 6, 'ending both secrets': 2 }

test('by keyboard alone: a first call that is seen, a rotation, and the end of both secrets, by their steps @slow', async ({
  browser,
  service,
}, info) => {
  test.slow()
  const { id } = await makeContractor(service)
  const { page, faults, close } = await openKeys(browser, service, id)
  await settled(page)
  const task = async (name: keyof typeof MOST, run: (hand: ReturnType<typeof atKeyboard>) => Promise<void>) => {
    const hand = atKeyboard(page)
    await run(hand)
    info.annotations.push({ type: name, description: JSON.stringify(hand.done) })
    expect(hand.done.steps, name).toBeLessThanOrEqual(MOST[name])
  }
  const press = async (hand: ReturnType<typeof atKeyboard>, name: string | RegExp) => {
    await hand.to(name)
    await hand.press('Enter')
  }
  const take = async (hand: ReturnType<typeof atKeyboard>) => {
    await expect(page.getByLabel('API key', { exact: true })).toBeFocused()
    await press(hand, 'Copy API key')
    await expect(dialog(page).getByText('Copied.')).toBeVisible()
    const secret = await clipboard(page)
    await press(hand, 'I’ve saved it')
    return secret
  }
  let first = ''
  await task('a first call that is seen', async (hand) => {
    await press(hand, 'Create key')
    await expect(page.getByLabel('Name')).toBeFocused()
    await hand.type('Accounting')
    await hand.press('Enter')
    await press(hand, 'Create key')
    first = await take(hand)
    // Who saves the secret first can still send the call from here.
    await expect(dialog(page).getByRole('button', { name: 'Send the first call' })).toBeVisible()
    expect(await statusWith(service, first)).toBe(200)
    await expect(dialog(page)).toContainText('Your first request is here')
    await press(hand, 'Done')
  })
  await expect(dialog(page)).toBeHidden()
  await task('a rotation', async (hand) => {
    await press(hand, 'Accounting')
    await page.waitForURL(/\/keys\/key_/)
    await settled(page)
    await expect(page.getByRole('table', { name: 'Recent requests' })).toContainText('/api/v1/')
    await expect(page.getByRole('figure', { name: 'Requests by day' })).toBeVisible()
    await press(hand, /^Rotate Accounting/)
    await expect(page.getByLabel('The old secret works for another')).toBeFocused()
    await press(hand, 'Create new secret')
    await take(hand)
    await press(hand, 'Done')
  })
  await expect(card(page, 'Accounting').getByText('Old secret')).toBeVisible()
  await expect(dialog(page)).toBeHidden()
  const masked = await card(page, 'Accounting').locator('code').first().textContent()
  await task('ending both secrets', async (hand) => {
    await press(hand, `Revoke Accounting, ${masked}`)
    await expect(dialog(page).getByRole('radio', { name: /^Both secrets/ })).toBeChecked()
    await press(hand, 'Revoke key')
  })
  await expect(page.getByText('2 secrets revoked.')).toBeVisible()
  expect(await statusWith(service, first)).toBe(401)
  expect(faults).toEqual([])
  await close()
})

const CSV = { name: 'customers.csv', mimeType: 'text/csv' }
const customers = (...emails: string[]) =>
  Buffer.from(['Customer ID,Name,Email', ...emails.map((email, at) => `C${at},Customer ${at},${email}`)].join('\n'))

test('by keyboard alone: files loaded with faults and corrected, and a viewer invited, by their steps @slow', async ({
  browser,
  service,
}) => {
  test.slow()
  const { id } = await makeContractor(service)
  const { page, faults, close } = await openKeys(browser, service, id)
  const goTo = async (path: string) => {
    await page.goto(service.url + path)
    await settled(page)
    return atKeyboard(page)
  }

  // The browser hands choosers over only from the moment somebody listens.
  page.on('filechooser', () => {})
  const loading = await goTo('/data/load')
  const load = async (file: Buffer) => {
    await loading.to('Files')
    const choosing = page.waitForEvent('filechooser')
    await loading.press('Space')
    await (await choosing).setFiles({ ...CSV, buffer: file })
    await loading.to('Look at the changes')
    await loading.press('Enter')
    await loading.to('Load')
    await loading.press('Enter')
    await expect(page.getByRole('table', { name: 'Files loaded' })).toBeVisible()
    await expect(page.locator(':focus')).toContainText('Report')
  }
  await load(customers('ana@example.com', 'not an address'))
  const refused = page.getByRole('table', { name: 'Refused rows' })
  await expect(refused.getByRole('row').nth(1)).toContainText('not an address')
  await load(customers('ana@example.com', 'ben@example.com'))
  await expect(refused).toBeHidden()
  const loaded = page.getByRole('table', { name: 'Files loaded' }).getByRole('row').nth(1)
  await expect(loaded.getByRole('cell')).toHaveText(['2', '1', '0', '1', '0', 'none'])
  expect(loading.done.steps).toBeLessThanOrEqual(6)

  const inviting = await goTo('/team')
  await inviting.to('Invite')
  await inviting.press('Enter')
  await expect(dialog(page)).toBeVisible()
  await inviting.to(/^Email address/)
  await inviting.type('by.keyboard@example.com')
  await inviting.to('Create link')
  await inviting.press('Enter')
  await expect(page.getByLabel('Invitation link')).toBeVisible()
  await inviting.to('Copy Invitation link')
  await inviting.press('Enter')
  await expect(dialog(page).getByText('Copied.')).toBeVisible()
  expect(await clipboard(page)).toContain('/invitation/')
  expect(inviting.done.steps).toBeLessThanOrEqual(4)
  expect(faults).toEqual([])
  await close()
})
