import type { Page } from '@playwright/test'
import { expect, test } from './fixtures'
import { card, clipboard, dialog, makeContractor, openKeys, statusWith } from './keys'

/** What a person does on a page: each field filled, each choice, each press counts as one step. */
function hands(page: Page) {
  const steps: string[] = []
  const count = async (step: string, act: Promise<unknown>) => {
    steps.push(step)
    await act
  }
  return {
    steps,
    press: (name: RegExp | string) => count(`press ${name}`, page.getByRole('button', { name }).last().click()),
    fill: (label: string, text: string) => count(`fill ${label}`, page.getByLabel(label).fill(text)),
  }
}

/** Steps that a task may take; one more is a change for the worse that somebody must decide on. */
const MOST = { 'a first call that is seen': 6, 'a rotation': 5, 'ending both secrets': 2, 'inviting a viewer': 4 }

test('the tasks of a key and of a team, by their steps', async ({ browser, service }, info) => {
  test.slow()
  const { id } = makeContractor(service)
  const { page, faults, close } = await openKeys(browser, service, id)
  const taken: Record<string, string[]> = {}
  const task = async (name: keyof typeof MOST, run: (hand: ReturnType<typeof hands>) => Promise<void>) => {
    const hand = hands(page)
    await run(hand)
    taken[name] = hand.steps
    expect(hand.steps.length, `${name}: ${hand.steps.join(', ')}`).toBeLessThanOrEqual(MOST[name])
  }
  let first = ''
  await task('a first call that is seen', async ({ press, fill }) => {
    await press('Create key')
    await fill('Name', 'Accounting')
    await press('Create key')
    await press('Copy API key')
    await expect(dialog(page).getByText('Copied.')).toBeVisible()
    first = await clipboard(page)
    await press('I’ve saved it')
    expect(await statusWith(service, first)).toBe(200)
    await expect(dialog(page)).toContainText('Your first request is here')
    await press('Done')
  })
  await task('a rotation', async ({ press }) => {
    await press(/^Rotate Accounting/)
    await press('Create new secret')
    await press('Copy API key')
    await press('I’ve saved it')
    await press('Done')
  })
  await expect(card(page, 'Accounting').getByText('Old secret')).toBeVisible()
  const masked = await card(page, 'Accounting').locator('code').first().textContent()
  await task('ending both secrets', async ({ press }) => {
    await press(`Revoke Accounting, ${masked}`)
    await expect(dialog(page).getByRole('radio', { name: /^Both secrets/ })).toBeChecked()
    await press('Revoke key')
  })
  await expect(page.getByText('2 secrets revoked.')).toBeVisible()
  expect(await statusWith(service, first)).toBe(401)
  await page.goto(`${service.url}/team`)
  await page.waitForLoadState('networkidle')
  await task('inviting a viewer', async ({ press, fill }) => {
    await press('Invite')
    await fill('Email address', 'new.viewer@example.com')
    await press('Create link')
    await expect(page.getByLabel('Invitation link')).toBeVisible()
    await press('Copy Invitation link')
  })
  await info.attach('steps', { body: JSON.stringify(taken, undefined, 2), contentType: 'application/json' })
  expect(faults).toEqual([])
  await close()
})
