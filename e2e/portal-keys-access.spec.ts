import type { Page, Request } from '@playwright/test'
import { expect, makeKey, test } from './fixtures'
import { create, dialog, keysOf, makeContractor, openKey, openKeys, statusWith } from './keys'
import { openTab } from './look'
import { makePerson, openAs } from './people'

const isAction = (request: Request) => request.method() === 'POST' && 'next-action' in request.headers()

/** Captures what a form on the keys page sends. */
async function sentBy(page: Page, act: () => Promise<void>) {
  const waiting = page.waitForRequest(isAction)
  await act()
  const request = await waiting
  const { 'next-action': action = '', 'content-type': type = '' } = await request.allHeaders()
  return { to: request.url(), action, type, body: request.postDataBuffer() ?? Buffer.alloc(0) }
}

type Sent = Awaited<ReturnType<typeof sentBy>>

/** Sends the same form as another person, from their own browser. */
async function sendAs(page: Page, { to, action, type, body }: Sent, origin: string): Promise<string> {
  const headers = { 'next-action': action, 'content-type': type, origin, accept: 'text/x-component' }
  return await (await page.request.post(to, { headers, data: body })).text()
}

test('who is no administrator gets 403 and cannot post what an administrator posts; nor can another site', async ({
  browser,
  service,
}) => {
  test.slow()
  const { id } = await makeContractor(service)
  await makeKey(service.home, id, 'integration')
  const admin = await openKeys(browser, service, id)
  const { page } = admin
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByLabel('Name').fill('Posted')
  const creation = await sentBy(page, () => create(page))
  expect(creation.body.toString()).toContain(id)
  await expect(page.getByLabel('API key', { exact: true })).toBeFocused()
  await page.getByRole('button', { name: 'I’ve saved it' }).click()
  await page.getByRole('button', { name: 'Done' }).click()
  await openKey(page, 'e2e')
  await page.getByRole('button', { name: 'Edit e2e' }).click()
  const change = await sentBy(page, () => page.getByRole('button', { name: 'Save' }).click())
  await expect(page.getByText('Key saved.')).toBeVisible()
  const before = await keysOf(service, id)
  expect(before).toHaveLength(2)
  expect(await sendAs(page, creation, 'https://elsewhere.example')).not.toContain('plb_live_')
  expect(await keysOf(service, id)).toEqual(before)
  for (const role of ['developer', 'viewer'] as const) {
    const other = await openTab(browser)
    await openAs(other.page, await makePerson(service, id, role), `${service.url}/account`)
    const refused = await other.page.goto(`${service.url}/keys`)
    expect(refused?.status()).toBe(403)
    expect(await refused?.text()).not.toContain('plb_live_')
    await expect(other.page.getByRole('heading', { name: 'Your role cannot open this page' })).toBeVisible()
    for (const sent of [creation, change])
      expect(await sendAs(other.page, sent, service.url)).toContain('This requires the role Administrator')
    await other.close()
  }
  expect(await keysOf(service, id)).toEqual(before)
  await admin.close()
})

test('an administrator of one contractor cannot touch a key of another, by its id or for its contractor', async ({
  browser,
  service,
}) => {
  const { id } = await makeContractor(service)
  const { id: otherId } = await makeContractor(service)
  await makeKey(service.home, id, 'integration')
  const foreign = await makeKey(service.home, otherId, 'integration')
  const before = await keysOf(service, otherId)
  const { page, close } = await openKeys(browser, service, id)
  await expect(page.getByText(`…${foreign.slice(-4)}`)).toBeHidden()
  await openKey(page, 'e2e')
  const forge = (name: string, value: string) =>
    dialog(page).evaluate(
      (element, [field, forged]) => element.querySelector(`input[name=${field}]`)?.setAttribute('value', forged ?? ''),
      [name, value],
    )
  for (const [button, submit] of [
    ['Revoke e2e', 'Revoke key'],
    ['Rotate e2e', 'Create new secret'],
    ['Edit e2e', 'Save'],
  ] as const) {
    await page.getByRole('button', { name: button }).click()
    await forge('id', before[0].id)
    await page.getByRole('button', { name: submit }).click()
    await expect(dialog(page).getByRole('alert')).toContainText('There is no key with this id')
    await forge('contractorId', otherId)
    await page.getByRole('button', { name: submit }).click()
    await expect(dialog(page).getByRole('alert')).toContainText('You are not on this contractor’s team')
    await page.keyboard.press('Escape')
  }
  expect(await keysOf(service, otherId)).toEqual(before)
  expect(await statusWith(service, foreign)).toBe(200)
  await close()
})
