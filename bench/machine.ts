import { cpus, freemem, loadavg, totalmem } from 'node:os'
import { Client } from 'pg'
import { TEST_POSTGRES_URL } from '@/lib/testing/database'
import { hasWrk } from './load'
import type { Machine } from './report'

/** Returns what there is to say of the Postgres that benches use; undefined when none is there. */
export async function postgresHere(): Promise<string | undefined> {
  if (process.env.PLUMBLINE_WITHOUT_POSTGRES === '1' || TEST_POSTGRES_URL === '') return undefined
  const client = new Client({ connectionString: TEST_POSTGRES_URL, connectionTimeoutMillis: 5_000 })
  try {
    await client.connect()
    const { rows } = await client.query(
      `select current_setting('server_version') as version, current_setting('fsync') as fsync`,
    )
    return `${rows[0].version}, fsync ${rows[0].fsync}`
  } catch {
    return undefined
  } finally {
    await client.end().catch(() => {})
  }
}

const gib = (bytes: number) => `${(bytes / 1024 ** 3).toFixed(1)} GiB`

/** Describes the machine, and what ran on it when the run began. */
export function machineHere(postgres: string | undefined): Machine {
  const cores = cpus()
  return {
    processor: `${cores[0]?.model.trim() ?? 'unknown'}, ${cores.length} cores`,
    memory: `${gib(totalmem())}, ${gib(freemem())} free at the beginning`,
    'load average at the beginning': loadavg()
      .map((value) => value.toFixed(2))
      .join(', '),
    system: `${process.platform} ${process.arch}`,
    Node: process.version,
    Postgres: postgres ?? 'none: over PGlite only',
    'requests sent by': hasWrk ? 'wrk' : 'autocannon',
    date: new Date().toISOString().slice(0, 10),
  }
}
