import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { type Database, type Orm, rows } from '@/db/client'
import { faultCode } from '@/lib/core/fault-code'

/** The settings of a run of chaos: its writers, for how long each transaction may stay open, and how long clients pause between requests. */
export type Chaos = { writers: number; transactions: number; longestMs: number; pauseMs?: number }

/** A client that keeps a copy: it begins once, then catches up again and again, waiting for so many seconds where it can. */
export type Syncing = { begin(): Promise<void>; catchUp(wait?: number): Promise<unknown> }

const anyOf = async (orm: Orm, table: string, contractorId: string): Promise<string | undefined> => {
  const [row] = await rows<{ id: string }>(
    orm,
    sql`select id from ${sql.identifier(table)} where contractor_id = ${contractorId} order by random() limit 1`,
  )
  return row?.id
}

let made = 0

/** The steps a writer may take in a transaction; each leaves the records consistent. */
const STEPS: ((orm: Orm, contractorId: string) => Promise<unknown>)[] = [
  async (orm, contractorId) => {
    const from = await anyOf(orm, 'analytics_invoice_records', contractorId)
    const id = `inv_chaos_${++made}`
    await orm.execute(sql`insert into analytics_invoice_records
        (id, contractor_id, project_id, customer_id, number, amount, currency, invoice_date, due_date)
      select ${id}, contractor_id, project_id, customer_id, ${id}, amount, currency, invoice_date, due_date
      from analytics_invoice_records where id = ${from ?? ''}`)
  },
  async (orm, contractorId) => {
    const id = await anyOf(orm, 'analytics_invoice_records', contractorId)
    await orm.execute(sql`update analytics_invoice_records set amount = amount + 1 where id = ${id ?? ''}`)
  },
  async (orm, contractorId) => {
    const id = await anyOf(orm, 'analytics_revenue_transactions', contractorId)
    await orm.execute(sql`update analytics_revenue_transactions set amount = amount + 1 where id = ${id ?? ''}`)
  },
  (orm, contractorId) =>
    orm.execute(sql`delete from analytics_invoice_records where contractor_id = ${contractorId} and id = (
      select id from analytics_invoice_records i where contractor_id = ${contractorId} and starts_with(id, 'inv_chaos_')
        and not exists (select from analytics_revenue_transactions t where t.invoice_id = i.id) order by random() limit 1)`),
  async (orm, contractorId) => {
    const id = await anyOf(orm, 'projects', contractorId)
    await orm.execute(sql`update projects set customer_id = (select id from users where contractor_id = ${contractorId}
      order by random() limit 1) where id = ${id ?? ''}`)
  },
]

/** Reports whether two writers met: one of them is undone by the database, as in a real load, and that is no change. */
const isMeeting = (error: unknown): boolean => /40P01|23505|23503|55P03/.test(faultCode(error) ?? '')

async function write(db: Database, contractorId: string, { transactions, longestMs }: Chaos): Promise<void> {
  for (let n = 0; n < transactions; n++) {
    const isUndone = Math.random() < 0.1
    await db.orm
      .transaction(async (tx) => {
        for (let steps = 1 + Math.floor(Math.random() * 2); steps > 0; steps--)
          await STEPS[Math.floor(Math.random() * STEPS.length)]?.(tx, contractorId)
        // The embedded database has one connection: an open transaction would only stop the others.
        if (db.driver !== 'pglite') await sleep(Math.random() * longestMs)
        if (isUndone) throw new Error('undone')
      })
      .catch((error: unknown) => {
        if (!isMeeting(error) && !(error instanceof Error && error.message === 'undone')) throw error
      })
    await sleep((Math.random() * longestMs) / 4)
  }
}

/**
 * Lets clients sync while writers insert, update, delete and hold transactions open; then each catches up once more. The first begins
 * before the writers do, the others beside them.
 */
export async function runChaos(db: Database, contractorId: string, chaos: Chaos, clients: Syncing[]): Promise<void> {
  await clients[0]?.begin()
  let isOver = false
  const writers = Promise.all(Array.from({ length: chaos.writers }, () => write(db, contractorId, chaos))).finally(
    () => {
      isOver = true
    },
  )
  const syncing = clients.map(async (client, i) => {
    await sleep(50 * i)
    if (i > 0) await client.begin()
    while (!isOver) {
      await client.catchUp(i % 2)
      await sleep(chaos.pauseMs ?? 20)
    }
    await writers
    await client.catchUp()
  })
  await Promise.all([...syncing, writers])
}
