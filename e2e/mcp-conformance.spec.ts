import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect } from '@playwright/test'
import { openKeyProxy } from './keys'
import { NEWER_NODE } from './newer-node'
import { environment, freePort, makeHome, Running } from './running'
import { stockOf } from './stock'

// The protocol's own test runner decides whether the server conforms. It asks for tools, resources and prompts of its own, so a server
// with those beside ours answers it (conformance/server.ts); the engines and the transport are as ever. A proxy adds the key.
const modules = join(process.cwd(), 'e2e/clients/node_modules')
const runner = join(modules, '@modelcontextprotocol/conformance/dist/index.js')

const EXTENSION = 'an extension that is not supported'

/** Scenarios that cannot pass here, by revision, each with the reason. All others must pass. */
const CANNOT: Record<string, Record<string, string>> = {
  '2025-11-25': {},
  '2026-07-28': Object.fromEntries(
    [
      ...['lifecycle', 'capability-negotiation', 'wire-fields', 'request-state-removal', 'mrtr-input'],
      ...['request-headers', 'dispatch-and-envelope', 'required-task-error', 'mrtr-composition'],
    ].map((name) => [`tasks-${name}`, EXTENSION]),
  ),
}

type Check = {
  id: string
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED'
  errorMessage?: string
  details?: { untestable?: boolean }
}

/** Runs what a revision requires, and returns the checks of each scenario. */
async function checksOf(revision: string, url: string): Promise<Map<string, Check[]>> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-conformance-'))
  try {
    const args = ['server', '--requirements', revision, '--url', url, '-o', folder]
    const child = spawn(NEWER_NODE, [runner, ...args], { cwd: tmpdir(), stdio: ['ignore', 'ignore', 'inherit'] })
    await new Promise((done) => child.once('close', done))
    return new Map(
      readdirSync(folder).map((entry) => [
        entry.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*/, ''),
        JSON.parse(readFileSync(join(folder, entry, 'checks.json'), 'utf8')),
      ]),
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A check that the runner could not make, because it needs a tool of its own, fails as untestable. */
const hasFailed = ({ status, details }: Check) => status === 'FAILURE' && details?.untestable !== true

/** The server with the runner's fixtures, started once for both revisions. */
const test = base.extend<object, { conformed: { url: string } }>({
  conformed: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that are used from this pattern.
    async ({}, use) => {
      const home = await makeHome('pglite', 'stocked')
      const port = await freePort()
      const env = environment({ ...home.env, PORT: String(port), RATE_LIMIT_MCP: '1000000' })
      const args = ['--import', 'tsx', 'e2e/conformance/server.ts']
      const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
      const running = await new Running(child, port).ready()
      const proxy = await openKeyProxy(running.url, stockOf('pglite').key)
      await use({ url: `${proxy.url}/mcp` })
      proxy.close()
      await running.end()
      await home.remove()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

for (const [revision, reasons] of Object.entries(CANNOT))
  test(`${revision}: what the revision requires passes, but for scenarios with a reason`, async ({ conformed }) => {
    const checks = await checksOf(revision, conformed.url)
    expect(checks.size).toBeGreaterThan(30)
    const failed = [...checks].filter(([, made]) => made.some(hasFailed))
    const told = failed.map(([scenario, made]) => [scenario, made.filter(hasFailed).map((each) => each.errorMessage)])
    expect(failed.map(([scenario]) => scenario).sort(), JSON.stringify(told)).toEqual(Object.keys(reasons).sort())
  })
