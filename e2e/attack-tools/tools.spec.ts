import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '../fixtures'
import { ANA } from '../lead'

const installed = (tool: string) => spawnSync(tool, ['--version']).status === 0

/** Runs a scanner to completion and returns its output. */
function scan(tool: string, args: string[]): Promise<string> {
  return new Promise((done, fail) => {
    const child = spawn(tool, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk))
    child.once('error', fail)
    child.once('exit', () => done(output))
  })
}

const withFolder = async <T>(work: (folder: string) => Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-scan-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test.describe('sqlmap finds nothing', () => {
  test.skip(!installed('sqlmap'), 'sqlmap is not installed')
  const json = (value: unknown) => ['--data', JSON.stringify(value), '--header', 'content-type: application/json']
  const search = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'rag.search', arguments: { query: 'roof' } },
  }
  const TARGETS: [what: string, path: string, args: string[]][] = [
    [
      'filters of a list',
      '/api/v1/invoices?status=paid&customerId=cus_1&updatedAfter=2026-01-01T00:00:00Z&limit=2',
      [],
    ],
    ['the id of a record', '/api/v1/invoices/inv_1*', []],
    ['a lead', '/api/webhooks/leads/inbound', json({ ...ANA, externalId: 'scan-1' })],
    ['a search by a tool', '/mcp/rpc', json(search)],
  ]
  for (const [what, path, args] of TARGETS) {
    test(`in ${what}`, async ({ service }) => {
      const key = path.includes('leads') ? service.leadKey : service.key
      const output = await withFolder((folder) =>
        scan('sqlmap', [
          ...['-u', `${service.url}${path}`, '--header', `x-api-key: ${key}`, ...args],
          ...['--batch', '--level', '3', '--risk', '2', '--threads', '4', '--flush-session', '--output-dir', folder],
          ...['--ignore-code', '*', '--dbms', 'PostgreSQL'],
        ]),
      )
      expect(output).not.toMatch(/is vulnerable|identified the following injection point/)
      expect(output).toMatch(/do not appear to be injectable/)
    })
  }
})

// Without its check for CSRF tokens in forms: our forms are protected by the origin check and SameSite cookies.
test.describe('wapiti finds nothing', () => {
  test.skip(!installed('wapiti'), 'wapiti is not installed')
  test('on the pages for everyone and the sign-in form', async ({ service }) => {
    const found = await withFolder(async (folder) => {
      const report = join(folder, 'report.json')
      await scan('wapiti', [
        ...[
          '-u',
          `${service.url}/`,
          '--scope',
          'domain',
          '--max-scan-time',
          '300',
          '--flush-session',
          '--no-bugreport',
        ],
        ...['-m', 'sql,xss,permanentxss,file,exec,crlf,redirect,ssrf,backup,methods', '--store-session', folder],
        ...['-f', 'json', '-o', report],
      ])
      return JSON.parse(readFileSync(report, 'utf8')).vulnerabilities as Record<
        string,
        { path: string; info: string }[]
      >
    })
    const faults = Object.entries(found).flatMap(([kind, all]) =>
      all.map(({ path, info }) => `${kind} ${path}: ${info}`),
    )
    expect(faults).toEqual([])
  })
})
