import { pathToFileURL } from 'node:url'
import { expect, test } from '@playwright/test'
import { get, makeContractor } from '../fixtures'
import { ANA, post, UNLIMITED } from '../lead'
import { launch, makeHome } from '../running'
import { report } from './own-postgres'

const CLOCK = pathToFileURL('e2e/faults/clock.mjs').href
const HOUR_MS = 3_600_000
const OVERLAP_MS = 120_000
const LEADS = 20

// The embedded database uses the process's clock, so a wrong clock in the process is wrong in the database.
for (const [what, fault] of [
  ['an hour back', -HOUR_MS],
  ['an hour ahead, and right again after a restart', HOUR_MS],
] as const)
  test(`the clock is set ${what}: delta sync misses nothing`, async () => {
    const home = await makeHome('pglite')
    const { key, leadKey } = await makeContractor(home, 'Clock')
    const wrong = { ...UNLIMITED, NODE_OPTIONS: `--import=${CLOCK}`, FAULT_CLOCK_MS: String(fault) }
    let running = await (await launch('server', home, wrong)).ready()
    const lead = (i: number) =>
      post(running.url, leadKey, { ...ANA, email: `c${i}@example.com`, externalId: `clock-${i}` })
    const held = new Map<string, string>()
    let backwards = 0
    let since = ''
    /** Syncs as in the guide: the cursor is the server's time when the last sync began, minus two minutes. */
    const sync = async () => {
      let began: string | undefined
      for (let token = ''; ; ) {
        const { headers, body } = await get({ url: running.url, key }, `/api/v1/projects?limit=100${since}${token}`)
        began ??= new Date(Date.parse(headers.get('date') ?? '') - OVERLAP_MS).toISOString()
        for (const { id, updatedAt } of body.items) held.set(id, updatedAt)
        if (!body.nextPageToken) break
        token = `&pageToken=${body.nextPageToken}`
      }
      since = `&updatedAfter=${began}`
    }
    const made: string[] = []
    const storeLeads = async (from: number) => {
      const latest = [...held.values()].sort().at(-1) ?? ''
      for (let i = from; i < from + LEADS; i++) made.push((await lead(i)).body.projectId)
      await sync()
      for (const id of made.slice(-LEADS)) if ((held.get(id) ?? '') <= latest) backwards++
    }
    try {
      await storeLeads(0)
      running.process.kill('SIGUSR2')
      const told = async () => Date.parse((await (await fetch(`${running.url}/health`)).json()).timestamp)
      await expect.poll(async () => Math.abs((await told()) - Date.now()) > HOUR_MS / 2, { timeout: 10_000 }).toBe(true)
      await storeLeads(LEADS)
      await running.end()
      running = await (await launch('server', home, UNLIMITED)).ready()
      await storeLeads(2 * LEADS)
      report(11, `clock ${what}`, [
        { what: 'leads', value: made.length, exactly: 3 * LEADS },
        { what: 'missed by delta sync', value: made.filter((id) => !held.has(id)).length, exactly: 0 },
        { what: 'not later than what was shown before', value: backwards, exactly: 0 },
      ])
    } finally {
      await running.end('SIGKILL')
      await home.remove()
    }
  })
