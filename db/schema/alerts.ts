import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { moment } from './columns'
import { ofContractor } from './contractors'
import { ofPerson, people } from './people'

/** The alerts that a person gets for a contractor, and where. Nobody has a row, and so nobody is alerted, until they choose something. */
export const alertSettings = pgTable(
  'alert_settings',
  {
    contractorId: ofContractor(),
    personId: ofPerson(),
    kinds: text('kinds').array().notNull(),
    digest: text('digest', { enum: ['immediate', 'hourly', 'daily'] }).notNull(),
    byEmail: boolean('by_email').notNull(),
    /** A Slack webhook or another URL that takes JSON. Whoever knows it can post there: it is shown to nobody again. */
    webhookUrl: text('webhook_url'),
    /** Events up to this moment have been put into messages. */
    coveredUntil: moment('covered_until').notNull(),
    /** The time when events are gathered for the next message. */
    dueAt: moment('due_at').notNull(),
  },
  (t) => [
    primaryKey({ name: 'alert_settings_pk', columns: [t.contractorId, t.personId] }),
    index('alert_settings_due').on(t.dueAt),
  ],
)

/**
 * The data from which an email about an account is written when it is sent, so that no link lies in the database: a password reset that was
 * asked for, an invitation, a changed password, the addresses of single sign-on, or something that outlives the session of whoever did it.
 */
export type AccountMail =
  | { kind: 'reset' }
  | { kind: 'invitation'; invitationId: string }
  | { kind: 'password_changed'; by: 'reset' | 'person' }
  | { kind: 'sso_addresses' }
  | {
      kind: 'lasting'
      who: string
      what: string
      /** The contractor's name; null for what is of the account itself. */
      contractor: string | null
      /** The IP address it came from, or the command line. */
      from: string
      /** True when further ones of this hour are in the audit log only. */
      isLast: boolean
    }

/**
 * Messages on their way out, with their attempts. A message without a person goes to `to_address`; one of a person goes where their settings
 * and their account say when it is sent.
 */
export const outgoingMessages = pgTable(
  'outgoing_messages',
  {
    id: text('id').primaryKey(),
    contractorId: text('contractor_id'),
    personId: text('person_id').references(() => people.id, { onDelete: 'cascade' }),
    channel: text('channel', { enum: ['email', 'webhook'] }).notNull(),
    toAddress: text('to_address'),
    subject: text('subject').notNull(),
    body: text('body').notNull(),
    /** The data of an email about an account, whose subject and body are empty. */
    about: jsonb('about').$type<AccountMail>(),
    createdAt: moment('created_at').notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** The time when it is tried next, or taken from a process that died while sending it. */
    nextAt: moment('next_at').notNull(),
    sentAt: moment('sent_at'),
    failedAt: moment('failed_at'),
    lastError: text('last_error'),
  },
  (t) => [
    index('outgoing_messages_waiting').on(t.nextAt).where(sql`sent_at is null and failed_at is null`),
    // How many were asked for an address lately.
    index('outgoing_messages_address').on(t.toAddress, t.createdAt).where(sql`about is not null`),
    index('outgoing_messages_person').on(t.personId, t.contractorId, t.id),
  ],
)
