import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { gzipSync } from 'node:zlib'
import type { Browser, BrowserContextOptions, Frame, Page } from '@playwright/test'
import type axe from 'axe-core'
import { expect } from './fixtures'
import { layoutFaults, THEMES, WIDTHS } from './layout'

/** The looks at every page and open dialog: each width and each theme once. */
export const LOOKS: readonly Look[] = [
  { width: 360, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
]
type Look = { width: number; colorScheme: 'light' | 'dark' }
type Looking = { inside?: string; fullPage?: boolean; looks?: readonly Look[] }

/** Pictures are for people: `npm run look` asks for them. */
const KEEPS_PICTURES = process.env.LOOK_PICTURES !== undefined
/** Every rule at every look; `npm test` asks the second one only for what its theme can change. */
const IN_FULL = KEEPS_PICTURES || process.env.PLUMBLINE_TEST_ALL === '1'

/** The bytes of script that a page may load, gzipped; Swagger UI’s page apart. */
export const SCRIPT_BUDGET = 170_000
/** The same once its dialogs and menus have been opened, which load what they are made with. */
export const OPENED_BUDGET = 260_000

/** The weight of an empty body, gzipped. */
const NOTHING = gzipSync(Buffer.alloc(0)).length
/** The weights of scripts, gzipped, by their path: the name of each holds its content. */
const weights = new Map<string, number>()

/** A tab that keeps what goes wrong in it, and the bytes of script it loads, gzipped. */
export async function openTab(browser: Browser, options: BrowserContextOptions = {}) {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const faults: string[] = []
  const scripts = new Map<string, number>()
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('response', async (response) => {
    // A body is gone when the tab has gone on to the next page.
    if (response.request().resourceType() !== 'script') return
    const { pathname } = new URL(response.url())
    const bytes = weights.get(pathname) ?? gzipSync(await response.body().catch(() => Buffer.alloc(0))).length
    if (pathname.startsWith('/_next/static/') && bytes > NOTHING) weights.set(pathname, bytes)
    scripts.set(pathname, bytes)
  })
  const scriptBytes = () => [...scripts.values()].reduce((sum, bytes) => sum + bytes, 0)
  return { context, page, faults, scriptBytes, close: () => context.close() }
}

declare global {
  interface Window {
    axe: typeof axe
  }
}

/** The minified script, which is read in half the time of the package's own `source`. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The WCAG 2.2 AA rules and the best practices. */
const RULES: axe.RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  resultTypes: ['violations'],
  // Style sheets and media are loaded again only for rules that are not asked for.
  preload: false,
}

/** The rules for what the other theme can change about a page that keeps its width: its colors. */
export const COLOR_RULES: axe.RunOptions = {
  ...RULES,
  runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
}

/**
 * Fails with what axe finds against WCAG 2.2 AA and its best practices. No page of ours has frames; what is shown in another's frame is
 * `embedded`, and has its landmarks around it.
 */
export async function expectNoAxeFindings(
  page: Page | Frame,
  include = 'html',
  embedded = false,
  asked = RULES,
): Promise<void> {
  // Within the page itself and loaded once: half the work of `@axe-core/playwright`, which sums up in a second page.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  // Base UI's guards around a popup hand the focus on as they get it: nobody rests on one.
  const context = { include: [[include]], exclude: [['[data-base-ui-focus-guard]']] }
  const rules = embedded ? { ...asked, rules: { region: { enabled: false } } } : asked
  const { violations } = await page.evaluate(([where, how]) => window.axe.run(where, how), [context, rules] as const)
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual([])
}

/** Returns how far a page can be scrolled sideways: nowhere, at any width. */
export const sideways = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)

/** Returns the names below pictures that touch each other or leave their picture. */
export const crowdedNames = (page: Page): Promise<string[]> =>
  page.$$eval('svg[role=img]', (pictures) =>
    pictures.flatMap((picture) => {
      const { left, right } = picture.getBoundingClientRect()
      const names = [...picture.querySelectorAll('text')]
        .map((text) => ({ text: text.textContent ?? '', box: text.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 0)
      const outside = names.filter(({ box }) => box.left < left - 1 || box.right > right + 1)
      const touching = names.filter(({ box }, at) =>
        names
          .slice(0, at)
          .some((other) => other.box.top === box.top && other.box.left < box.right && box.left < other.box.right),
      )
      return [...outside, ...touching].map(({ text }) => text)
    }),
  )

/**
 * Looks at what a tab shows, narrow and light, then wide and dark: nothing sticks out, axe finds nothing.
 * `inside` narrows what axe looks at.
 */
export async function expectWellMade(
  page: Page,
  shot: (name: string) => string,
  { inside = 'html', fullPage = true, looks = LOOKS }: Looking = {},
): Promise<void> {
  for (const [at, { width, colorScheme }] of looks.entries()) {
    await page.setViewportSize({ width, height: 900 })
    // Colors on their way from one theme to the other are none of either.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // Charts are redrawn for their width.
    await expect.poll(() => sideways(page), { message: `${page.url()} at ${width} px` }).toBeLessThanOrEqual(0)
    expect(await crowdedNames(page), `${page.url()} at ${width} px`).toEqual([])
    await expectNoAxeFindings(page, inside, false, at === 0 || IN_FULL ? RULES : COLOR_RULES)
    if (KEEPS_PICTURES) await page.screenshot({ path: shot(`${width}-${colorScheme}.png`), fullPage })
  }
}

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
