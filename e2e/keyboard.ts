import type { Page } from '@playwright/test'
import { expect } from './fixtures'

const MOST_TABS = 120

/**
 * A person at the keyboard alone: goes to a control by Tab, presses keys, types. What they decide to do is counted as a step; the Tabs on the
 * way to a control are counted beside.
 */
export function atKeyboard(page: Page) {
  const done = { steps: 0, tabs: 0 }
  const focused = () =>
    page.evaluate(() => {
      const at = document.activeElement
      const tied = at?.id ? document.querySelector(`label[for="${CSS.escape(at.id)}"]`)?.textContent : undefined
      return (at?.getAttribute('aria-label') ?? tied ?? at?.textContent ?? '').trim()
    })
  const matches = (name: string | RegExp, found: string) =>
    typeof name === 'string' ? found === name : name.test(found)
  return {
    done,
    /** Presses Tab until the focus is on the control of that name; fails where it cannot be reached or is not seen. */
    async to(name: string | RegExp): Promise<void> {
      for (let i = 0; !matches(name, await focused()); i++) {
        expect(i, `no control named ${name} within ${MOST_TABS} Tabs`).toBeLessThan(MOST_TABS)
        await page.keyboard.press('Tab')
        done.tabs++
      }
      await expect(page.locator(':focus')).toBeInViewport()
    },
    async press(key: string): Promise<void> {
      done.steps++
      await page.keyboard.press(key)
    },
    async type(text: string): Promise<void> {
      done.steps++
      await page.keyboard.type(text)
    },
  }
}
