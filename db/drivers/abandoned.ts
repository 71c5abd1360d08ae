import { Client, type Pool } from 'pg'
import { CONNECTING } from './postgres'

/** What a pool sends: a statement by its name, or with its text each time. */
type Sent = { name?: string; text: string; values: unknown[] }

/** Tells Postgres to end what a connection runs. */
async function cancel(url: string, processId: number): Promise<void> {
  const client = new Client({ connectionString: url, ...CONNECTING })
  try {
    await client.connect()
    await client.query('select pg_cancel_backend($1)', [processId])
  } finally {
    // Not awaited: on a broken connection an old client never reports that it has ended.
    client.end().catch(() => {})
  }
}

/**
 * Runs statements that Postgres ends when nobody waits for them any more. A connection that was told to end its statement is closed, because
 * the order may arrive after that statement, and would end the next one.
 */
export const abandonable =
  (pool: Pool, url: string) =>
  async (statement: Sent, abandoned: AbortSignal): Promise<object[]> => {
    const connection = await pool.connect()
    let isTold = false
    const tell = () => {
      isTold = true
      // What cannot be ended ends by itself.
      cancel(url, Object(connection).processID).catch(() => {})
    }
    abandoned.addEventListener('abort', tell, { once: true })
    try {
      if (abandoned.aborted) throw Object.assign(new Error('nobody waits for the statement'), { code: '57014' })
      return (await connection.query<object>(statement)).rows
    } finally {
      abandoned.removeEventListener('abort', tell)
      connection.release(isTold)
    }
  }
