import { AUDIT_EVENTS, type AuditEvent } from '@/lib/auth/audit'
import { absolute } from '@/lib/portal/moments'

type Detail = Record<string, string | number | boolean | null>

/** Names of details that do not explain themselves. */
const WORDS: Record<string, string> = {
  isWhole: 'complete',
  oldWorksUntil: 'old secret works until',
  byEmail: 'email',
  digest: 'how often',
}

const wordsOf = (name: string) => WORDS[name] ?? name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/** Counts of nothing, and that a load was whole, as it nearly always is. */
const isNothing = (name: string, value: Detail[string]): value is null =>
  value === null || value === '' || value === 0 || (name === 'isWhole' && value === true)

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const ID = /^[a-z]{3}_\w{20,}$/

function textOf(value: string | number | boolean): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return MOMENT.test(String(value)) ? absolute(new Date(String(value)), false) : String(value)
}

/**
 * Returns the details of an audit entry as text: `role: admin`, `rows: 3, refused: 1, complete: no`. Ids are left out, because their records are named beside it, and so is
 * the name of the entry's subject.
 */
export const detailsOf = (detail: Detail, subjectName: string | undefined): string =>
  Object.entries(detail)
    .flatMap(([name, value]) =>
      isNothing(name, value) || ID.test(String(value)) || (name === 'name' && value === subjectName)
        ? []
        : [`${wordsOf(name)}: ${textOf(value)}`],
    )
    .join(', ')

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
