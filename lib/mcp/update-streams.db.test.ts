import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type Database, shareDatabase } from '@/db/client'
import { addSubscription, openSession, openSessionStream } from '@/db/queries/mcp-sessions'
import type { KeyActor } from '@/lib/auth/actor'
import { revokeKey } from '@/lib/auth/manage-keys'
import { PRESETS } from '@/lib/auth/scopes'
import { catchUp, endOfFeed, watches } from '@/lib/sync/watch'
import { openTestDatabase } from '@/lib/testing/database'
import { collectLog } from '@/lib/testing/log'
import { makeTenant, sampleBooks } from '@/lib/testing/tenant'
import type { UpdateStream } from './update-stream'
import { STREAMS, streams } from './update-streams'

let db: Database
/** Runs before each statement with its name and values; what it throws fails the statement. */
let before: (name: string, values: unknown) => void = () => {}
const { lookMs } = STREAMS
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase({
    ...db,
    run: async (statement, values) => {
      before(statement.name, values)
      return db.run(statement, values)
    },
  })
  STREAMS.lookMs = 100
})
const opened = new Set<UpdateStream>()
afterEach(async () => {
  before = () => {}
  for (const stream of opened) stream.end()
  opened.clear()
  await vi.waitFor(() => expect([streams().size, watches().size]).toEqual([0, 0]), soon)
})
afterAll(async () => {
  STREAMS.lookMs = lookMs
  await db.close()
})

const soon = { timeout: 8_000, interval: 20 }
const FEED = 'plumbline_feed_names'
const LIST = 'plumbline://projects'
const OTHER = 'plumbline://invoices'

async function caller(loaded = 0) {
  const tenant = await makeTenant(db)
  const key = await tenant.key(PRESETS.integration.scopes)
  const { id: contractorId } = tenant.contractor
  const actor: KeyActor = {
    kind: 'key',
    keyId: key.id,
    lineage: key.id,
    contractorId,
    scopes: new Set(PRESETS.integration.scopes),
  }
  const start = await endOfFeed(contractorId)
  if (loaded > 0) await tenant.load(sampleBooks(loaded))
  return { tenant, key, actor, start }
}

/** A stream whose notifications are the URIs themselves. */
function streamFor(actor: KeyActor, session?: { id: string; streamId: string }) {
  const stream = streams().add(actor, { first: '', updated: (uri) => uri }, session)
  opened.add(stream)
  const told: string[] = []
  const read = async () => {
    for await (const chunk of stream.reply().chunks) told.push(String(chunk))
  }
  void read()
  return { stream, told }
}

async function sessionOf({ contractorId, lineage }: KeyActor) {
  const session = { id: `mcp_${randomBytes(12).toString('base64url')}`, streamId: 'newest' }
  await openSession(db.orm, {
    id: session.id,
    contractorId,
    keyLineage: lineage,
    protocolVersion: '2025-11-25',
    clientName: null,
    clientCapabilities: null,
  })
  await openSessionStream(db, session.id, session.streamId)
  return session
}

test('a stream that fails keeps no other from ending with its key, and catches up once it can', async () => {
  const [failing, revoked] = [await caller(1), await caller()]
  const session = await sessionOf(failing.actor)
  await addSubscription(db, session.id, { uri: LIST, since: failing.start, most: 1 })
  before = (name, values) => {
    if (name === FEED && JSON.stringify(values).includes(failing.actor.contractorId))
      throw new Error('the disk is gone')
  }
  const log = collectLog()
  try {
    const { told } = streamFor(failing.actor, session)
    streamFor(revoked.actor)
    await revokeKey(db.orm, revoked.key.id, revoked.tenant.operator)
    await vi.waitFor(() => expect(streams().size).toBe(1), soon)
    await vi.waitFor(() => expect(log.text()).toContain('the disk is gone'), soon)
    before = () => {}
    await vi.waitFor(() => expect(told).toContain(LIST), soon)
  } finally {
    log.end()
  }
})

test('a stream that cannot begin to listen ends, so that its client opens another', async () => {
  const { actor, start } = await caller()
  before = (name) => {
    if (name === FEED) throw new Error('the disk is gone')
  }
  const log = collectLog()
  try {
    streamFor(actor).stream.begin({ [LIST]: start })
    await vi.waitFor(() => expect(streams().size).toBe(0), soon)
    expect(log.text()).toContain('the disk is gone')
  } finally {
    log.end()
  }
})

test('what is added while the stream still reads up is told from its own place', async () => {
  // More than a page of the feed.
  const { actor, start } = await caller(200)
  const uris: string[] = []
  await catchUp(actor.contractorId, start, ({ changes }) => {
    for (const { resource, id } of changes ?? []) uris.push(`plumbline://${resource}/${id}`)
  })
  const [early = ''] = uris
  const { stream, told } = streamFor(actor)
  let reads = 0
  before = (name) => {
    if (name === FEED && ++reads === 2) void stream.set({ 'plumbline://invoices/inv_none': start, [early]: start })
  }
  await stream.set({ 'plumbline://invoices/inv_none': start })
  expect(reads).toBeGreaterThan(2)
  await vi.waitFor(() => expect(told).toContain(early), soon)
})

test('what could not be told when it was added is told by the next look', async () => {
  const { actor, start } = await caller(1)
  const { stream, told } = streamFor(actor)
  await stream.set({ [LIST]: start })
  await vi.waitFor(() => expect(told).toContain(LIST), soon)
  const both = { [LIST]: start, [OTHER]: start }
  before = (name) => {
    if (name === FEED) throw new Error('the disk is gone')
  }
  await expect(stream.set(both)).rejects.toThrow('the disk is gone')
  before = () => {}
  await stream.set(both)
  await vi.waitFor(() => expect(told).toContain(OTHER), soon)
})

test('the keys of a contractor have so many streams together; another contractor still gets one', async () => {
  const { actor } = await caller()
  const stranger = await caller()
  for (let i = 0; i < STREAMS.ofContractor; i++) streamFor({ ...actor, keyId: `key_${i}` })
  expect(() => streamFor(actor)).toThrow(`all keys of a contractor ${STREAMS.ofContractor}`)
  streamFor(stranger.actor)
})

test('what sessions subscribed to is read again only where it changed', async () => {
  const { actor, start } = await caller(1)
  const session = await sessionOf(actor)
  const counts = { looks: 0, reads: 0 }
  before = (name) => {
    if (name === 'plumbline_session_streams') counts.looks++
    if (name === 'plumbline_session_subscriptions') counts.reads++
  }
  const { told } = streamFor(actor, session)
  await vi.waitFor(() => expect(counts.looks).toBeGreaterThan(3), soon)
  expect(counts.reads).toBe(1)
  await addSubscription(db, session.id, { uri: LIST, since: start, most: 1 })
  await vi.waitFor(() => expect(told).toContain(LIST), soon)
  const { looks } = counts
  await vi.waitFor(() => expect(counts.looks).toBeGreaterThan(looks + 2), soon)
  expect(counts.reads).toBe(2)
})
