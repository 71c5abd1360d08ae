import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, get, test } from './fixtures'
import { COMPILED, NEWER_NODE } from './newer-node'

// Popular clients as published, each in its own process: e2e/clients/<script>.ts.
const folder = join(process.cwd(), 'e2e/clients')

type Client = { title: string; script: string; mode?: string; protocol?: string; session?: boolean }
const SESSION = { protocol: '2025-11-25', session: true }
const STATELESS = { protocol: '2026-07-28', session: false }

const CLIENTS: Client[] = [
  { title: '@modelcontextprotocol/sdk', script: 'sdk', ...SESSION },
  { title: '@modelcontextprotocol/sdk of 2025-03-26', script: 'sdk-2025-03-26', protocol: '2025-03-26', session: true },
  { title: '@modelcontextprotocol/client, legacy', script: 'client', mode: 'legacy', ...SESSION },
  { title: '@modelcontextprotocol/client, auto', script: 'client', mode: 'auto', ...STATELESS },
  { title: '@modelcontextprotocol/client, pinned', script: 'client', mode: '2026-07-28', ...STATELESS },
  { title: '@ai-sdk/mcp, initialize first', script: 'ai-sdk', mode: 'legacy', ...SESSION },
  { title: '@ai-sdk/mcp, discovery first', script: 'ai-sdk', mode: 'auto', ...STATELESS },
  // These two do not report the protocol version they negotiated.
  { title: 'mcp-remote', script: 'remote', mode: 'legacy' },
  { title: 'mcp-remote, auto', script: 'remote', mode: 'auto' },
  { title: 'inspector, auto', script: 'inspector', mode: 'auto' },
  { title: 'inspector, modern', script: 'inspector', mode: 'modern' },
]

/** Runs a client to completion in its own home folder, because some keep files there. Returns what it printed. */
async function run({ script, mode = '' }: Client, url: string, key: string) {
  const home = mkdtempSync(join(tmpdir(), 'plumbline-client-'))
  const child = spawn(NEWER_NODE, ['--import', 'tsx', join(folder, `${script}.ts`), url, key, mode], {
    env: { ...process.env, ...COMPILED, HOME: home, USERPROFILE: home },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 100_000,
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  const code = await new Promise((done) => child.once('close', done))
  rmSync(home, { recursive: true, force: true })
  expect(code, err).toBe(0)
  return JSON.parse(out)
}

for (const client of CLIENTS) {
  test(`${client.title}: tools, a call, a fault, what else is offered`, async ({ service: { url, key } }) => {
    const seen = await run(client, `${url}/mcp`, key)
    if (client.protocol !== undefined) expect(seen.protocol).toBe(client.protocol)
    if (client.session !== undefined) expect(seen.session !== undefined).toBe(client.session)
    if (client.script !== 'inspector') {
      expect(seen.server).toMatchObject({ name: 'plumbline', version: '0.3.0' })
      expect(seen.instructions).toContain('Plumbline')
    }
    expect(seen.tools).toEqual(expect.arrayContaining(['list_invoices', 'get_record', 'get_receivables_aging']))
    expect(seen.tools).not.toContain('create_lead')

    expect(seen.call.isError ?? false).toBe(false)
    const { items } = seen.call.structuredContent
    expect(items).toHaveLength(3)
    for (const { id, number, amount } of items)
      expect((await get({ url, key }, `/api/v1/invoices/${id}`)).body).toMatchObject({ id, number, amount })
    // The names beside the ids are for agents alone.
    expect(items[0]).toHaveProperty('customerName')
    expect(JSON.parse(seen.call.content[0].text)).toEqual(seen.call.structuredContent)

    expect(seen.fault).toMatchObject({ isError: true, content: [{ type: 'text' }] })
    expect(seen.fault.content[0].text).toContain('limit: must be a whole number from 1 to 25')

    expect(seen.offers).toEqual(expect.arrayContaining(['resources', 'prompts']))
    expect(seen.resource.text).toEqual(expect.stringMatching(/\S/))
    expect(seen.prompt[0].content.text).toEqual(expect.stringMatching(/\S/))

    if (client.script === 'inspector') expect([seen.ended, seen.strict]).toEqual([[0, 5], 0])
    if (client.script === 'ai-sdk') expect(seen.offered).toEqual(seen.tools)
    if (client.session) {
      // Each of these clients ends its session when it exits.
      const message = { jsonrpc: '2.0', id: 1, method: 'ping' }
      const after = await fetch(`${url}/mcp`, {
        method: 'POST',
        headers: {
          'x-api-key': key,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-session-id': seen.session,
          'mcp-protocol-version': seen.protocol,
        },
        body: JSON.stringify(message),
      })
      expect(after.status).toBe(404)
    }
  })
}
