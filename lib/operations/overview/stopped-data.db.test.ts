import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Database, shareDatabase } from '@/db/client'
import { changeConnection } from '@/db/queries/connectors'
import { changeSource } from '@/db/queries/sources'
import { inside } from '@/lib/testing/file-sources'
import { makeMember, openPeopleDatabase } from '@/lib/testing/people'
import { connectTo, TestClock, useServer } from '@/lib/testing/quickbooks/connection'
import { TestQuickBooks } from '@/lib/testing/quickbooks/server'
import { forgetRuntime } from '@/lib/testing/runtime'
import { makeTenant } from '@/lib/testing/tenant'
import { execute } from '../execute'
import { pauseSource } from '../sources/change-source'
import { createSource } from '../sources/create-source'
import { runSources } from '../sources/runs/worker'
import { getOverview } from './get-overview'

const HOUR_MS = 3_600_000

let db: Database
let server: TestQuickBooks
const clock = new TestClock()
beforeAll(async () => {
  server = await TestQuickBooks.start(clock.now)
  useServer(server)
  db = await openPeopleDatabase()
})
afterAll(async () => {
  await server.stop()
  await db.close()
  vi.unstubAllEnvs()
})

test('a connection that is over, fails, has lost its settings or is late is named, with its moment and its page', async () => {
  const { contractor } = await makeTenant(db)
  const admin = await makeMember(db, contractor.id)
  const viewer = await makeMember(db, contractor.id, 'viewer')
  const stopped = async (actor = admin) => (await execute(getOverview, { actor, now: clock.now() }, {})).stopped
  expect(await stopped()).toEqual([])
  const { key, run, later } = await connectTo(db, server, clock, contractor.id, '31')
  await run()
  const synced = clock.now().toISOString()
  expect(await stopped()).toEqual([])
  const quickbooks = { name: 'QuickBooks Online', path: '/data/quickbooks' }

  server.trouble = { status: 400, times: 1 }
  await later()
  expect(await stopped()).toEqual([
    { ...quickbooks, what: 'failing', since: synced, reason: expect.stringContaining('refuses a request (400)') },
  ])
  expect(await stopped(viewer)).toEqual([
    { name: 'QuickBooks Online', path: null, what: 'failing', since: synced, reason: null },
  ])

  vi.stubEnv('QUICKBOOKS_CLIENT_ID', '')
  forgetRuntime()
  shareDatabase(db)
  expect(await stopped()).toMatchObject([{ what: 'unset', since: synced }])
  useServer(server)
  shareDatabase(db)

  // A throttled day is no failure, but its data is old.
  await changeConnection(db.orm, key, { error: null, failures: 0, nextAt: clock.now() })
  server.tokens.revoke('31')
  clock.pass(25 * HOUR_MS)
  expect(await stopped()).toMatchObject([{ ...quickbooks, what: 'late', since: synced }])
  await run()
  expect(await stopped()).toEqual([
    {
      ...quickbooks,
      what: 'reconnect',
      since: clock.now().toISOString(),
      reason: expect.stringContaining('Connect again'),
    },
  ])
  await changeConnection(db.orm, key, { state: 'disconnected' })
  expect(await stopped()).toEqual([])
})

test('a source that fails, is late or was paused is named, and who paused it', async () => {
  const { contractor } = await makeTenant(db)
  const actor = await makeMember(db, contractor.id)
  const stopped = async (now = new Date()) => (await execute(getOverview, { actor, now }, {})).stopped
  const url = 'https://files.example.com/invoices.csv'
  const ctx = () => ({ actor, now: new Date() })
  const { id, createdAt } = await execute(createSource, ctx(), { kind: 'link', name: 'Nightly', url })
  expect(await stopped()).toEqual([])
  expect(await stopped(new Date(Date.now() + 49 * HOUR_MS))).toMatchObject([{ what: 'late', since: createdAt }])
  await runSources({ reaching: inside() })
  const source = { name: 'Nightly', path: `/data/sources/${id}` }
  expect(await stopped()).toEqual([
    { ...source, what: 'failing', since: createdAt, reason: expect.stringMatching(/./) },
  ])
  const pausedAt = new Date('2026-11-20T10:00:00.000Z')
  await changeSource(db.orm, contractor.id, id, { state: 'paused', pausedAt, pausedReason: 'failing' })
  expect(await stopped()).toMatchObject([{ ...source, what: 'paused', since: pausedAt.toISOString() }])
  await changeSource(db.orm, contractor.id, id, { state: 'active', pausedAt: null, pausedReason: null })
  await execute(pauseSource, ctx(), { id, paused: true })
  expect(await stopped()).toMatchObject([{ ...source, what: 'pausedByPerson', reason: null }])
})
