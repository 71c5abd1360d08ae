import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { RESOURCE_NAMES } from '../lib/core/resource-names'
import { expect, get, test } from './fixtures'
import { DESCRIPTIONS, judge, withDescriptions } from './judge'
import { ANA, post } from './lead'
import { freePort } from './running'

// Independent tools decide whether the API description is right. They run in one project; the other projects show that every entry
// serves the same one.
const [DATA_API = ''] = DESCRIPTIONS

test('redocly and spectral, with the rules of OWASP, find nothing in any description', async ({ service }) => {
  await withDescriptions(service.url, DESCRIPTIONS, async (paths) => {
    const [redocly, spectral] = await Promise.all([
      judge('@redocly/cli/bin/cli.js', ['lint', ...paths, '--config', 'redocly.yaml', '--format', 'stylish']),
      judge('@stoplight/spectral-cli/dist/index.js', [
        ...['lint', ...paths, '--ruleset', 'spectral.mjs', '--fail-severity', 'hint', '--format', 'text', '--quiet'],
      ]),
    ])
    expect(spectral).toMatchObject({ stdout: '', status: 0 })
    expect(redocly).toMatchObject({ stdout: '', status: 0 })
  })
})

/** Runs Prism between client and service. It rejects requests and responses that the document does not describe. */
async function throughPrism(document: string, upstream: string, use: (url: string) => Promise<void>): Promise<void> {
  const port = await freePort()
  const prism = spawn(
    'e2e/judges/node_modules/.bin/prism',
    ['proxy', document, upstream, '--errors', '-p', String(port)],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let output = ''
  prism.stdout.on('data', (chunk) => {
    output += chunk
  })
  try {
    await expect.poll(() => output, { timeout: 60_000 }).toContain('Prism is listening')
    await use(`http://127.0.0.1:${port}`)
    expect(output).not.toMatch(/violation|✖/i)
  } finally {
    prism.kill()
  }
}

test('prism finds no request or answer of the lists that differs from the document', async ({ service }) => {
  await withDescriptions(service.url, [DATA_API], ([path = '']) =>
    throughPrism(path, `${service.url}/api/v1`, async (url) => {
      const proxied = { url, key: service.key }
      for (const name of RESOURCE_NAMES) {
        const list = await get(proxied, `/${name}?limit=100`)
        expect(list, `${name}: ${JSON.stringify(list.body).slice(0, 300)}`).toMatchObject({ status: 200 })
        const next = await get(proxied, `/${name}?limit=5`)
        expect((await get(proxied, `/${name}?limit=5&pageToken=${next.body.nextPageToken}`)).status).toBe(200)
        expect((await get(proxied, `/${name}/${list.body.items[0].id}`)).status).toBe(200)
        expect((await get(proxied, `/${name}/none`)).status).toBe(404)
        expect((await get({ ...proxied, key: 'wrong' }, `/${name}`)).status).toBe(401)
      }
      expect((await get(proxied, '/invoices?status=overdue&from=2024-01-01&to=2026-12-31')).status).toBe(200)
      expect((await get(proxied, '/metadata')).status).toBe(200)
      expect((await get(proxied, '/openapi')).status).toBe(200)
    }),
  )
})

test('prism finds no lead or answer of the webhook that differs from the document', async ({ service }) => {
  // The webhook is outside /api/v1, so the document gives it its own server.
  await withDescriptions(service.url, [DATA_API], ([path = '']) =>
    throughPrism(path, service.url, async (url) => {
      const lead = { ...ANA, externalId: `prism-${Date.now()}` }
      expect((await post(url, service.leadKey, lead)).status).toBe(201)
      expect((await post(url, service.leadKey, lead)).status).toBe(200)
      expect((await post(url, service.leadKey, { ...ANA, email: 'x' })).status).toBe(400)
      expect((await post(url, 'wrong', lead)).status).toBe(401)
      expect((await post(url, service.key, lead)).status).toBe(403)
      const form = JSON.parse(readFileSync('lib/leads/sources/fixtures/zapier-facebook.json', 'utf8'))
      expect((await post(url, service.leadKey, form, '/api/webhooks/leads/zapier')).status).toBe(200)
    }),
  )
})

test('clients of three generators compile, and read, page and send a lead alike', async ({ service }) => {
  const ended = await withDescriptions(service.url, [DATA_API], ([path = '']) =>
    Promise.all([
      judge('openapi-typescript/bin/cli.js', [path, '-o', 'generated/openapi-typescript.d.ts']),
      judge('@hey-api/openapi-ts/bin/run.js', [
        ...['-i', path, '-o', 'generated/hey-api', '-c', '@hey-api/client-fetch', '--silent', '--no-log-file'],
      ]),
      judge('orval/dist/bin/orval.mjs', ['--config', 'orval.config.mjs'], { DOCUMENT: path }),
    ]),
  )
  for (const { status, stdout, stderr } of ended) expect(status, stdout + stderr).toBe(0)
  expect(await judge('typescript/bin/tsc', ['-p', 'clients'])).toEqual({ status: 0, stdout: '', stderr: '' })
  const place = [`${service.url}/api/v1`, service.key, service.leadKey, `clients-${Date.now()}`]
  const { stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', 'e2e/judges/clients/main.ts', ...place], {
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  const report = {
    counts: [3, 50, 20, 50, 50],
    next: { items: 20, others: true },
    same: true,
    codes: ['not_found', 'unauthorized'],
    leads: [
      { status: 201, success: true },
      { status: 200, success: true },
    ],
  }
  expect(JSON.parse(stdout)).toEqual({ 'openapi-typescript': report, 'hey-api': report, orval: report })
})

test('the examples in the document are what their schemas say', async ({ service }) => {
  // redocly checks this too; here the metadata document must have the same fields.
  const document = await (await fetch(`${service.url}/api/v1/openapi`)).json()
  const { body } = await get(service, '/api/v1/metadata')
  for (const { name, query, fields } of body.resources) {
    const described = document.paths[`/${name}`].get
    expect(described.parameters.map((parameter: { name: string }) => parameter.name)).toEqual(query)
    // A change is one of several shapes.
    if (name === 'changes') continue
    const item = described.responses['200'].content['application/json'].schema.properties.items.items.$ref
      .split('/')
      .at(-1)
    const names = fields.map((field: { name: string }) => field.name)
    // What is only there when asked for stands behind them.
    expect(Object.keys(document.components.schemas[item].properties).slice(0, names.length)).toEqual(names)
  }
})
