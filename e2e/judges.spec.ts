import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { RESOURCE_NAMES } from '../lib/core/resource-names'
import { expect, get, test } from './fixtures'
import { ANA, post } from './lead'
import { freePort } from './running'

// Independent tools decide whether the API description is right. They run in one project; the other projects show that every entry
// serves the same one.
const folder = 'e2e/judges'
const judge = (name: string, ...args: string[]) =>
  spawnSync(join(process.cwd(), folder, 'node_modules/.bin', name), args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  })

const dataApi = (version: string) => `/api/v1/openapi?version=${version}`

async function withDocument<T>(url: string, place: string, use: (path: string) => Promise<T> | T): Promise<T> {
  const temporary = mkdtempSync(join(folder, 'document-'))
  const path = join(process.cwd(), temporary, 'openapi.json')
  writeFileSync(path, JSON.stringify(await (await fetch(url + place)).json()))
  try {
    return await use(path)
  } finally {
    rmSync(temporary, { recursive: true })
  }
}

for (const place of [dataApi('3.1'), dataApi('3.0'), '/mcp/openapi.json']) {
  test(`redocly lint finds nothing in ${place}`, async ({ service }) => {
    const { stdout } = await withDocument(service.url, place, (path) =>
      judge('redocly', 'lint', path, '--config', 'redocly.yaml', '--format', 'json'),
    )
    const { totals, problems } = JSON.parse(stdout.slice(stdout.indexOf('{')))
    expect(problems).toEqual([])
    expect(totals).toMatchObject({ errors: 0, warnings: 0 })
  })
}

/** Runs Prism between client and service. It rejects requests and responses that the document does not describe. */
async function throughPrism(document: string, upstream: string, use: (url: string) => Promise<void>): Promise<void> {
  const port = await freePort()
  const prism = spawn(
    join(folder, 'node_modules/.bin/prism'),
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
  await withDocument(service.url, dataApi('3.1'), (path) =>
    throughPrism(path, `${service.url}/api/v1`, async (url) => {
      const proxied = { url, key: service.key }
      for (const name of RESOURCE_NAMES) {
        const list = await get(proxied, `/${name}?limit=100`)
        expect(list, `${name}: ${JSON.stringify(list.body).slice(0, 300)}`).toMatchObject({ status: 200 })
        const next = await get(proxied, `/${name}?limit=30`)
        expect((await get(proxied, `/${name}?limit=30&pageToken=${next.body.nextPageToken}`)).status).toBe(200)
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
  await withDocument(service.url, dataApi('3.1'), (path) =>
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

test('a client generated from the document compiles and reads all four lists', async ({ service }) => {
  await withDocument(service.url, dataApi('3.1'), (path) => {
    expect(judge('openapi-typescript', path, '-o', 'generated.d.ts').status).toBe(0)
    const compiled = judge(
      'tsc',
      '--strict',
      '--noEmit',
      '--module',
      'esnext',
      '--moduleResolution',
      'bundler',
      '--target',
      'es2022',
      '--skipLibCheck',
      '--types',
      'node',
      '--typeRoots',
      '../../node_modules/@types',
      'client.ts',
    )
    expect(compiled.stdout).toBe('')
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', 'tsx', join(folder, 'client.ts'), `${service.url}/api/v1`, service.key],
      { encoding: 'utf8' },
    )
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual({ counts: [3, 50, 50, 50, 50], same: true, why: 'not_found' })
    rmSync(join(folder, 'generated.d.ts'))
  })
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
