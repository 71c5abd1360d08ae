import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from './fixtures'
import { openKeyProxy } from './key-proxy'

// The protocol's own test runner decides whether the server conforms. It cannot send our headers, so a proxy adds the key.
const modules = join(process.cwd(), 'e2e/clients/node_modules')
const runner = [
  join(modules, 'node/bin/node'),
  join(modules, '@modelcontextprotocol/conformance/dist/index.js'),
] as const

/** Scenarios that need nothing but the protocol, and two for features that not every server offers. */
const MUST_PASS: Record<string, 'always' | 'resources' | 'prompts'> = {
  'server-initialize': 'always',
  ping: 'always',
  'tools-list': 'always',
  'server-sse-multiple-streams': 'always',
  'dns-rebinding-protection': 'always',
  'resources-list': 'resources',
  'prompts-list': 'prompts',
}

const FIXTURE_TOOL = 'calls a tool of the runner’s own (test_…), which a contractor’s server does not have'
const ASKS_BACK = 'needs a test tool that asks the client back; this server never does, and opens no stream to do it'
const FIXTURE_RESOURCE = 'reads a resource of the runner’s own (test://…)'
const FIXTURE_PROMPT = 'gets a prompt of the runner’s own (test_…)'
const NO_STREAM = 'needs a stream from server to client; answers are JSON, so the capability is not declared'

/** Scenarios that cannot pass here, each with the reason. */
const CANNOT: Record<string, string> = {
  'logging-set-level': NO_STREAM,
  'completion-complete': 'completes an argument of a prompt of the runner’s own; the capability is not declared',
  'tools-call-simple-text': FIXTURE_TOOL,
  'tools-call-image': FIXTURE_TOOL,
  'tools-call-audio': FIXTURE_TOOL,
  'tools-call-embedded-resource': FIXTURE_TOOL,
  'tools-call-mixed-content': FIXTURE_TOOL,
  'tools-call-with-logging': FIXTURE_TOOL,
  'tools-call-error': FIXTURE_TOOL,
  'tools-call-with-progress': FIXTURE_TOOL,
  'json-schema-2020-12': FIXTURE_TOOL,
  'tools-call-sampling': ASKS_BACK,
  'tools-call-elicitation': ASKS_BACK,
  'elicitation-sep1034-defaults': ASKS_BACK,
  'elicitation-sep1330-enums': ASKS_BACK,
  'server-sse-polling': 'needs the tool test_reconnection and a stream that it cuts off',
  'resources-read-text': FIXTURE_RESOURCE,
  'resources-read-binary': FIXTURE_RESOURCE,
  'resources-templates-read': FIXTURE_RESOURCE,
  'resources-subscribe': NO_STREAM,
  'resources-unsubscribe': NO_STREAM,
  'prompts-get-simple': FIXTURE_PROMPT,
  'prompts-get-with-args': FIXTURE_PROMPT,
  'prompts-get-embedded-resource': FIXTURE_PROMPT,
  'prompts-get-with-image': FIXTURE_PROMPT,
}

async function conformance(...args: string[]): Promise<string> {
  const [node, script] = runner
  const child = spawn(node, [script, ...args], { cwd: tmpdir(), stdio: ['ignore', 'pipe', 'inherit'], timeout: 50_000 })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  await new Promise((done) => child.once('close', done))
  return output
}

type Check = { id: string; status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO'; errorMessage?: string }

/** Reads the runner's results for a scenario. */
function checksOf(folder: string, scenario: string): Check[] {
  const name = readdirSync(folder).find((entry) => entry.replace(/-\d{4}-\d\d-\d\dT.*/, '') === `server-${scenario}`)
  return name === undefined ? [] : JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8'))
}

async function capabilities(url: string, key: string): Promise<object> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'acceptance', version: '1' } }
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      'x-api-key': key,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }),
  })
  return (await answer.json()).result.capabilities
}

test('every scenario the runner knows either must pass or has a reason why it cannot', async () => {
  const listed = [...(await conformance('list', '--server')).matchAll(/^ {2}- ([\w-]+)/gm)].map(([, name]) => name)
  expect(listed.sort()).toEqual([...Object.keys(MUST_PASS), ...Object.keys(CANNOT)].sort())
})

test('the scenarios that need no fixtures pass', async ({ service: { url, key } }) => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-conformance-'))
  const proxy = await openKeyProxy(url, key)
  try {
    const offered = { always: {}, ...(await capabilities(`${url}/mcp`, key)) }
    await conformance('server', '--suite', 'all', '--url', `${proxy.url}/mcp`, '-o', folder)
    for (const [scenario, needs] of Object.entries(MUST_PASS).filter(([, needs]) => needs in offered)) {
      const checks = checksOf(folder, scenario).filter(({ status }) => status !== 'INFO')
      expect(checks.length, `${scenario}, for which the server must have: ${needs}`).toBeGreaterThan(0)
      for (const { id, status, errorMessage } of checks) expect(status, `${id}: ${errorMessage}`).toBe('SUCCESS')
    }
  } finally {
    proxy.close()
    rmSync(folder, { recursive: true })
  }
})
