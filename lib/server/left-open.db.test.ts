import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { saveAlertSettings } from '@/db/queries/alerts'
import { beginJournal, findJournal } from '@/db/queries/load-journal'
import { queueMessages } from '@/db/queries/outbox'
import { indexSome } from '@/db/queries/search-queue'
import { addDeliveries, findEndpoint, insertEndpoint } from '@/db/queries/webhooks'
import type { Work } from '@/db/queries/work-in-hand'
import { newId } from '@/lib/core/ids'
import { recoverInterruptedLoad, recoverInterruptedLoads } from '@/lib/load/recover'
import { findAlerts } from '@/lib/notify/alerts'
import { runNotifications } from '@/lib/notify/run'
import { runWebhooks } from '@/lib/sync/webhooks/run'
import { makeMember, openPeopleDatabase } from '@/lib/testing/people'
import { connectTo, TestClock, useServer } from '@/lib/testing/quickbooks/connection'
import { TestQuickBooks } from '@/lib/testing/quickbooks/server'
import { makeTenant, sampleBooks } from '@/lib/testing/tenant'

const clock = new TestClock()
let db: Database
let quickbooks: TestQuickBooks
beforeAll(async () => {
  quickbooks = await TestQuickBooks.start(clock.now)
  useServer(quickbooks)
  db = await openPeopleDatabase()
  shareDatabase(db)
})
afterAll(async () => {
  await quickbooks.stop()
  await db.close()
  vi.unstubAllEnvs()
})

/** Leaves work as a process leaves it that ended in the middle of it, so many times in a row. */
const leave = ({ kind, subject }: Pick<Work, 'kind' | 'subject'>, times: number) =>
  db.orm.execute(sql`insert into work_in_hand (kind, subject, times, is_open, begun_at) values (${kind}, ${subject}, ${times}, true, now())
    on conflict (kind, subject) do update set times = excluded.times, is_open = true`)
const isLeft = async (subject: string) =>
  (await rows(db.orm, sql`select 1 as one from work_in_hand where subject = ${subject}`)).length > 0
const later = (minutes: number) => new Date(Date.now() + minutes * 60_000)
const everything = (contractorId: string) => ({ contractorId, from: new Date(0), to: later(1_000_000) })

const sent: string[] = []
const senders = { email: async ({ id }: { id: string }) => void sent.push(id), webhook: async () => {} }

test('a message that ended its process is tried later, and given up the third time', async () => {
  const [once, often] = [newId('message'), newId('message')]
  const queue = (id: string) =>
    queueMessages(db.orm, [
      {
        ...{ id, contractorId: null, personId: null, toAddress: 'ana@example.com', channel: 'email' },
        ...{ subject: 'Hello', body: 'Ana', createdAt: new Date(), nextAt: new Date() },
      },
    ])
  for (const [id, times] of [
    [once, 1],
    [often, 3],
  ] as const) {
    await queue(id)
    await leave({ kind: 'message', subject: id }, times)
  }
  expect(await runNotifications({ senders })).toMatchObject({ sent: 0, failed: 2 })
  expect(await runNotifications({ senders, now: later(2) })).toMatchObject({ sent: 1, failed: 0 })
  expect(sent).toEqual([once])
  const [given] = await rows<{ error: string; isOver: boolean }>(
    db.orm,
    sql`select last_error as error, failed_at is not null as "isOver" from outgoing_messages where id = ${often}`,
  )
  expect(given).toEqual({ error: 'The service was stopped while it sent this message.', isOver: true })
})

test('alerts whose gathering ended the process three times are left out, and those that follow are told of', async () => {
  const { contractor } = await makeTenant(db)
  const { personId } = await makeMember(db, contractor.id)
  const dueAt = later(-1)
  await saveAlertSettings(db.orm, {
    ...{ contractorId: contractor.id, personId, kinds: ['failed_loads'], digest: 'hourly', byEmail: true },
    ...{ webhookUrl: null, coveredUntil: later(-60), dueAt },
  })
  await leave({ kind: 'digest', subject: `${contractor.id} ${personId}` }, 3)
  await runNotifications({ senders })
  const [row] = await rows<{ isCovered: boolean; waits: boolean }>(
    db.orm,
    sql`select covered_until > now() - interval '1 minute' as "isCovered", due_at > now() as waits from alert_settings where person_id = ${personId}`,
  )
  expect(row).toEqual({ isCovered: true, waits: true })
})

async function makeEndpoint() {
  const { contractor } = await makeTenant(db)
  const id = newId('webhook')
  const delivery = newId('webhookDelivery')
  const now = new Date()
  await insertEndpoint(db.orm, {
    ...{
      id,
      contractorId: contractor.id,
      url: 'https://hook.example.com/',
      description: '',
      eventTypes: ['project.updated'],
    },
    ...{
      secret: 'unreadable',
      position: 0,
      stamp: '0',
      state: 'active',
      nextAt: now,
      createdAt: now,
      createdBy: 'operator',
    },
  })
  const deliver = () =>
    addDeliveries(db.orm, [
      {
        ...{ id: delivery, contractorId: contractor.id, endpointId: id, messageId: 'm', type: 'project.updated' },
        ...{
          resource: 'projects',
          recordId: 'p',
          body: '{}',
          isReplay: false,
          state: 'pending',
          nextAt: now,
          createdAt: now,
        },
      },
    ])
  const endpoint = () => findEndpoint(db.orm, contractor.id, id)
  return { contractor, id, delivery, deliver, endpoint }
}

test('a delivery that ended its process is a failed attempt; the third time its webhook is paused, and told of', async () => {
  const { contractor, delivery, deliver, endpoint } = await makeEndpoint()
  const post = vi.fn()
  await deliver()
  await leave({ kind: 'delivery', subject: delivery }, 1)
  await runWebhooks({ post })
  expect(await endpoint()).toMatchObject({ state: 'active', failures: 1 })
  await leave({ kind: 'delivery', subject: delivery }, 3)
  await runWebhooks({ post, clock: () => later(5) })
  expect(await endpoint()).toMatchObject({ state: 'paused', pausedReason: 'stopped' })
  expect(post).not.toHaveBeenCalled()
  const [found] = await rows<{ state: string; tried: { error: string }[] }>(
    db.orm,
    sql`select state, tried from webhook_deliveries where id = ${delivery}`,
  )
  expect(found).toMatchObject({ state: 'pending', tried: [{ error: expect.stringContaining('was stopped') }, {}] })
  const [alert] = await findAlerts(db.orm, ['paused_webhooks'], everything(contractor.id))
  expect(alert?.lines).toEqual([expect.stringMatching(/^The service stopped three times in a row/)])
  // Resumed, it is counted from one again.
  expect(await isLeft(delivery)).toBe(false)
})

test('events that ended the process three times while they were read for a webhook pause it', async () => {
  const { contractor, id, endpoint } = await makeEndpoint()
  await db.orm.execute(sql`update webhook_endpoints set replay_position = 0, replay_until = 1 where id = ${id}`)
  await leave({ kind: 'events', subject: id }, 3)
  await runWebhooks({ post: vi.fn() })
  expect(await endpoint()).toMatchObject({ state: 'paused', pausedReason: 'stopped', contractorId: contractor.id })
})

test('a connection that ended its process fails, and after the third time waits for a person', async () => {
  const { contractor } = await makeTenant(db)
  const { connection, run } = await connectTo(db, quickbooks, clock, contractor.id, '991')
  const subject = `${contractor.id} quickbooks`
  await leave({ kind: 'connector', subject }, 1)
  expect(await run()).toEqual({ ran: 0, failed: 1 })
  expect(await connection()).toMatchObject({
    state: 'connected',
    failures: 1,
    error: expect.stringMatching(/was stopped/),
  })
  clock.pass(5 * 60_000)
  await leave({ kind: 'connector', subject }, 3)
  expect(await run()).toEqual({ ran: 0, failed: 1 })
  expect(await connection()).toMatchObject({
    state: 'reconnect',
    error: expect.stringMatching(/stopped 3 times in a row/),
  })
  const [alert] = await findAlerts(db.orm, ['stopped_connectors'], everything(contractor.id))
  expect(alert?.title).toBe('QuickBooks Online must be connected again')
})

test.runIf(process.env.TEST_DRIVER === 'pglite')(
  'a change whose indexing ended the process of the embedded database is found among others, and left out of search',
  async () => {
    const { contractor, load } = await makeTenant(db)
    await load(sampleBooks(3))
    await db.orm.execute(sql`insert into search_queue (owner, kind, reference)
      select ${contractor.id}, 'project', id from projects where contractor_id = ${contractor.id}`)
    const waiting = async () =>
      (await rows(db.orm, sql`select 1 as one from search_queue where owner = ${contractor.id}`)).length
    const all = await waiting()
    expect(all).toBeGreaterThan(2)
    // All of them were in the statement that ended the process once; alone, the first one did so again.
    await leave({ kind: 'index', subject: contractor.id }, 1)
    await leave({ kind: 'index', subject: `${contractor.id} next` }, 1)
    expect(await indexSome(db, contractor.id)).toBe(all)
    expect([await waiting(), await isLeft(`${contractor.id} next`)]).toEqual([0, false])
    expect(await indexSome(db, contractor.id)).toBe(0)
    expect(await isLeft(contractor.id)).toBe(false)
  },
)

test('a taking back that ended the process goes on twice; then it stays set aside, and loads are refused with the reason', async () => {
  const { contractor } = await makeTenant(db)
  const loadId = newId('load')
  const state = async () => (await findJournal(db.orm, contractor.id))?.state
  await beginJournal(db, contractor.id, { loadId, author: null })
  await leave({ kind: 'take_back', subject: `${contractor.id} ${loadId}` }, 3)
  for (let start = 0; start < 2; start++) {
    await recoverInterruptedLoads(db)
    await expect(recoverInterruptedLoad(db, contractor.id)).rejects.toThrow(
      /stopped 3 times in a row while it took that load back/,
    )
    expect(await state()).toBe('running')
  }
  await leave({ kind: 'take_back', subject: `${contractor.id} ${loadId}` }, 2)
  await recoverInterruptedLoads(db)
  expect(await state()).toBe('ended')
})
