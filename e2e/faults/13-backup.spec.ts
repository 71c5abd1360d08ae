import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { get, makeContractor } from '../fixtures'
import { ANA, post, UNLIMITED } from '../lead'
import { type Driver, environment, launch, makeHome, plumbline, type Running } from '../running'
import { killed } from './killed'
import { report } from './own-postgres'

/** Counts a contractor's projects page by page. */
async function countProjects(running: Running, key: string): Promise<number> {
  let count = 0
  for (let token = ''; ; ) {
    const { status, body } = await get({ url: running.url, key }, `/api/v1/projects?limit=100${token}`)
    expect(status).toBe(200)
    count += body.items.length
    if (!body.nextPageToken) return count
    token = `&pageToken=${body.nextPageToken}`
  }
}

for (const driver of ['pglite', 'pg'] as Driver[])
  test(`${driver}: a backup under writes is one moment; a restore that is killed leaves nothing in the way of the next`, async () => {
    test.skip(driver === 'pg' && process.env.PLUMBLINE_WITHOUT_POSTGRES === '1', 'no Postgres was found')
    const home = await makeHome(driver)
    const target = await makeHome(driver)
    const { key, leadKey } = await makeContractor(home, 'Backed up')
    const running = await (await launch('server', home, UNLIMITED)).ready()
    let restored: Running | undefined
    try {
      const file = join(home.dataDir, 'backup.file')
      let sent = 0
      let refused = 0
      let goesOn = true
      const sending = Array.from({ length: 4 }, async (_, lane) => {
        for (let i = 0; goesOn; i++) {
          const body = { ...ANA, email: `${lane}-${i}@example.com`, externalId: `${lane}-${i}` }
          if ((await post(running.url, leadKey, body)).status === 201) sent++
          else refused++
        }
      })
      await expect.poll(() => sent, { timeout: 30_000 }).toBeGreaterThan(200)
      const before = sent
      const child = spawn(process.execPath, ['bin/plumbline.mjs', 'backup', file], {
        env: environment(home.env),
        stdio: 'ignore',
      })
      const [code] = await once(child, 'exit')
      const after = sent
      goesOn = false
      await Promise.all(sending)
      let kills = 0
      for (let i = 0; i < 6; i++) if (await killed(target, ['restore', file], 700 + i * 250)) kills++
      // A restore that finished before it could be killed leaves a database with data.
      const restoring = plumbline(target, 'restore', file, '--replace', '--yes')
      restored = await (await launch('server', target, UNLIMITED)).ready()
      const kept = await countProjects(restored, key)
      const next = await post(restored.url, leadKey, { ...ANA, externalId: 'after the restore' })
      report(13, `backup under writes, restore killed (${driver})`, [
        { what: 'leads while it was written', value: after - before, bound: Number.POSITIVE_INFINITY },
        { what: 'refused', value: refused, exactly: 0 },
        { what: 'exit code of the backup', value: code, exactly: 0 },
        { what: 'restores killed', value: kills, bound: 6 },
        { what: 'exit code of the next', value: restoring.status ?? -1, exactly: 0 },
        { what: 'taken before it began and not in it', value: Math.max(0, before - kept), exactly: 0 },
        { what: 'in it though sent after its end', value: Math.max(0, kept - after - 4), exactly: 0 },
        // Job numbers have no gaps, so the next one is the number of projects plus one.
        { what: 'the next job number, past those in it', value: next.body.jobNumber - kept, exactly: 1 },
      ])
      expect(kills).toBeGreaterThan(0)
    } finally {
      await restored?.end('SIGKILL')
      await running.end('SIGKILL')
      await home.remove()
      await target.remove()
    }
  })
