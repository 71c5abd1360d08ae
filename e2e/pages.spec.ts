import { expect, test } from './fixtures'

const SIZES = [360, 1280]
const SCHEMES = ['light', 'dark'] as const

for (const width of SIZES) {
  for (const colorScheme of SCHEMES) {
    test(`the start page at ${width} px, ${colorScheme}: says what this is, fits, and its links lead somewhere`, async ({
      browser,
      service,
    }, info) => {
      const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme })
      const faults: string[] = []
      page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
      page.on('pageerror', (error) => faults.push(String(error)))
      await page.goto(service.url)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
      for (const href of await page
        .getByRole('main')
        .getByRole('link')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))) {
        expect((await fetch(service.url + href)).status, href).toBe(200)
      }
      await page.screenshot({ path: info.outputPath(`start-${width}-${colorScheme}.png`), fullPage: true })
      expect(faults).toEqual([])
      await page.close()
    })
  }
}

test('the explorer shows every endpoint, without an error in the console', async ({ browser, service }, info) => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  const faults: string[] = []
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  await page.goto(`${service.url}/developers/api`)
  await expect(page.locator('.opblock')).toHaveCount(11)
  await page.screenshot({ path: info.outputPath('explorer.png') })
  expect(faults).toEqual([])
  await page.close()
})

test('a page that is not there says so, with a way on', async ({ browser, service }) => {
  const page = await browser.newPage()
  const response = await page.goto(`${service.url}/nothing-here`)
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('main').getByRole('link', { name: 'start page' })).toBeVisible()
  await page.close()
})
