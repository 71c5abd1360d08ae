import { spawnSync } from 'node:child_process'
import { expect, makeKey, test } from './fixtures'
import {
  card,
  clipboard,
  create,
  dialog,
  keysOf,
  makeContractor,
  openKey,
  openKeys,
  press,
  reloadUntil,
  statusWith,
  tabTo,
} from './keys'
import { expectNoAxeFindings, openTab, SCRIPT_BUDGET } from './look'
import { makePerson } from './people'
import { command } from './running'
import { settled } from './settled'

const SECRET = /plb_live_[0-9A-Za-z]{46}/

test('the life of a key: create, copy, first call, in the log, rotate, both work, revoke, 401; the secret is nowhere after', async ({
  browser,
  service,
}) => {
  test.slow()
  const { id } = await makeContractor(service)
  const { page, faults, scriptBytes, close } = await openKeys(browser, service, id)
  await expect(page.getByRole('heading', { name: 'No keys yet' })).toBeVisible()
  expect(scriptBytes()).toBeLessThan(SCRIPT_BUDGET)

  await page.getByRole('button', { name: 'Create key' }).click()
  await expect(page.getByLabel('Name')).toBeFocused()
  await page.getByLabel('Name').fill('Accounting sync')
  await create(page)
  await expect(page.getByLabel('API key', { exact: true })).toBeFocused()
  await page.getByRole('button', { name: 'Copy API key' }).click()
  await expect(dialog(page).getByText('Copied.')).toBeVisible()
  const first = await clipboard(page)
  expect(first).toMatch(SECRET)
  await page.getByRole('button', { name: 'Copy with the key' }).click()
  await page.getByRole('button', { name: 'Send the first call' }).click()
  await expect(dialog(page).getByText('200', { exact: true })).toBeVisible()
  const call = spawnSync('sh', ['-c', await clipboard(page)], { encoding: 'utf8' })
  expect(JSON.parse(call.stdout)).toMatchObject({ items: [] })
  expect(page.url()).toBe(`${service.url}/keys`)
  await page.keyboard.press('Escape')
  await expect(page.getByLabel('API key', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'I’ve saved it' }).click()
  await expect(dialog(page)).toContainText('Your first request is here: GET /api/v1/customers, answered with 200')
  expect(await dialog(page).textContent()).not.toMatch(SECRET)
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(dialog(page)).toBeHidden()
  await openKey(page, 'Accounting sync')
  await expect(card(page, 'Accounting sync')).toContainText(`plb_live_…${first.slice(-4)}`)
  await expect(card(page, 'Accounting sync')).toContainText('Active')

  const [{ id: keyId }] = await keysOf(service, id)
  await reloadUntil(page, () => page.getByRole('link', { name: '2 with Accounting sync, in the log' }))
  await expect(page.getByRole('link', { name: '2 with Accounting sync, in the log' })).toHaveAttribute(
    'href',
    `/logs?key=${keyId}`,
  )
  const logged = await command(service.home, 'requests', 'list', '--contractor', id, '--key', keyId, '--json')
  const call200 = { path: '/api/v1/customers', status: 200, keyId }
  expect(JSON.parse(logged).items).toMatchObject([call200, call200])
  expect(logged).not.toContain(first)

  await page.getByRole('button', { name: 'Rotate Accounting sync' }).click()
  await dialog(page).getByLabel('The old secret works for another').selectOption('1 hour')
  await page.getByRole('button', { name: 'Create new secret' }).click()
  await expect(page.getByLabel('API key', { exact: true })).toBeFocused()
  await page.getByRole('button', { name: 'Copy API key' }).click()
  await expect(dialog(page).getByText('Copied.')).toBeVisible()
  const second = await clipboard(page)
  expect(second).toMatch(SECRET)
  expect(second).not.toBe(first)
  await page.getByRole('button', { name: 'I’ve saved it' }).click()
  await expect(dialog(page)).toContainText('Waiting for your first request')
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(card(page, 'Accounting sync')).toContainText(/works until (Today|Tomorrow|\w{3} \d)/)
  await expect(page.getByText('Nobody has used it since the rotation.')).toBeVisible()
  expect([await statusWith(service, first), await statusWith(service, second)]).toEqual([200, 200])
  await reloadUntil(page, () => page.getByText('Still used since the rotation, from:'))
  await expect(card(page, 'Accounting sync').getByRole('link', { name: /^(127\.0\.0\.1|::1)$/ })).toBeVisible()
  // The use of a key is that of all its secrets.
  for (const secret of [first, second])
    await reloadUntil(page, () => page.getByRole('link', { name: `All requests with plb_live_…${secret.slice(-4)}` }))

  const masked = `plb_live_…${first.slice(-4)}`
  await page.getByRole('button', { name: `Revoke Accounting sync, ${masked}` }).click()
  await dialog(page).getByRole('button', { name: 'Revoke key' }).click()
  await expect(page.getByText('Key revoked.')).toBeVisible()
  expect([await statusWith(service, first), await statusWith(service, second)]).toEqual([401, 200])
  await expect(page.getByText('Old secret')).toBeHidden()
  await page.goto(`${service.url}/keys`)
  await page.getByText('Ended keys (1)').click()
  await expect(page.getByRole('row').filter({ hasText: masked })).toContainText('Revoked')

  const answer = await page.reload()
  expect(answer?.headers()['cache-control']).toContain('no-store')
  const shown = `${await answer?.text()} ${await page.content()} ${JSON.stringify(await page.evaluate(() => ({ ...localStorage, ...sessionStorage, state: history.state })))}`
  expect(shown).toContain(masked)
  expect(shown).not.toMatch(SECRET)
  for (const secret of [first, second]) {
    expect(service.running.output).not.toContain(secret)
    expect(await command(service.home, 'requests', 'list', '--contractor', id, '--json')).not.toContain(secret)
  }
  expect(faults).toEqual([])
  await close()
})

test('the whole life of a key by keyboard alone @slow', async ({ browser, service }) => {
  test.slow()
  const { id } = await makeContractor(service)
  const tab = await openTab(browser, { viewport: { width: 1280, height: 900 } })
  const { page } = tab
  await tab.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { email, password } = await makePerson(service, id)
  await page.goto(`${service.url}/keys`)
  await settled(page)
  await tabTo(page, page.getByLabel('Email address'))
  await page.keyboard.type(email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await page.waitForURL(`${service.url}/keys`)
  await settled(page)

  await press(page, page.getByRole('button', { name: 'Create key' }))
  await expect(page.getByLabel('Name')).toBeFocused()
  await page.keyboard.type('Typed key')
  await tabTo(page, page.getByRole('radio', { name: /^Read only/ }))
  await page.keyboard.press('ArrowUp')
  const scope = page.getByRole('checkbox', { name: /^read:customers/ })
  await press(page, scope, 'Space')
  await expect(scope).toBeChecked()
  await press(page, page.getByRole('button', { name: 'Next: limits' }))
  await expect(page.getByLabel('Expires after')).toBeFocused()
  await press(page, page.getByRole('textbox', { name: 'Rate limit' }), 'Enter')
  await expect(page.getByLabel('API key', { exact: true })).toBeFocused()
  const take = async () => {
    await press(page, page.getByRole('button', { name: 'Copy API key' }))
    await expect(dialog(page).getByText('Copied.')).toBeVisible()
    const secret = await clipboard(page)
    await press(page, page.getByRole('button', { name: 'I’ve saved it' }))
    await expect(page.getByRole('button', { name: 'Done' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(dialog(page)).toBeHidden()
    return secret
  }
  const first = await take()
  await expect(page.getByRole('button', { name: 'Create key' })).toBeFocused()
  expect(await statusWith(service, first)).toBe(200)
  await press(page, page.getByRole('link', { name: 'Typed key', exact: true }))
  await settled(page)
  await expect(card(page, 'Typed key')).toContainText('Custom: 1 scope')

  await press(page, page.getByRole('button', { name: 'Rotate Typed key' }))
  await expect(page.getByLabel('The old secret works for another')).toBeFocused()
  await press(page, page.getByRole('button', { name: 'Create new secret' }))
  await expect(page.getByLabel('API key', { exact: true })).toBeFocused()
  const second = await take()
  expect(await card(page, 'Typed key').textContent()).toContain('Old secret')
  expect([await statusWith(service, first), await statusWith(service, second)]).toEqual([200, 200])

  await press(page, page.getByRole('button', { name: `Revoke Typed key, plb_live_…${first.slice(-4)}` }))
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeHidden()
  await press(page, page.getByRole('button', { name: `Revoke Typed key, plb_live_…${first.slice(-4)}` }))
  await press(page, page.getByRole('button', { name: 'Revoke key' }))
  await expect(card(page, 'Typed key').getByText('Old secret')).toBeHidden()
  await expect(page.getByRole('main')).toBeFocused()
  expect([await statusWith(service, first), await statusWith(service, second)]).toEqual([401, 200])
  expect(tab.faults).toEqual([])
  await tab.close()
})

test('over a slow line the dialog of a new secret closes together with the new list, never over an old one @slow', async ({
  browser,
  service,
}) => {
  const { id } = await makeContractor(service)
  await makeKey(service.home, id, 'integration')
  const { page, faults, close } = await openKeys(browser, service, id)
  await openKey(page, 'e2e')
  const held = new Set<() => void>()
  await page.route(/\/keys\/key_\w+(\?|$)/, async (route) => {
    const isList = route.request().method() === 'GET' && route.request().headers().rsc !== undefined
    if (isList) await new Promise<void>((go) => held.add(go))
    await route.continue()
  })
  const letGo = async () => {
    await expect.poll(() => held.size).toBe(1)
    for (const go of held) go()
    held.clear()
  }

  await page.getByRole('button', { name: 'Rotate e2e' }).click()
  await page.getByRole('button', { name: 'Create new secret' }).click()
  await page.getByRole('button', { name: 'I’ve saved it' }).click()
  const done = page.getByRole('button', { name: 'Done' })
  await done.click()
  await expect(done).toHaveAttribute('aria-disabled', 'true')
  await expect(page.getByText('Old secret')).toHaveCount(0)
  await letGo()
  await expect(dialog(page)).toBeHidden()
  expect(await card(page, 'e2e').textContent()).toContain('Old secret')

  await page.getByRole('button', { name: 'Revoke e2e' }).last().click()
  await page.getByRole('button', { name: 'Revoke key' }).click()
  await expect(page.getByText('Key revoked.')).toBeVisible()
  await letGo()
  await expect(page.getByText('Old secret')).toHaveCount(0)
  expect(faults).toEqual([])
  await close()
})

test('a key is changed: what is wrong is said at its field and nothing written is lost; the terms count at once', async ({
  browser,
  service,
}) => {
  const { id } = await makeContractor(service)
  const key = await makeKey(service.home, id, 'integration')
  const { page, faults, close } = await openKeys(browser, service, id)
  await openKey(page, 'e2e')
  await expect(page.getByText('Never expires.')).toBeVisible()
  await page.getByRole('button', { name: 'Edit e2e' }).click()
  await page.getByLabel('Name').fill('Nightly sync')
  await page.getByLabel('Allowed IPs').fill('198.51.100.7\n10')
  await page.getByRole('textbox', { name: 'Rate limit' }).fill('many')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('10: not an address')).toBeVisible()
  await expect(page.getByText('A whole number from 1 to 100000')).toBeVisible()
  await expect(page.getByLabel('Allowed IPs')).toBeFocused()
  await expect(page.getByLabel('Name')).toHaveValue('Nightly sync')
  await expectNoAxeFindings(page)
  await page.getByLabel('Allowed IPs').fill('198.51.100.7, 2001:db8::/32')
  await page.getByRole('textbox', { name: 'Rate limit' }).fill('30')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(card(page, 'Nightly sync')).toContainText('198.51.100.7, 2001:db8::/32')
  await expect(card(page, 'Nightly sync')).toContainText('30 per minute')
  await expect(page.getByRole('button', { name: 'Edit Nightly sync' })).toBeFocused()
  expect(await statusWith(service, key)).toBe(403)
  expect(faults).toEqual([])
  await close()
})
