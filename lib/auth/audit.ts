import type { Orm } from '@/db/client'
import { insertAudit } from '@/db/queries/audit'
import { findContractor } from '@/db/queries/contractors'
import { adminsOf } from '@/db/queries/members'
import { countLastingMails, queueAccountMail } from '@/db/queries/outbox'
import { mailsPeople } from '@/lib/auth/people/mailed-links'
import { newId } from '@/lib/core/ids'
import type { ActingPerson, OperatorActor, PersonActor } from './actor'

/** The number of these emails that an administrator gets about a contractor within an hour; the last of them points to the audit log. */
const MOST_AN_HOUR = 30

/** An action that outlives the session of whoever did it; `contractorId` is null for what is of their own account. */
export type Lasting = { who: string; what: string; contractorId: string | null }

/**
 * Queues an email about what outlives a session, in the transaction of the change: to all administrators of the contractor, whoever did
 * it among them, because it may have been somebody else in their session.
 */
async function notifyAdmins(orm: Orm, by: ActingPerson, { who, what, contractorId }: Lasting): Promise<void> {
  if (!mailsPeople()) return
  const from = by.kind === 'operator' ? 'the command line' : by.address || 'a connected program'
  const own = by.kind === 'person' ? [by.email] : []
  const to = contractorId === null ? own : await adminsOf(orm, contractorId)
  const contractor = contractorId === null ? undefined : await findContractor(orm, contractorId)
  const anHourAgo = new Date(Date.now() - 3_600_000)
  for (const email of to) {
    const sent = await countLastingMails(orm, email, contractorId, anHourAgo)
    if (sent >= MOST_AN_HOUR) continue
    const isLast = sent === MOST_AN_HOUR - 1
    const about = { kind: 'lasting', who, what, contractor: contractor?.name ?? null, from, isLast } as const
    await queueAccountMail(orm, { id: newId('message'), to: email, contractorId, about })
  }
}

/** The events that are logged, and their texts in the audit log. */
export const AUDIT_EVENTS = {
  sign_in: 'signed in',
  sign_in_refused: 'was refused at sign-in',
  sign_out: 'signed out',
  identity_confirmed: 'confirmed that it is them',
  confirmation_refused: 'was refused when confirming that it is them',
  session_ended: 'ended a session',
  password_changed: 'changed the password',
  password_reset: 'reset the password by email',
  two_factor_on: 'turned two-factor sign-in on',
  two_factor_off: 'turned two-factor sign-in off',
  passkey_added: 'added the passkey',
  passkey_renamed: 'renamed the passkey',
  passkey_removed: 'removed the passkey',
  person_made: 'created an account',
  account_reset: 'reset the account of',
  invited: 'invited',
  invitation_mailed: 'mailed the invitation again to',
  invitation_withdrawn: 'withdrew the invitation of',
  joined: 'joined as',
  role_changed: 'changed the role of',
  member_removed: 'removed',
  key_created: 'created the key',
  key_rotated: 'rotated the key',
  key_changed: 'changed the key',
  key_revoked: 'revoked the key',
  sso_set: 'set single sign-on to',
  sso_removed: 'removed single sign-on with',
  sso_joined: 'joined by single sign-on as',
  connection_made: 'connected',
  connection_ended: 'ended the connection of',
  connections_limited: 'changed which programs may be connected',
  data_loaded: 'loaded data',
  load_taken_back: 'took back the load of',
  contractor_changed: 'changed the settings of the contractor to',
  customers_joined: 'joined a customer to',
  customers_separated: 'separated the customer',
  alerts_changed: 'changed their alerts',
  lead_replayed: 'replayed the lead',
  lead_separated: 'made a customer of their own of the lead',
  customer_updated: 'updated from a lead the customer',
  note_added: 'added a note to',
  note_undone: 'undid a note on',
  follow_up_set: 'set a follow-up on',
  follow_up_undone: 'undid a follow-up on',
  webhook_created: 'created the webhook',
  webhook_changed: 'changed the webhook',
  webhook_rotated: 'rotated the secret of the webhook',
  webhook_deleted: 'deleted the webhook',
  webhook_replayed: 'replayed events of the webhook',
  connector_connected: 'connected the books of',
  connector_disconnected: 'disconnected the books of',
  connector_records_removed: 'removed the records of',
  source_created: 'set up the source',
  source_changed: 'changed the source',
  source_paused: 'paused the source',
  source_resumed: 'resumed the source',
  source_removed: 'removed the source',
  source_run: 'ran the source',
  source_failed: 'could not load, as source',
  lead_secret_set: 'set the secret of the lead source',
  lead_secret_removed: 'removed the secret of the lead source',
  refused: 'was refused',
} as const
export type AuditEvent = keyof typeof AUDIT_EVENTS

/** Returns the name of an API key for people. */
export type KeyAuthor = { kind: 'key'; keyId: string; keyName: string; last4: string; contractorId: string }

/** A scheduled source, as the author of what it loads. */
export type SourceAuthor = { kind: 'source'; sourceId: string; sourceName: string; contractorId: string }

/** The author of an action. A person who is not signed in is `nobody`, known only by the name they entered. */
export type Author =
  | OperatorActor
  | PersonActor
  | KeyAuthor
  | SourceAuthor
  | { kind: 'nobody'; name: string; address: string | null }

/** Returns the name shown in an entry. Keys are marked as keys, so that a key cannot pose as a person. */
export function nameOf(by: Author): string {
  if (by.kind === 'person') return `${by.name} <${by.email}>`
  if (by.kind === 'key') return `Key ${by.keyName} (…${by.last4})`
  if (by.kind === 'source') return `Source ${by.sourceName}`
  return by.kind === 'nobody' ? by.name : 'command line'
}

function idOf(by: Author): string | null {
  if (by.kind === 'person') return by.personId
  if (by.kind === 'key') return by.keyId
  return by.kind === 'source' ? by.sourceId : null
}

type Entry = {
  event: AuditEvent
  /** The object of the event: an id or an address. Never a secret. */
  subject?: string | undefined
  detail?: Record<string, string | number | boolean | null>
  /**
   * The text that continues the event's in an email to the administrators, for what outlives the session of whoever does it; of an account,
   * to its owner. Keys and sources tell nobody: what they set ends with them.
   */
  told?: string | undefined
  /** The contractor; null when it concerns none; defaults to the author's. */
  contractorId?: string | null
}

/** Keeps each text on one line, so that a name with a line break cannot look like two entries. */
const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 300)

/** Writes an audit event in the transaction of the change it records, so that neither exists without the other. */
export async function audit(orm: Orm, by: Author, entry: Entry): Promise<void> {
  const { event, subject, detail = {}, told } = entry
  const contractorId = entry.contractorId === undefined && by.kind !== 'nobody' ? by.contractorId : entry.contractorId
  await insertAudit(orm, {
    id: newId('audit'),
    at: new Date(),
    contractorId: contractorId ?? null,
    actorKind: by.kind,
    actorId: idOf(by),
    actorName: oneLine(nameOf(by)),
    event,
    subject: subject === undefined ? null : oneLine(subject),
    detail: Object.fromEntries(
      Object.entries(detail).map(([name, value]) => [name, typeof value === 'string' ? oneLine(value) : value]),
    ),
    address: 'address' in by ? by.address : null,
  })
  if (told !== undefined && (by.kind === 'person' || by.kind === 'operator')) {
    const what = oneLine(`${AUDIT_EVENTS[event]} ${told}`)
    await notifyAdmins(orm, by, { who: oneLine(nameOf(by)), what, contractorId: contractorId ?? null })
  }
}

/** Events of an account that are in no contractor's log. `refused` is no longer written. */
const OF_ACCOUNTS: readonly AuditEvent[] = [
  'sign_in',
  'sign_in_refused',
  'sign_out',
  'identity_confirmed',
  'confirmation_refused',
  'session_ended',
  'password_changed',
  'password_reset',
  'two_factor_on',
  'two_factor_off',
  'passkey_added',
  'passkey_renamed',
  'passkey_removed',
  'account_reset',
  'refused',
]

export const isAuditEvent = (text: string): text is AuditEvent => Object.hasOwn(AUDIT_EVENTS, text)

/** Reports whether a contractor's log can have an event. */
export const isContractorEvent = (text: string): text is AuditEvent => isAuditEvent(text) && !OF_ACCOUNTS.includes(text)

/** The events that a contractor's log can be filtered by. */
export const CONTRACTOR_EVENTS: readonly AuditEvent[] = Object.keys(AUDIT_EVENTS).filter(isContractorEvent)
