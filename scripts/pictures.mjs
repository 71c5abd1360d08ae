// `npm run pictures`: takes the pictures of the public home from a demonstration that is running (`npm run demo`), in both themes.
// Needs its portal's address, when it is not the one in `demo.json`: `npm run pictures -- http://localhost:3000`.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { root } from './ready.mjs'
import { requireBrowser } from './services.mjs'

// As narrow as the side bar allows: the public home shows the pictures at less than half their size.
const SIZE = { width: 1040, height: 650 }
const SCALE = 1.25
/** The pages by the names of their pictures. */
const PAGES = { home: '/', 'who-owes': '/reports/who-owes' }

const { portalUrl, admin } = JSON.parse(
  readFileSync(join(process.env.PLUMBLINE_DATA_DIR ?? join(root, '.data'), 'demo.json'), 'utf8'),
)
const address = process.argv[2] ?? portalUrl
const folder = join(root, 'public/pictures')
mkdirSync(folder, { recursive: true })

const browser = await chromium.launch({ executablePath: requireBrowser(), args: ['--no-sandbox'] })
for (const colorScheme of ['light', 'dark']) {
  const context = await browser.newContext({
    viewport: SIZE,
    deviceScaleFactor: SCALE,
    colorScheme,
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  await page.goto(`${address}/sign-in`)
  await page.getByLabel('Email address').fill(admin.email)
  await page.getByLabel('Password', { exact: true }).fill(admin.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(`${address}/`)
  const session = await context.newCDPSession(page)
  for (const [name, path] of Object.entries(PAGES)) {
    await page.goto(address + path, { waitUntil: 'networkidle' })
    // Playwright itself writes no WebP.
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 })
    const file = join(folder, `${name}-${colorScheme}.webp`)
    writeFileSync(file, Buffer.from(data, 'base64'))
    process.stdout.write(`${file}\n`)
  }
  await context.close()
}
await browser.close()
