import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from './fixtures'
import { LIST, send } from './mcp'
import { COMPILED, NEWER_NODE } from './newer-node'
import { freePort, kindOf, launch, makeHome, type Running } from './running'
import { stockOf } from './stock'

// Libraries that hand tools to a model, as published, all in one process: e2e/clients/libraries.ts. Frameworks are most of the
// installation and have a run of their own: `npm run test:clients`.
const folder = join(process.cwd(), 'e2e/clients')

/** The names that OpenAI's and Anthropic's APIs take. */
const NAME = /^[a-zA-Z0-9_-]{1,64}$/
const LIBRARIES = { libraries: ['aiSdk', 'anthropic', 'gemini', 'langChain', 'openAiAgents'] }
const FRAMEWORKS = { 'frameworks/libraries': ['mastra', 'mcpUse'] }
const WANTED = { ...LIBRARIES, ...(process.env.PLUMBLINE_FRAMEWORKS === '1' ? FRAMEWORKS : {}) }

type Converted = { name: string; schema: { type?: string }; strict?: boolean }
type Seen = { converted: Converted[]; call: string; fault: string }

for (const [script, names] of Object.entries(WANTED))
  test(`${script} connect, convert the tools for their provider, call and are told what is wrong; a restart is not noticed`, async ({
    entry,
    driver,
  }) => {
    const home = await makeHome(driver, 'stocked')
    const { key } = stockOf(kindOf(driver))
    const PORT = String(await freePort())
    // The first request loads the protocol, and some libraries wait for it no longer than five seconds.
    const start = async (): Promise<Running> => {
      const server = await launch(entry, home, { PORT })
      await server.ready()
      expect((await send(server.url, { path: '/mcp/rpc', key, body: LIST })).status).toBe(200)
      return server
    }
    const first = await start()
    const child = spawn(NEWER_NODE, ['--import', 'tsx', join(folder, `${script}.ts`), `${first.url}/mcp`, key], {
      env: { ...process.env, ...COMPILED },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    let last = first
    try {
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
      const before: Record<string, Seen> = JSON.parse((await lines.next()).value ?? '{}')
      expect(Object.keys(before).sort()).toEqual(names)
      for (const [library, { converted, call, fault }] of Object.entries(before)) {
        expect(converted.length, library).toBeGreaterThan(10)
        for (const { name, schema, strict } of converted) {
          expect(name, library).toMatch(NAME)
          expect(schema.type, `${library}, ${name}`).toBe('object')
          expect(JSON.stringify(schema), `${library}, ${name}`).not.toMatch(/"(oneOf|allOf|\$ref|const)":/)
          if (library === 'openAiAgents') expect(strict, name).toBe(true)
        }
        expect(call, library).toContain('inv_')
        expect(fault, library).toContain('There is no project with this id')
      }
      await first.end()
      last = await start()
      child.stdin.write('again\n')
      const after: Record<string, string> = JSON.parse((await lines.next()).value ?? '{}')
      expect(Object.keys(after).sort()).toEqual(names)
      for (const [library, call] of Object.entries(after)) expect(call, library).toContain('inv_')
    } finally {
      child.kill()
      await last.end()
      await home.remove()
    }
  })
