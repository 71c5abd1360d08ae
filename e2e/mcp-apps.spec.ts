import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Frame, Page } from '@playwright/test'
import { build } from 'esbuild'
import { expect, test } from './fixtures'
import { expectNoAxeFindings } from './look'

// The package's own host draws what a real client is given by a running server, in a real browser. What each view says is in
// lib/mcp/views/views.test.ts, what clients are told of them in lib/mcp/apps.db.test.ts.

const APPS = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } }
const CALLS = {
  get_receivables_aging: { args: { limit: 5 }, says: 'Over 90 days', bars: 50 },
  get_cash_flow: { args: {}, says: 'Net received', bars: 50 },
  get_project_financials: { args: {}, says: 'Not in unpaid', bars: -1 },
  estimate_takeoff: {
    args: { assemblies: [{ kind: 'roofing', length: 40, width: 30, rise: 6 }] },
    says: 'Not counted',
    bars: -1,
  },
} as const

type Host = {
  open(html: string, context: object, width: number): Promise<void>
  result(args: object, result: object): Promise<void>
  cancel(): Promise<void>
  dress(context: object): void
}
declare const host: Host

/** The frame that a view is shown in. */
function viewOf(page: Page): Frame {
  const [, view] = page.frames()
  if (!view) throw new Error('There is no frame.')
  return view
}

test('receivables, cash flow, a project and a take-off are drawn at 360 pixels, light and dark, with nothing loaded and no text run @slow', async ({
  page,
  service: { url, key },
}) => {
  const { outputFiles } = await build({ entryPoints: ['e2e/apps/host.ts'], bundle: true, format: 'iife', write: false })
  const faults: string[] = []
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  page.on('pageerror', (fault) => faults.push(fault.message))
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  await page.setContent('<!doctype html><html lang="en"><title>Host</title><body></body></html>')
  await page.addScriptTag({ content: outputFiles[0]?.text ?? '' })
  const client = new Client(
    { name: 'test-host', version: '1' },
    { capabilities: { extensions: APPS }, versionNegotiation: { mode: 'auto' } },
  )
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers: { 'x-api-key': key } } }),
  )
  const { tools } = await client.listTools()
  const listed = await client.callTool({ name: 'list_projects', arguments: { limit: 1 } })
  const projectId = String(Object(listed.structuredContent).items?.[0]?.id)
  const own = new Map([['get_project_financials', { projectId }]])
  for (const [name, { args, says, bars }] of Object.entries(CALLS)) {
    const uri = Object(tools.find((tool) => tool.name === name)?._meta?.ui).resourceUri
    const { contents } = await client.readResource({ uri })
    const html = String(Object(contents[0]).text)
    const result = await client.callTool({ name, arguments: { ...args, ...own.get(name) } })
    // A customer may call themselves anything.
    const [customer] = Object(result.structuredContent).customers ?? [{}]
    customer.name = '<img src="https://elsewhere.example/x" onerror="document.title=1">'
    const frame = page.frameLocator('iframe')
    const grounds: string[] = []
    for (const theme of ['light', 'dark'] as const) {
      await page.evaluate(([text, context]) => host.open(text, context, 360), [
        html,
        { theme, locale: 'en-US' },
      ] as const)
      await expect(frame.getByText('Waiting for the result')).toBeVisible()
      await page.evaluate(([given, got]) => host.result(given, got), [args, result] as const)
      await expect(frame.getByText(says, { exact: true }).first()).toBeVisible()
      const look = await frame.locator('html').evaluate((root) => ({
        over: root.scrollWidth - root.clientWidth,
        ground: getComputedStyle(root.ownerDocument.body).backgroundColor,
        images: root.querySelectorAll('img').length,
        bars: [...root.querySelectorAll('.age, .flow')].reduce(
          (sum, bar) => sum + bar.getBoundingClientRect().width,
          0,
        ),
      }))
      expect(look, `${name} ${theme}`).toMatchObject({ over: 0, images: 0 })
      expect(look.bars).toBeGreaterThan(bars)
      grounds.push(look.ground)
      await expectNoAxeFindings(viewOf(page), 'html', true)
      if (process.env.LOOK_PICTURES)
        await page.locator('iframe').screenshot({ path: `artifacts/apps/${name}-${theme}.png` })
    }
    expect(new Set(grounds).size).toBe(2)
    if (name === 'get_receivables_aging') await expect(frame.getByText('<img src="https://elsewhere')).toBeVisible()
  }
  const frame = page.frameLocator('iframe')
  await page.evaluate(() =>
    host.dress({ theme: 'light', styles: { variables: { '--color-background-primary': 'rgb(1, 2, 3)' } } }),
  )
  await expect(frame.locator('body')).toHaveCSS('background-color', 'rgb(1, 2, 3)')
  await page.evaluate(() => host.cancel())
  await expect(frame.getByText('The call was cancelled.')).toBeVisible()
  expect(requested.filter((one) => !/^(about|data|blob):/.test(one))).toEqual([])
  expect(faults).toEqual([])
  await client.close()
})
