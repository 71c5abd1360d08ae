import { rmSync } from 'node:fs'
import { test } from '@playwright/test'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import { Client } from 'pg'
import { get, makeContractor } from '../fixtures'
import { laterMigrations } from '../later-migrations'
import { ANA, post, UNLIMITED } from '../lead'
import { type Entry, launch, makeHome, type Running } from '../running'
import { report } from './own-postgres'

const SENDERS = 3

for (const entry of ['server', 'next'] as Entry[])
  test(`${entry}: a later version migrates, starts, and takes over, while requests go on`, async () => {
    test.skip(process.env.PLUMBLINE_WITHOUT_POSTGRES === '1', 'no Postgres was found')
    const home = await makeHome('pg')
    const { key, leadKey } = await makeContractor(home, 'Upgraded')
    const old = await (await launch(entry, home, UNLIMITED)).ready()
    let later: Running | undefined
    const folder = laterMigrations()
    try {
      let to: Running = old
      let goesOn = true
      const counted = { taken: 0, read: 0 }
      const odd: string[] = []
      /** Retries like a load balancer: a request that failed because its process is stopping goes to the process now serving. */
      const ask = async <T>(send: (url: string) => Promise<T>): Promise<T> => {
        for (;;) {
          const url = to.url
          const answer = await send(url).catch(() => undefined)
          if (answer) return answer
          await new Promise((done) => setTimeout(done, 20))
        }
      }
      const sending = Array.from({ length: SENDERS }, async (_, lane) => {
        for (let i = 0; goesOn; i++) {
          const lead = { ...ANA, email: `${lane}-${i}@example.com`, externalId: `${lane}-${i}` }
          const taken = await ask((url) => post(url, leadKey, lead))
          const read = await ask((url) => get({ url, key }, '/api/v1/projects?limit=5'))
          counted.taken += Number(taken.status === 201 || taken.status === 200)
          counted.read += Number(read.status === 200)
          if (taken.status > 201) odd.push(`lead ${taken.status} ${taken.body.code}`)
          if (read.status !== 200) odd.push(`list ${read.status} ${read.body.code}`)
        }
      })
      const pause = () => new Promise((done) => setTimeout(done, 1_500))
      await pause()
      const client = new Client({ connectionString: home.postgresUrl })
      await client.connect()
      await migrate(drizzle(client), { migrationsFolder: folder })
      await pause()
      later = await (await launch(entry, home, UNLIMITED)).ready()
      to = later
      const code = await old.end()
      await pause()
      goesOn = false
      await Promise.all(sending)
      const { rows } = await client.query('select count(*)::int as n from projects where later_note is null')
      await client.end()
      if (odd.length > 0) console.log(odd.join(', '))
      report(14, `upgrade while serving (${entry}): ${counted.taken} leads, ${counted.read} reads`, [
        { what: 'answered with an error', value: odd.length, exactly: 0 },
        { what: 'projects less leads', value: rows[0].n - counted.taken, exactly: 0 },
        // Next exits with the signal's code.
        { what: 'exit code of the old one', value: code ?? -1, exactly: entry === 'next' ? 143 : 0 },
      ])
    } finally {
      await old.end('SIGKILL')
      await later?.end('SIGKILL')
      rmSync(folder, { recursive: true })
      await home.remove()
    }
  })
