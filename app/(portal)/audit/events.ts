import { AUDIT_EVENTS, type AuditEvent } from '@/lib/auth/audit'

/** Names of events on their own. The texts of the log go on with what the event is about: "undid a note on …". */
const NAMES: Partial<Record<AuditEvent, string>> = {
  person_made: 'Account made',
  invited: 'Person invited',
  invitation_withdrawn: 'Invitation withdrawn',
  joined: 'Person joined',
  role_changed: 'Role changed',
  member_removed: 'Person removed',
  key_created: 'Key created',
  key_rotated: 'Key rotated',
  key_changed: 'Key changed',
  key_revoked: 'Key revoked',
  data_loaded: 'Data loaded',
  load_taken_back: 'Load taken back',
  contractor_changed: 'Settings changed',
  customers_joined: 'Customers joined',
  customers_separated: 'Customers separated',
  alerts_changed: 'Alerts changed',
  lead_replayed: 'Lead replayed',
  lead_separated: 'Lead separated from its customer',
  customer_updated: 'Customer updated from a lead',
  note_added: 'Note added',
  note_undone: 'Note undone',
  follow_up_set: 'Follow-up set',
  follow_up_undone: 'Follow-up undone',
  source_created: 'Source set up',
  source_changed: 'Source changed',
  source_paused: 'Source paused',
  source_resumed: 'Source resumed',
  source_removed: 'Source removed',
  source_run: 'Source run',
  source_failed: 'Source failed',
  lead_secret_set: 'Secret of a lead source set',
  lead_secret_removed: 'Secret of a lead source removed',
}

/** Returns the name of an event, for the filter. */
export const eventName = (event: AuditEvent): string =>
  NAMES[event] ?? AUDIT_EVENTS[event].replace(/^./, (first) => first.toUpperCase())
