import { expect, test } from './fixtures'
import { sendRaw } from './raw'
import { command, launch, makeHome } from './running'

const JSON_TYPE = 'application/json; charset=utf-8'
const TEXT_TYPE = 'text/plain; charset=utf-8'
const CARD_TYPE = 'application/mcp-server-card+json'

const DOCUMENTS: [path: string, type: string, says: string][] = [
  ['/mcp/info', JSON_TYPE, '"authentication"'],
  ['/mcp/tools.json', JSON_TYPE, '"list_invoices"'],
  ['/mcp/.well-known/mcp-server.json', JSON_TYPE, '"schema_version"'],
  ['/mcp/openapi.json', JSON_TYPE, '"3.0.3"'],
  ['/mcp/server.json', JSON_TYPE, '"streamable-http"'],
  ['/mcp/server-card', CARD_TYPE, '"supportedProtocolVersions"'],
  ['/.well-known/mcp/server-card.json', CARD_TYPE, '"supportedProtocolVersions"'],
  ['/llms.txt', TEXT_TYPE, '# Plumbline'],
  ['/changelog.xml', 'application/rss+xml; charset=utf-8', '<?xml'],
  ['/sitemap.xml', 'application/xml; charset=utf-8', '<urlset'],
  ['/robots.txt', TEXT_TYPE, 'Sitemap: '],
  ['/.well-known/security.txt', TEXT_TYPE, 'Contact: mailto:security@localhost'],
]

for (const [path, type, says] of DOCUMENTS) {
  test(`${path}: for everyone, cached, asked again by its ETag`, async ({ service }) => {
    const url = `${service.url}${path}`
    const response = await fetch(url, { headers: { origin: 'https://example.org' } })
    const { headers } = response
    expect(response.status).toBe(200)
    expect(headers.get('content-type')).toBe(type)
    expect(headers.get('cache-control')).toBe('public, max-age=300')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-powered-by')).toBeNull()
    const etag = headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]{27}"$/)
    expect(await response.text()).toContain(says)

    const again = await fetch(url, { headers: { 'if-none-match': etag }, cache: 'no-store' })
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
    const head = await fetch(url, { method: 'HEAD' })
    expect([head.status, await head.text(), head.headers.get('etag')]).toEqual([200, '', etag])
    const options = await fetch(url, { method: 'OPTIONS' })
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS'])
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const wrong = await fetch(url, { method })
      expect([wrong.status, wrong.headers.get('allow')], method).toEqual([405, 'GET, HEAD, OPTIONS'])
      expect((await wrong.json()).code).toBe('method_not_allowed')
    }
  })
}

/** A request with a Host that no DNS knows. */
function ask(port: number, host: string, path: string, headers: Record<string, string> = {}, method = 'GET') {
  const lines = Object.entries({ host, connection: 'close', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  // The first page of a fresh server takes its time on a busy machine.
  return sendRaw(port, `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, { quietMs: 10_000 })
}

const INFO =
  'name description version status uptime_seconds active_sessions transports authentication examples tool_categories'

test('/ is JSON for who prefers it, a page for everyone else; on the MCP host the page is its own', async ({
  service,
}) => {
  const { port } = service.running
  for (const host of ['localhost', 'mcp.localhost']) {
    const json = await ask(port, host, '/?from=here', { accept: 'application/json' })
    expect(json.status, host).toBe(200)
    expect(json.headers).toMatchObject({ 'content-type': JSON_TYPE, 'access-control-allow-origin': '*' })
    expect(json.headers.vary).toMatch(/accept(,|$)/i)
    expect(Object.keys(JSON.parse(json.body)).sort()).toEqual(INFO.split(' ').sort())
    expect(JSON.parse(json.body)).toMatchObject({ status: 'healthy', version: '0.3.0' })
    const again = await ask(port, host, '/', { accept: 'application/json', 'if-none-match': json.headers.etag ?? '' })
    // What it says of the moment is looked at every ten seconds, so the version may have changed in between.
    expect([200, 304]).toContain(again.status)
    // A program that does not say gets the machine's page on one machine, and information about the server on the server's host.
    const unsaid = await ask(port, host, '/', { accept: '*/*' })
    expect(unsaid.headers['content-type']).toContain(host === 'mcp.localhost' ? 'application/json' : 'text/html')
    for (const accept of ['text/html,application/xhtml+xml,*/*;q=0.8']) {
      const page = await ask(port, host, '/', { accept })
      expect(page.status).toBe(200)
      expect(page.headers['content-type'], `${host} ${accept}`).toContain('text/html')
      // Next writes the Vary of a page over, so the portal's is held to never being stored instead.
      if (host === 'mcp.localhost') expect(page.headers.vary).toMatch(/accept(,|$)/i)
      else expect(page.headers['cache-control']).toContain('no-store')
      expect(page.body.includes('MCP server</h1>'), host).toBe(host === 'mcp.localhost')
    }
    const head = await ask(port, host, '/', { accept: 'application/json' }, 'HEAD')
    expect([head.status, head.headers['content-type'], head.body]).toEqual([200, JSON_TYPE, ''])
    const post = await ask(port, host, '/', {}, 'POST')
    expect([post.status, post.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS'])
  }
})

test('the page of the MCP host shows without a fault, also at 360 px', async ({ browser, service }) => {
  const page = await browser.newPage({ viewport: { width: 360, height: 800 } })
  const faults: string[] = []
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  await page.goto(`http://mcp.localhost:${service.running.port}/`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Plumbline MCP server')
  expect(await page.evaluate(() => getComputedStyle(document.body).maxWidth)).toBe('768px')
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
  expect(faults).toEqual([])
  await page.close()
})

test('each face has its own: documents of the MCP server are refused on the data API host', async ({ service }) => {
  const { port } = service.running
  for (const [path] of DOCUMENTS) {
    // The feed is about the API, and is the portal's.
    const isPortal = path === '/changelog.xml'
    expect((await ask(port, 'mcp.localhost', path)).status, path).toBe(isPortal ? 421 : 200)
    const isMcp = path.startsWith('/mcp') || path.startsWith('/.well-known/mcp')
    const elsewhere = ['/robots.txt', '/.well-known/security.txt'].includes(path) ? 200 : 404
    const { status, headers } = await ask(port, 'api.localhost', path)
    expect(status, path).toBe(isMcp || isPortal ? 421 : elsewhere)
    if (status !== 200) expect(headers['content-type']).toBe(JSON_TYPE)
  }
  for (const path of ['/api/v1/customers', '/api/webhooks/leads/inbound'])
    expect((await ask(port, 'mcp.localhost', path)).status, path).toBe(421)
})

test('addresses come from the settings, whatever the request says; each one of the sitemap answers', async ({
  service,
}) => {
  const { port } = service.running
  const forged = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', forwarded: 'host=evil.example' }
  for (const [path] of DOCUMENTS)
    expect((await ask(port, 'localhost', path, forged)).body).not.toContain('evil.example')
  const sitemap = await (await fetch(`${service.url}/sitemap.xml`)).text()
  const found = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => url)
  const guide = await (await fetch(`${service.url}/llms.txt`)).text()
  const linked = [...guide.matchAll(/\]\(([^)]+)\)/g)].map(([, url = '']) => url)
  expect(found.length).toBeGreaterThan(5)
  for (const url of [...found, ...linked]) {
    expect(url).toContain(service.url)
    expect((await fetch(url)).status, url).toBe(200)
  }
})

test('with named hosts, an unknown one gets health and robots.txt and nothing else', async ({ entry, driver }) => {
  const home = await makeHome(driver, 'stocked')
  const hosts = { DATA_API_HOST: 'api.example.com', MCP_HOST: 'mcp.example.com', PORTAL_HOST: 'app.example.com' }
  const running = await (await launch(entry, home, hosts)).ready()
  const status = async (host: string, path: string) => (await ask(running.port, host, path)).status
  expect(await status('10.0.0.8', '/robots.txt')).toBe(200)
  expect(await status('10.0.0.8', '/mcp/info')).toBe(421)
  expect(await status('app.example.com', '/mcp/info')).toBe(421)
  expect(await status('app.example.com', '/.well-known/security.txt')).toBe(200)
  expect(await status('mcp.example.com', '/mcp/info')).toBe(200)
  const root = await ask(running.port, 'mcp.example.com', '/', { accept: 'application/json' })
  expect(JSON.parse(root.body).transports.streamable_http.url).toBe('https://mcp.example.com/mcp')
  expect(root.headers['strict-transport-security']).toContain('max-age')
  const page = await ask(running.port, 'app.example.com', '/', { accept: 'application/json' })
  expect(page.headers['content-type']).toContain('text/html')
  // The portal serves no data paths, but its explorer has a way to the API, which asks for a key as ever.
  expect(await status('app.example.com', '/api/v1/invoices')).toBe(421)
  const tried = await ask(running.port, 'app.example.com', '/developers/api/send/v1/invoices')
  expect([tried.status, JSON.parse(tried.body).code]).toEqual([401, 'unauthorized'])
  expect(tried.headers['x-ratelimit-limit']).toBeDefined()
  // Its pages and its sign-in are on its host only; the console, which asks the MCP server, is on that one's with what it is made of.
  for (const path of ['/sign-in', '/keys', '/developers/api/send/v1/invoices', '/oauth2/authorize'])
    for (const host of ['mcp.example.com', 'api.example.com']) {
      const refused = await ask(running.port, host, path)
      expect([refused.status, JSON.parse(refused.body).error], host + path).toEqual([
        421,
        expect.stringContaining(`https://app.example.com${path}`),
      ])
    }
  expect(await status('app.example.com', '/sign-in')).toBe(200)
  const console = await ask(running.port, 'mcp.example.com', '/mcp/console')
  expect(console.status).toBe(200)
  const [, script = ''] = /src="(\/_next\/static\/[^"]+\.js)"/.exec(console.body) ?? []
  for (const path of [script, '/icon.svg']) expect(await status('mcp.example.com', path), path).toBe(200)
  expect(await status('mcp.example.com', '/customers')).toBe(421)
  expect(await status('mcp.example.com', '/nothing')).toBe(404)
  for (const host of ['api.example.com', 'mcp.example.com', 'app.example.com'])
    for (const path of ['/openapi', '/api/v1/openapi', '/health']) expect(await status(host, path), host).toBe(200)
  await running.end()
  await home.remove()
})

test('/health: named checks, never cached', async ({ service, driver }) => {
  const response = await fetch(`${service.url}/health`)
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect(await response.json()).toMatchObject({
    status: 'healthy',
    checks: {
      database: { status: 'ok' },
      disk: { status: 'ok' },
      limiter: { status: 'ok', store: driver === 'vercel' ? 'redis' : 'process' },
    },
  })
})

test('the examples work as they stand: calls of the tools, single requests, a session that is then counted', async ({
  service,
}) => {
  const catalog = await (await fetch(`${service.url}/mcp/tools.json`)).json()
  const post = (url: string, key: string, body: unknown) =>
    fetch(url, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify(body),
    })
  const { home, contractorId } = service
  const made = ['--contractor', contractorId, '--name', 'e2e', '--scopes', 'write:notes,write:tasks']
  const writingKey = await command(home, 'keys', 'create', ...made)
  const keyFor = (scopes: string[]) => {
    if (scopes.includes('write:leads')) return service.leadKey
    return scopes.some((scope) => scope.startsWith('write:')) ? writingKey : service.key
  }
  for (const { name, endpoint, scopes, example_usage } of catalog.tools) {
    const key = keyFor(scopes)
    const response = await post(endpoint, key, example_usage)
    expect([response.status, (await response.json()).error], name).toEqual([200, undefined])
  }
  const { list_tools, call_a_tool, open_a_session } = catalog.examples
  for (const { curl, request } of [list_tools, call_a_tool, open_a_session]) {
    const url = /'(http[^']+)'/.exec(curl)?.[1] ?? ''
    expect(url).toContain(service.url)
    const response = await post(url, service.key, request)
    expect([response.status, (await response.json()).error], curl).toEqual([200, undefined])
  }
  const sessions = async () => {
    const response = await fetch(`${service.url}/`, { headers: { accept: 'application/json' } })
    return (await response.json()).active_sessions
  }
  await expect.poll(sessions, { timeout: 15_000, intervals: [1_000] }).toBeGreaterThan(0)
})
