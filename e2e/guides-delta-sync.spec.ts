import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadEnv } from '@/lib/core/env'
import { expect, get, makeContractor, test } from './fixtures'
import { openHostileProxy, type Turn } from './guides/hostile-proxy'
import { blocksOf, runPython, runTypeScript } from './guides/run'
import { command, environment } from './running'

type Item = { id: string; number: string; amount: number; updatedAt: string }
type State = { since: string; records: Record<string, Item> }

const SOURCE = 'db/demo/cumberland-roofing'
const LINES = readFileSync(join(SOURCE, 'invoices.csv'), 'utf8').trim().split(/\r?\n/)

/** Returns the header and some lines of the invoices with changed amounts and numbers. */
function invoicesWith(from: number, to: number, change: (line: string) => string): string {
  return [LINES[0], ...LINES.slice(from, to).map(change)].join('\n')
}
const amount = (dollars: number) => (line: string) =>
  line.replace(/^([^,]+,[^,]+),("[^"]*"|[^,]*),/, `$1,${dollars}.25,`)
const numbered = (prefix: string) => (line: string) => `${prefix}${line}`

/** Requires Python, which every system offers as a package. A test machine without it must install it. */
function requirePython(): void {
  if (spawnSync('python3', ['--version']).status === 0) return
  if (process.env.CI === 'true') throw new Error('The guides have programs in Python: apt-get install python3')
  test.skip(true, 'there is no python3 on this machine')
}

for (const language of ['ts', 'python']) {
  test(`the program in ${language} has what is true, through changes, ties, refusals and tokens that are no longer valid`, async ({
    service,
  }) => {
    // A program that waits as it is told to, and ten loads: three minutes where the machine has more to do.
    test.setTimeout(480_000)
    if (language === 'python') requirePython()
    const { home, url } = service
    const { id, key } = await makeContractor(home, `Delta sync in ${language}`)
    const folder = mkdtempSync(join(tmpdir(), 'plumbline-sync-'))
    const load = async (csv?: string) => {
      const from = csv === undefined ? SOURCE : join(folder, 'changed')
      if (csv !== undefined) {
        mkdirSync(from, { recursive: true })
        writeFileSync(join(from, 'invoices.csv'), csv)
      }
      await command(home, 'load', '--contractor', id, '--strict', from)
    }
    /** Returns every invoice as the API shows it while nothing changes. */
    const truth = async () => {
      const all: Record<string, Item> = {}
      for (let token: string | null = ''; token !== null; ) {
        const { body } = await get({ url, key }, `/api/v1/invoices?limit=100${token && `&pageToken=${token}`}`)
        for (const item of body.items) all[item.id] = item
        token = body.nextPageToken
      }
      return all
    }
    const file = join(folder, 'invoices.json')
    const state = (): State => JSON.parse(readFileSync(file, 'utf8'))
    const title = language === 'ts' ? 'delta-sync.mts' : 'delta_sync.py'
    const block = blocksOf('delta-sync', loadEnv({})).find((each) => each.title === title)
    /** Runs the program, and returns what it requested and received. */
    const sync = async (turns: Turn[]) => {
      const proxy = await openHostileProxy(url, turns)
      const env = environment({ PLUMBLINE_API: `${proxy.url}/api/v1`, PLUMBLINE_KEY: key })
      const start = language === 'ts' ? runTypeScript : runPython
      const ran = block && (await start(block, folder, env, ['invoices']))
      proxy.close()
      expect(ran?.code, ran?.err).toBe(0)
      expect(proxy.turns, 'turns nobody took').toHaveLength(0)
      return proxy.passed
    }

    await load()
    const walked = await sync([
      'slow-down',
      'pass',
      'pass',
      () => load(invoicesWith(1, 160, amount(111))),
      'broken',
      'pass',
      'stale-token',
      'unavailable',
      'pass',
      'pass',
      () => load(invoicesWith(300, 420, amount(222))),
      'pass',
      () => load(invoicesWith(1, 90, numbered('N-'))),
    ])
    const first = await truth()
    expect(state().records).toEqual(first)
    const moments = Object.values(first).map(({ updatedAt }) => updatedAt)
    expect(new Set(moments).size, 'records share a millisecond').toBeLessThan(moments.length)
    expect(moments.length).toBe(LINES.length - 1 + 89)
    const begun = walked.findLast(({ url }) => !url.searchParams.has('pageToken'))
    expect(walked.filter(({ status }) => status === 400)).toHaveLength(1)
    expect(new Date(state().since).getTime()).toBe((begun?.date.getTime() ?? 0) - 120_000)

    // From here on only the cursor decides, and nothing before it is requested again.
    const { records } = state()
    const since = moments.sort().at(-1) ?? ''
    writeFileSync(file, JSON.stringify({ since, records }))
    await load(invoicesWith(500, 750, amount(333)))
    const delta = await sync(['pass', () => load(invoicesWith(1000, 1010, amount(444))), 'pass'])
    expect(delta[0]?.url.searchParams.get('updatedAfter')).toBe(since)
    expect(delta.flatMap(({ ids }) => ids).length).toBe(260)
    expect(state().records).toEqual(await truth())
    rmSync(folder, { recursive: true, force: true })
  })
}
