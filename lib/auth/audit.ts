import type { Orm } from '@/db/client'
import { insertAudit } from '@/db/queries/audit'
import { newId } from '@/lib/core/ids'
import type { OperatorActor, PersonActor } from './actor'

/** The events that are logged, and how the audit log words them. */
export const AUDIT_EVENTS = {
  sign_in: 'signed in',
  sign_in_refused: 'was refused at sign-in',
  sign_out: 'signed out',
  session_ended: 'ended a session',
  password_changed: 'changed the password',
  two_factor_on: 'turned two-factor sign-in on',
  two_factor_off: 'turned two-factor sign-in off',
  passkey_added: 'added the passkey',
  passkey_renamed: 'renamed the passkey',
  passkey_removed: 'removed the passkey',
  person_made: 'made an account',
  account_reset: 'reset the account of',
  invited: 'invited',
  invitation_withdrawn: 'withdrew the invitation of',
  joined: 'joined as',
  role_changed: 'changed the role of',
  member_removed: 'removed',
  key_created: 'created the key',
  key_rotated: 'rotated the key',
  key_changed: 'changed the key',
  key_revoked: 'revoked the key',
  data_loaded: 'loaded data',
  alerts_changed: 'changed their alerts',
  lead_replayed: 'replayed the lead',
  lead_secret_set: 'set the secret of the lead source',
  lead_secret_removed: 'removed the secret of the lead source',
  refused: 'was refused',
} as const
export type AuditEvent = keyof typeof AUDIT_EVENTS

/** Who did something. A person who is not signed in is `nobody`, known only by the name they entered. */
export type Author = OperatorActor | PersonActor | { kind: 'nobody'; name: string; address: string | null }

type Entry = {
  event: AuditEvent
  /** The object of the event: an id or an address. Never a secret. */
  subject?: string | undefined
  detail?: Record<string, string | number | boolean | null>
  /** Null when it concerns no contractor; defaults to the author's. */
  contractorId?: string | null
}

/** Keeps each text on one line, so that a name with a line break cannot look like two entries. */
const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 300)

/** Writes an audit event in the transaction of the change it records, so that neither exists without the other. */
export async function audit(orm: Orm, by: Author, { event, subject, detail = {}, contractorId }: Entry): Promise<void> {
  const known = by.kind === 'person' ? { id: by.personId, name: `${by.name} <${by.email}>` } : undefined
  await insertAudit(orm, {
    id: newId('audit'),
    at: new Date(),
    contractorId: contractorId === undefined && by.kind !== 'nobody' ? by.contractorId : (contractorId ?? null),
    actorKind: by.kind,
    actorId: known?.id ?? null,
    actorName: oneLine(known?.name ?? (by.kind === 'nobody' ? by.name : 'command line')),
    event,
    subject: subject === undefined ? null : oneLine(subject),
    detail: Object.fromEntries(
      Object.entries(detail).map(([name, value]) => [name, typeof value === 'string' ? oneLine(value) : value]),
    ),
    address: by.kind === 'operator' ? null : by.address,
  })
}

export const isAuditEvent = (text: string): text is AuditEvent => Object.hasOwn(AUDIT_EVENTS, text)
