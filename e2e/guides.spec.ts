import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadEnv } from '@/lib/core/env'
import { guideSources } from '@/lib/guides/source'
import { expect, makeContractor, test } from './fixtures'
import type { Variables } from './guides/programs'
import {
  type Block,
  blocksOf,
  checkTypeScript,
  expectMark,
  readMark,
  runPython,
  runShell,
  runTypeScript,
} from './guides/run'
import { connectionIn, shapeOf, toolsAt } from './guides/shape'
import { command, environment, type Home } from './running'

type Reader = { key: string; api: string; env: Variables; folder: string; client?: string; cwd?: string | undefined }

const ask = ({ api, key }: Reader, path: string) => fetch(`${api}${path}`, { headers: { 'x-api-key': key } })

async function checkClient(block: Block, { key }: Reader, configuration: unknown): Promise<void> {
  const connection = connectionIn(configuration, key)
  expect(connection.header, block.title).toMatch(/^plb_/)
  expect(await toolsAt({ ...connection, header: key }), block.title).toContain('list_invoices')
}

const CHECKS: Record<string, (block: Block, reader: Reader) => Promise<void>> = {
  sh: async (block, reader) => {
    const ran = await runShell(block, reader.env, reader.cwd)
    expectMark(block, ran)
    if (block.mark.client) await checkClient(block, reader, { args: ran.out.split('\n') })
  },
  ts: async (block, { folder, env }) => {
    await checkTypeScript(block, folder, env)
    expectMark(block, await runTypeScript(block, folder, env))
  },
  python: async (block, { folder, env }) => expectMark(block, await runPython(block, folder, env)),
  json: async (block, reader) => {
    const shown = JSON.parse(block.code)
    if (block.mark.client) return checkClient(block, reader, shown)
    expect(block.mark.answerOf, `${block.title}: what it is the answer of`).toBeDefined()
    const answer = await ask(reader, block.mark.answerOf ?? '')
    expect(shapeOf(shown), block.title).toEqual(shapeOf(await answer.json()))
  },
  http: async (block, reader) => {
    const [first = '', ...lines] = block.code.split('\n')
    const answer = await ask(reader, block.mark.headersOf ?? '')
    expect(first).toContain(` ${answer.status} `)
    for (const line of lines) expect(answer.headers.has(line.slice(0, line.indexOf(':'))), line).toBe(true)
  },
}

/** Creates a contractor with a key that may load, for the guide that loads files. */
async function makeLoader(home: Home) {
  const own = await makeContractor(home, 'Guide to loading')
  const words = ['--contractor', own.id, '--name', 'office', '--scopes', 'write:data']
  return { ...own, key: await command(home, 'keys', 'create', ...words) }
}

/** Creates a separate key for the guide that revokes one. */
async function keyId(home: Home, contractor: string): Promise<string> {
  const words = ['--contractor', contractor, '--name', 'guides', '--preset', 'agent', '--json']
  return JSON.parse(await command(home, 'keys', 'create', ...words)).id
}

test('a mark that is missing, or that nobody understands, is a fault', () => {
  expect(() => readMark(undefined, 'x')).toThrow('x: no mark')
  expect(() => readMark('<!-- a remark -->', 'x')).toThrow('x: no mark')
  expect(() => readMark('<!-- test\n-->', 'x')).toThrow('x: no mark')
  expect(() => readMark('<!-- test\nstatus 200\nskip\n-->', 'x')).toThrow('nobody understands the mark "skip"')
})

for (const { slug } of guideSources()) {
  test(`${slug}: every block of code does what is said of it`, async ({ service }) => {
    test.setTimeout(180_000)
    const { home } = service
    // The guide's leads count as new only for a contractor that gets no other leads.
    const own = slug === 'leads' ? await makeContractor(home, 'Guide to leads') : undefined
    const loader = slug === 'loading-files' ? await makeLoader(home) : undefined
    const key = loader?.key ?? service.key
    const contractor = (own ?? loader)?.id ?? service.contractorId
    const folder = mkdtempSync(join(tmpdir(), 'plumbline-guide-'))
    const env = environment({
      ...home.env,
      TMPDIR: folder,
      PLUMBLINE_KEY: key,
      LEAD_KEY: own?.leadKey ?? service.leadKey,
      KEY_ID: await keyId(home, contractor),
      CONTRACTOR: contractor,
    })
    const reader = { key, api: `${service.url}/api/v1`, env, folder, cwd: loader && folder }
    const settings = loadEnv({ PORT: String(service.running.port) })
    for (const block of blocksOf(slug, settings)) {
      await test.step(block.title, async () => {
        const check = CHECKS[block.language]
        if (!check) throw new Error(`${slug}: nobody knows how to run ${block.language}`)
        await check(block, reader)
      })
    }
    rmSync(folder, { recursive: true, force: true })
  })
}
