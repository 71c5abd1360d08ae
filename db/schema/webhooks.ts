import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { moment, number } from './columns'
import { ofContractor } from './contractors'

/** An attempt to deliver: when (ISO), how long it took, and the status or why there was none. */
export type WebhookAttempt = { at: string; ms: number; status?: number; error?: string }

/** The reasons nothing is sent to an endpoint. */
export const PAUSED_REASONS = [
  'person',
  'failing',
  'refused',
  'too_old',
  'secret',
  'key',
  'connection',
  'member',
  'stopped',
] as const

/** The endpoints to which a contractor's events are posted, and how far in the changes feed each has got. */
export const webhookEndpoints = pgTable(
  'webhook_endpoints',
  {
    id: text('id').primaryKey(),
    contractorId: ofContractor(),
    url: text('url').notNull(),
    description: text('description').notNull(),
    eventTypes: text('event_types').array().notNull(),
    /** Signing secrets, sealed (lib/core/seal.ts); the previous one signs too until its end. */
    secret: text('secret').notNull(),
    previousSecret: text('previous_secret'),
    previousUntil: moment('previous_until'),
    /** The place in the feed up to which events are in `webhook_deliveries`, as cursors have it. */
    position: number('position').notNull(),
    stamp: text('stamp').notNull(),
    /** A span of the feed that is being sent again: behind this position, up to that one. */
    replayPosition: number('replay_position'),
    replayUntil: number('replay_until'),
    state: text('state', { enum: ['active', 'paused'] }).notNull(),
    pausedAt: moment('paused_at'),
    pausedReason: text('paused_reason', { enum: PAUSED_REASONS }),
    /** Attempts that failed since the last that succeeded, and since when. */
    failures: integer('failures').notNull().default(0),
    failingSince: moment('failing_since'),
    succeededAt: moment('succeeded_at'),
    /** The moment before which nothing is sent. */
    nextAt: moment('next_at').notNull(),
    createdAt: moment('created_at').notNull(),
    createdBy: text('created_by').notNull(),
    /**
     * The key, connection or person (by its id) or operator that last set the address, or resumed it when it was paused. Null where nobody
     * has since this is stored; then a key that created it counts.
     */
    vouchedBy: text('vouched_by'),
  },
  (t) => [index('webhook_endpoints_contractor').on(t.contractorId, t.id)],
)

/** Events on their way to an endpoint, and the log of those that were sent. `seq` is their order. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    seq: number('seq').notNull().generatedAlwaysAsIdentity(),
    id: text('id').primaryKey(),
    contractorId: text('contractor_id').notNull(),
    endpointId: text('endpoint_id')
      .notNull()
      .references(() => webhookEndpoints.id, { onDelete: 'cascade' }),
    /** The same for every attempt and every repetition of an event. */
    messageId: text('message_id').notNull(),
    /** The event's position in the feed; null for a test. */
    position: number('position'),
    type: text('type').notNull(),
    resource: text('resource').notNull(),
    recordId: text('record_id').notNull(),
    body: text('body').notNull(),
    isReplay: boolean('is_replay').notNull(),
    state: text('state', { enum: ['pending', 'delivered', 'failed'] }).notNull(),
    attempts: integer('attempts').notNull().default(0),
    tried: jsonb('tried').$type<WebhookAttempt[]>().notNull().default([]),
    /** The time when it is tried next, or taken from a process that died while sending it. */
    nextAt: moment('next_at').notNull(),
    status: integer('status'),
    /** The beginning of the receiver's last answer. */
    response: text('response'),
    createdAt: moment('created_at').notNull(),
    endedAt: moment('ended_at'),
  },
  (t) => [
    // The cursor and its events are written together; this holds even where somebody sets a cursor back by hand.
    uniqueIndex('webhook_deliveries_once').on(t.endpointId, t.position).where(sql`not is_replay`),
    index('webhook_deliveries_log').on(t.contractorId, t.endpointId, t.seq),
    index('webhook_deliveries_order').on(t.endpointId, t.resource, t.recordId, t.seq).where(sql`state = 'pending'`),
    index('webhook_deliveries_due').on(t.endpointId, t.nextAt).where(sql`state = 'pending'`),
    index('webhook_deliveries_ended').on(t.endedAt).where(sql`ended_at is not null`),
  ],
)
