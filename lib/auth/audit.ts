import type { Orm } from '@/db/client'
import { insertAudit } from '@/db/queries/audit'
import { newId } from '@/lib/core/ids'
import type { OperatorActor, PersonActor } from './actor'

/** What is written down, and how the audit log words it. */
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
  lead_replayed: 'replayed the lead',
  lead_secret_set: 'set the secret of the lead source',
  lead_secret_removed: 'removed the secret of the lead source',
  refused: 'was refused',
} as const
export type AuditEvent = keyof typeof AUDIT_EVENTS

/** Who did something. Someone who is not signed in is `nobody`, known only by what they called themselves. */
export type Author = OperatorActor | PersonActor | { kind: 'nobody'; name: string; address: string | null }

type Entry = {
  event: AuditEvent
  /** What it was done to: an id, an address. Never a secret. */
  subject?: string | undefined
  detail?: Record<string, string | number | boolean | null>
  /** Null where it concerns no contractor; the author's when left out. */
  contractorId?: string | null
}

/** One line each: a name with a line break in it must not look like two entries. */
const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 300)

/** Writes an entry of the audit log; inside the transaction of what it tells of, so that neither is without the other. */
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
