import type { Page } from '@playwright/test'
import { layoutFaults, THEMES, WIDTHS } from './layout'
import { expectNoAxeFindings } from './look'

/** The directory where pictures are kept; when unset, the pages are measured only. `npm run look` sets it. */
export const PICTURES = process.env.LOOK_PICTURES

/** Looks at a page at every width: measured in one theme, or in both, with axe and pictures, where these are wanted. */
export async function look(page: Page, name: string, route = ''): Promise<string[]> {
  const faults: string[] = []
  for (const colorScheme of PICTURES ? THEMES : THEMES.slice(0, 1)) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 })
      // Charts are drawn again for their width.
      await page.waitForTimeout(150)
      faults.push(...(await layoutFaults(page)).map((fault) => `at ${width} px: ${fault}`))
      if (PICTURES) await page.screenshot({ path: `${PICTURES}/${name}-${width}-${colorScheme}.png`, fullPage: true })
    }
    // Swagger UI's own marks are not ours to fix.
    if (PICTURES) await expectNoAxeFindings(page, route.includes('swagger') ? 'header, h1, form' : 'html')
  }
  return faults
}
