import { isDeepStrictEqual } from 'node:util'
import { type Database, database, type Orm } from '@/db/client'
import { eventsText, type FeedEvent, feedEvents } from '@/db/queries/webhook-feed'
import {
  activeEndpoints,
  addDeliveries,
  changeEndpoint,
  hasWaiting,
  lockEndpoint,
  type NewWebhookDelivery,
  type WebhookEndpoint,
} from '@/db/queries/webhooks'
import { inHand, MOST_STOPS } from '@/db/queries/work-in-hand'
import { newId } from '@/lib/core/ids'
import { RESOURCES } from '@/lib/resources/registry'
import { contractorsWithChanges, readFeed } from '../feed'
import { resourcesOf, typeOf } from './events'

/** Events that one step brings to an endpoint. */
const AT_ONCE = 100
/** The number of events waiting for an endpoint at which further ones stay in the feed, which keeps them for 90 days. */
const MOST_WAITING = 500
/** A period longer than a step takes: whoever was at it until then is gone. */
const LEASE_MS = 60_000

const EVENTS = eventsText(RESOURCES)

/** The same for every attempt, every endpoint and every repetition of an event, so that a receiver can tell what it has. */
const messageIdOf = (contractorId: string, position: number): string =>
  `msg_${contractorId.replace(/^con_/, '')}_${position}`

/** The body of an event, as Standard Webhooks has it: its type, when it entered the feed, and its data. */
const bodyOf = (event: FeedEvent): string =>
  `{"type":"${typeOf(event)}","timestamp":"${event.at}","data":${event.data}}`

function deliveriesOf(
  { id: endpointId, contractorId, eventTypes }: WebhookEndpoint,
  events: FeedEvent[],
  now: Date,
  isReplay: boolean,
): NewWebhookDelivery[] {
  return events
    .filter((event) => eventTypes.includes(typeOf(event)))
    .map((event) => ({
      id: newId('webhookDelivery'),
      contractorId,
      endpointId,
      messageId: messageIdOf(contractorId, event.position),
      position: event.position,
      type: typeOf(event),
      resource: event.resource,
      recordId: event.id,
      body: bodyOf(event),
      isReplay,
      state: 'pending',
      nextAt: now,
      createdAt: now,
    }))
}

/** Adds the events of a span and moves the endpoint's place behind them, in one transaction: neither is ever there alone. */
async function advance(
  { orm }: Database,
  endpoint: WebhookEndpoint,
  events: FeedEvent[],
  now: Date,
  isReplay: boolean,
  moved: Partial<WebhookEndpoint>,
): Promise<boolean> {
  return await orm.transaction(async (tx: Orm) => {
    const present = await lockEndpoint(tx, endpoint.id)
    const isSame = isReplay
      ? present?.replayPosition === endpoint.replayPosition
      : present?.position === endpoint.position && present.stamp === endpoint.stamp
    // Another process was faster, or somebody changed the endpoint: of types that it takes since, these events have none.
    if (present?.state !== 'active' || !isSame || !isDeepStrictEqual(present.eventTypes, endpoint.eventTypes))
      return false
    await addDeliveries(tx, deliveriesOf(present, events, now, isReplay))
    await changeEndpoint(tx, present.contractorId, present.id, moved)
    return true
  })
}

/** Brings an endpoint the next events of the feed. @returns whether more may follow */
async function bringNews(db: Database, endpoint: WebhookEndpoint, now: Date): Promise<boolean> {
  const { contractorId, position, stamp } = endpoint
  const resources = resourcesOf(endpoint.eventTypes)
  const page = await readFeed(db, { contractorId, resources, after: { position, stamp }, limit: AT_ONCE })
  if (!page.known) {
    const paused = { state: 'paused', pausedAt: now, pausedReason: 'too_old' } as const
    await changeEndpoint(db.orm, contractorId, endpoint.id, paused)
    return false
  }
  if (page.end.position === position) return false
  const span = { contractorId, resources, after: position, upTo: page.end.position, most: AT_ONCE }
  const events = page.n === 0 ? [] : await feedEvents(db, EVENTS, span)
  const isMoved = await advance(db, endpoint, events, now, false, {
    position: page.end.position,
    stamp: page.end.stamp,
  })
  return isMoved && page.more
}

/** Brings an endpoint the next events of the span that is sent again. @returns whether more may follow */
async function repeatSome(db: Database, endpoint: WebhookEndpoint, now: Date): Promise<boolean> {
  const { contractorId, replayPosition: after, replayUntil: upTo } = endpoint
  if (after === null || upTo === null) return false
  const resources = resourcesOf(endpoint.eventTypes)
  const events = await feedEvents(db, EVENTS, { contractorId, resources, after, upTo, most: AT_ONCE })
  const last = events.length === AT_ONCE ? events.at(-1)?.position : undefined
  const moved =
    last === undefined ? { replayPosition: null, replayUntil: null } : { replayPosition: last, replayUntil: upTo }
  return (await advance(db, endpoint, events, now, true, moved)) && last !== undefined
}

/** Brings an endpoint what the feed has for it. What ended its process three times in a row pauses the endpoint. */
async function bring(db: Database, endpoint: WebhookEndpoint, hasNews: boolean, now: Date): Promise<boolean> {
  const { contractorId, id } = endpoint
  const work = { kind: 'events', subject: id, leaseMs: LEASE_MS } as const
  return await inHand<boolean>(db.orm, work, {
    begun: async () => {
      const more = hasNews && (await bringNews(db, endpoint, now))
      const repeated = endpoint.replayUntil !== null && (await repeatSome(db, endpoint, now))
      return more || repeated
    },
    left: async (times) => {
      const isOver = times >= MOST_STOPS
      const paused = { state: 'paused', pausedAt: now, pausedReason: 'stopped' } as const
      if (isOver) await changeEndpoint(db.orm, contractorId, id, paused)
      return !isOver
    },
    later: () => false,
  })
}

/**
 * Brings every endpoint what the feed has for it, in bounded steps.
 * @param end `performance.now()` after which no further step begins
 * @returns whether some of it is left for the next time
 */
export async function fanOut(now: Date, end: number): Promise<boolean> {
  const db = await database()
  const endpoints = await activeEndpoints(db.orm)
  if (endpoints.length === 0) return false
  const known = endpoints.map(({ contractorId, position }) => ({ contractor: contractorId, position }))
  const withNews = new Set(await contractorsWithChanges(db, known))
  let isMore = false
  for (const endpoint of endpoints) {
    if (performance.now() > end) return true
    const hasNews = withNews.has(endpoint.contractorId)
    if (!hasNews && endpoint.replayUntil === null) continue
    if (await hasWaiting(db.orm, endpoint.id, MOST_WAITING)) continue
    isMore = (await bring(db, endpoint, hasNews, now)) || isMore
  }
  return isMore
}
