import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { Browser } from '@playwright/test'
import { expect, type Service, test } from './fixtures'
import { COMPILED, NEWER_NODE } from './newer-node'
import { makePerson } from './people'
import { freePort } from './running'

// Programs as published that people connect without a key: each prints where the browser must go, and a browser goes there.
const modules = join(process.cwd(), 'e2e/clients/node_modules')

/** The address of the authorization endpoint in what a program prints. */
const addressIn = (from: Readable, issuer: string): Promise<string> =>
  new Promise((done) => {
    let seen = ''
    from.on('data', (chunk) => {
      seen += chunk
      const found = new RegExp(`${issuer}/oauth2/authorize\\?[^\\s"]+(?=\\s)`).exec(seen)?.[0]
      if (found) done(found)
    })
  })

/** A person of the contractor signs in where the program sends them, and connects it. */
async function allowIt(browser: Browser, service: Service, address: string): Promise<void> {
  const { email, password } = await makePerson(service, service.contractorId, 'viewer')
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(address)
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.waitForURL((url) => url.origin !== new URL(service.url).origin)
  await context.close()
}

/** A folder for what a program keeps. */
async function inHome<T>(work: (home: string) => Promise<T>): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), 'plumbline-client-'))
  try {
    return await work(home)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

const environmentOf = (home: string) => ({
  ...process.env,
  ...COMPILED,
  HOME: home,
  MCP_REMOTE_CONFIG_DIR: home,
  // Nothing here opens a browser by itself; the inspector asks for a terminal or this.
  MCP_AUTO_OPEN_ENABLED: 'true',
  BROWSER: '/bin/true',
})

test('mcp-remote is connected by a person who clicks', async ({ browser, service }) => {
  await inHome(async (home) => {
    const args = [join(modules, 'mcp-remote/dist/proxy.js'), `${service.url}/mcp`, String(await freePort())]
    const transport = new StdioClientTransport({
      command: NEWER_NODE,
      args: [...args, '--transport', 'http-only'],
      env: { ...getDefaultEnvironment(), HOME: home, MCP_REMOTE_CONFIG_DIR: home, BROWSER: '/bin/true' },
      stderr: 'pipe',
    })
    const client = new Client({ name: 'acceptance', version: '1.0.0' })
    const address = addressIn(transport.stderr as Readable, service.url)
    const connecting = client.connect(transport, { timeout: 100_000 })
    await allowIt(browser, service, await address)
    await connecting
    expect(await client.callTool({ name: 'list_customers', arguments: {} })).not.toHaveProperty('isError')
    await client.close()
  })
})

test('the inspector’s command line is connected by a person who clicks', async ({ browser, service }) => {
  await inHome(async (home) => {
    const launcher = join(modules, '@modelcontextprotocol/inspector/clients/launcher/build/index.js')
    const callback = `http://127.0.0.1:${await freePort()}/oauth/callback`
    const asked = [
      '--method',
      'tools/call',
      '--tool-name',
      'list_customers',
      '--tool-args-json',
      '{}',
      '--format',
      'json',
    ]
    const child = spawn(
      NEWER_NODE,
      [
        launcher,
        '--cli',
        '--transport',
        'http',
        '--server-url',
        `${service.url}/mcp`,
        '--callback-url',
        callback,
        ...asked,
      ],
      { env: environmentOf(home), stdio: ['ignore', 'pipe', 'pipe'], timeout: 100_000 },
    )
    let [out, err] = ['', '']
    child.stdout.on('data', (chunk) => {
      out += chunk
    })
    child.stderr.on('data', (chunk) => {
      err += chunk
    })
    const ended = new Promise((done) => child.once('close', done))
    const address = await Promise.race([
      addressIn(child.stderr, service.url),
      addressIn(child.stdout, service.url),
      ended.then((code) => Promise.reject(new Error(`ended with ${code}: ${err}${out}`))),
    ])
    await allowIt(browser, service, address)
    expect(await ended, err).toBe(0)
    expect(out).toContain('structuredContent')
  })
})

test('the protocol’s own runner finds the authorization server as it must be', async ({ browser, service }) => {
  const port = await freePort()
  const registered = await fetch(`${service.url}/oauth2/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'Conformance',
      redirect_uris: [`http://127.0.0.1:${port}/callback`],
      token_endpoint_auth_method: 'none',
    }),
  })
  const { client_id: client } = await registered.json()
  await inHome(async (home) => {
    const runner = join(modules, '@modelcontextprotocol/conformance/dist/index.js')
    const named = ['--url', service.url, '--client-id', client, '--resource', `${service.url}/mcp`]
    const args = [runner, 'authorization', ...named, '--port', String(port), '--output-dir', join(home, 'checks')]
    const child = spawn(NEWER_NODE, args, { cwd: home, env: environmentOf(home), stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = new Promise((done) => child.once('close', done))
    await allowIt(browser, service, await addressIn(child.stdout, service.url))
    expect(await ended).toBe(0)
    const checks = readdirSync(join(home, 'checks')).flatMap((folder) =>
      JSON.parse(readFileSync(join(home, 'checks', folder, 'checks.json'), 'utf8')),
    )
    expect(checks.map(({ id, status }) => `${id}: ${status}`).sort()).toEqual(
      [
        'authorization-code-grant: SUCCESS',
        'authorization-server-metadata-cimd: SUCCESS',
        'authorization-server-metadata: SUCCESS',
      ].sort(),
    )
  })
})
