import { errors, type Page } from '@playwright/test'

/** Milliseconds. */
const LONGEST = 15_000

/**
 * Waits until a page requests nothing for half a second, for at most 15 seconds: a browser that keeps a request open is no
 * failure, because a test waits for what it needs afterwards.
 */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle', { timeout: LONGEST }).catch((failure) => {
    if (!(failure instanceof errors.TimeoutError)) throw failure
  })
}
