import { loadEnv } from '@/lib/core/env'
import { guideDocument, guideFor } from '@/lib/guides/guides'
import { guideSources } from '@/lib/guides/source'
import { expect, test } from './fixtures'
import { blocksOf } from './guides/run'
import { expectWellMade, LOOKS, openTab, sideways } from './look'
import { settled } from './settled'

const PATHS = ['/developers/guides', ...guideSources().map(({ slug }) => `/developers/guides/${slug}`)]

test('every guide fits, and axe finds nothing @slow', async ({ browser, service }, info) => {
  const { page, faults, close } = await openTab(browser)
  for (const [i, path] of PATHS.entries()) {
    await test.step(path, async () => {
      await page.goto(`${service.url}${path}`)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await page.setViewportSize({ width: 360, height: 900 })
      await expect.poll(() => sideways(page)).toBeLessThanOrEqual(0)
      // Guides are made of the same parts: axe reads every second one narrow and light, the others wide and dark.
      const looks = i === 0 ? LOOKS : LOOKS.slice(i % 2).slice(0, 1)
      await expectWellMade(page, (look) => info.outputPath(`${path.split('/').at(-1)}-${look}`), { looks })
    })
  }
  // A request without a sign-in gets 401, which browsers log to the console.
  expect(faults.filter((fault) => !fault.includes('401'))).toEqual([])
  await close()
})

test('links in the guides lead somewhere, to the very heading', async ({ browser, service }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  const seen = new Set<string>()
  for (const path of PATHS) {
    await page.goto(`${service.url}${path}`)
    const links = page.getByRole('main').getByRole('link')
    for (const href of await links.evaluateAll((all) =>
      all.map((link) => (link instanceof HTMLAnchorElement ? link.href : '')),
    ))
      seen.add(href)
  }
  const own = [...seen].filter((href) => href.startsWith(service.url))
  expect(own.length).toBeGreaterThan(40)
  const pages = new Map<string, string>()
  for (const href of own) {
    const [at = '', heading] = href.split('#')
    if (!pages.has(at)) {
      const answer = await fetch(at)
      expect(answer.status, at).toBe(200)
      pages.set(at, await answer.text())
    }
    if (heading) expect(pages.get(at), href).toContain(`id="${heading}"`)
  }
  await context.close()
})

for (const { slug } of guideSources()) {
  test(`${slug}.md: the guide as Markdown, cached, asked again by its ETag`, async ({ service }) => {
    const limits = { RATE_LIMIT_DATA_API: '1000000', RATE_LIMIT_LEADS: '1000000', RATE_LIMIT_MCP: '1000000' }
    const settings = loadEnv({ PORT: String(service.running.port), ...limits })
    const url = `${service.url}/developers/guides/${slug}.md`
    const answer = await fetch(url, { headers: { origin: 'https://example.org' } })
    expect(answer.status).toBe(200)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/markdown; charset=utf-8',
      'cache-control': 'public, max-age=300',
      'access-control-allow-origin': '*',
    })
    const text = await answer.text()
    const guide = guideFor(slug, settings)
    expect(text).toBe(guide && guideDocument(guide))
    for (const { code } of blocksOf(slug, settings)) expect(text).toContain(code)
    const etag = answer.headers.get('etag') ?? ''
    const again = await fetch(url, { headers: { 'if-none-match': etag }, cache: 'no-store' })
    expect([again.status, again.headers.get('etag')]).toEqual([304, etag])
    expect((await fetch(url, { method: 'POST' })).status).toBe(405)
    const page = await (await fetch(`${service.url}/developers/guides/${slug}`)).text()
    expect(page).toContain(`type="text/markdown"`)
    const [agents, sitemap] = await Promise.all(
      ['/llms.txt', '/sitemap.xml'].map(async (path) => (await fetch(service.url + path)).text()),
    )
    expect(agents).toContain(`](${url})`)
    expect(sitemap).toContain(`<loc>${url.replace(/\.md$/, '')}</loc>`)
  })
}

test('a guide that is not there is 404, as a page and as Markdown', async ({ service }) => {
  const page = await fetch(`${service.url}/developers/guides/nothing`)
  expect(page.status).toBe(404)
  expect(await page.text()).toContain('Page not found')
  const markdown = await fetch(`${service.url}/developers/guides/nothing.md`)
  expect(markdown.status).toBe(404)
  expect(await markdown.json()).toMatchObject({ code: 'not_found' })
})

test('quick start: who is not signed in is told how to see their first request', async ({ browser, service }) => {
  const answer = await fetch(`${service.url}/developers/first-request`)
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
  const { page, faults, close } = await openTab(browser)
  await page.goto(`${service.url}/developers/guides/quick-start`)
  const status = page.getByRole('main').getByRole('status').filter({ hasText: 'first request' })
  await expect(status).toContainText('Sign in to the portal')
  await expect(status.getByRole('link', { name: 'Sign in' })).toHaveAttribute(
    'href',
    '/sign-in?next=/developers/guides/quick-start',
  )
  expect(faults).toEqual([])
  await close()
})

test('quick start: the first request shows as it comes in', async ({ browser, service }) => {
  const page = await browser.newPage()
  let asked = 0
  const seen = { state: 'seen', at: '2026-11-21T10:00:01.000Z', method: 'GET', path: '/api/v1/invoices', status: 200 }
  await page.route(/first-request/, (route) => route.fulfill({ json: asked++ ? seen : { state: 'waiting' } }))
  await page.goto(`${service.url}/developers/guides/quick-start`)
  const status = page.getByRole('main').getByRole('status').filter({ hasText: 'first request' })
  await expect(status).toContainText('Waiting for your first request')
  await expect(status).toContainText('GET /api/v1/invoices, answered with 200 at 10:00:01 UTC')
  await page.close()
})

test('a block of code is copied whole', async ({ browser, service }) => {
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
  const page = await context.newPage()
  await page.goto(`${service.url}/developers/guides/delta-sync`)
  await settled(page)
  await page.getByRole('tab', { name: 'Python' }).first().click()
  await page.getByRole('button', { name: /^Copy.*delta_sync\.py$/ }).click()
  const block = blocksOf('delta-sync', loadEnv({ PORT: String(service.running.port) })).find(
    ({ title }) => title === 'delta_sync.py',
  )
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(block?.code)
  await context.close()
})

test('the guides: a search without script, a language that stays chosen, a page copied for a model', async ({
  browser,
  service,
}) => {
  const plain = await openTab(browser, { javaScriptEnabled: false })
  await plain.page.goto(`${service.url}/developers/guides/quick-start`)
  await plain.page.getByRole('searchbox', { name: 'Search the guides' }).fill('retry-after')
  await plain.page.keyboard.press('Enter')
  await expect(plain.page.getByRole('heading', { name: 'In the guides: “retry-after”' })).toBeVisible()
  await plain.page.getByRole('main').locator('ol').getByRole('link').first().click()
  expect(new URL(plain.page.url()).hash).not.toBe('')
  await plain.close()

  const { page, context, faults, close } = await openTab(browser)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service.url })
  await page.goto(`${service.url}/developers/guides/delta-sync`)
  await settled(page)
  await page.getByRole('tab', { name: 'Python' }).first().click()
  await page.goto(`${service.url}/developers/guides/reading-data`)
  await expect(page.getByRole('tab', { name: 'Python' })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('group', { name: 'all_pages.py' })).toBeVisible()
  await settled(page)
  await page.getByRole('button', { name: 'Copy page for LLM' }).click()
  await expect(page.getByText('Copied this page as Markdown.')).toBeVisible()
  const markdown = await (await fetch(`${service.url}/developers/guides/reading-data.md`)).text()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(markdown)
  await expect(page.getByRole('navigation', { name: 'Other guides' })).toContainText('Previous: ')
  expect(faults).toEqual([])
  await close()
})
