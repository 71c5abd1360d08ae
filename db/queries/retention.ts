import { type SQL, sql } from 'drizzle-orm'
import { type Orm, rows } from '../client'
import { SESSION_DAYS, SESSION_IDLE_HOURS } from './mcp-sessions'

/** The prefix of the names of the explorer's keys. Together with their short lifetime it identifies them. */
export const EXPLORER_KEY_PREFIX = 'Explorer, '

/** The cutoffs: requests and their sums, refused sign-ins, and deliveries to the lead webhook are deleted when they are older. */
export type Bounds = {
  now: Date
  requestsFrom: Date
  refusedSignInsFrom: Date
  /** The first request id (UUID) of the day of the cutoff, and the delivery id at it. Both kinds of id begin with their time. */
  firstRequest: string
  firstDelivery: string
  changesFrom: Date
  uploadsFrom: Date
}

const moment = (at: Date) => sql`${at.toISOString()}::timestamptz`

/** Returns SQL of whether a draft (`d`) is no longer held: a person's after a day, a source's after a week. */
const isOldDraft = ({ uploadsFrom }: Bounds) =>
  sql`d.created_at < ${moment(uploadsFrom)} - case when d.source_id is null then interval '0' else interval '6 days' end`

/** The kinds of data with a retention period: the table of each, and the condition for rows (`t`) past that period. */
const EXPIRED = {
  // Those outside of the partitions that are dropped: from before there were partitions, and in the default one.
  requests: { table: 'request_log', key: 'id', where: ({ firstRequest }) => sql`t.id < ${firstRequest}::uuid` },
  requestSums: { table: 'request_sums', where: ({ requestsFrom }) => sql`t.hour < ${moment(requestsFrom)}` },
  // Keeps the address a key was last used from, which never expires.
  keyAddresses: {
    table: 'key_addresses',
    where: ({ requestsFrom }) => sql`greatest(t.used_at, t.refused_at) < ${moment(requestsFrom)} and (t.used_at is null
      or exists (select 1 from key_addresses b
        where b.contractor_id = t.contractor_id and b.key_id = t.key_id and b.used_at > t.used_at))`,
  },
  leadDeliveries: { table: 'lead_deliveries', where: ({ firstDelivery }) => sql`t.id < ${firstDelivery}` },
  // Sessions that cannot be alive: ended, unused for too long, or past their maximum age.
  mcpSessions: {
    table: 'mcp_sessions',
    where: ({ now }) => sql`(t.ended_at is not null
      or t.seen_at < ${moment(now)} - interval '${sql.raw(String(SESSION_IDLE_HOURS))} hours'
      or t.created_at < ${moment(now)} - interval '${sql.raw(String(SESSION_DAYS))} days')`,
  },
  signInSessions: { table: 'person_sessions', where: ({ now }) => sql`t.expires_at < ${moment(now)}` },
  refusedSignIns: {
    table: 'audit_events',
    where: ({ refusedSignInsFrom }) => sql`t.event = 'sign_in_refused' and t.at < ${moment(refusedSignInsFrom)}`,
  },
  signInSteps: { table: 'person_verifications', where: ({ now }) => sql`t.expires_at < ${moment(now)}` },
  // Kept as long as the request log may refer to the key, so that the log can show its name.
  explorerKeys: {
    table: 'api_keys',
    where: ({
      requestsFrom,
    }) => sql`t.expires_at < ${moment(requestsFrom)} and starts_with(t.name, ${EXPLORER_KEY_PREFIX})
      and t.expires_at - t.created_at < interval '2 hours' and t.rotated_from is null
      and not exists (select 1 from api_keys s where s.lineage = t.id)`,
  },
  // A trigger remembers up to where, so that an older cursor is refused.
  changes: { table: 'changes', where: ({ changesFrom }) => sql`t.numbered_at < ${moment(changesFrom)}` },
  statusChanges: { table: 'status_changes', where: ({ changesFrom }) => sql`t.at < ${moment(changesFrom)}` },
  serviceChecks: {
    table: 'service_checks',
    where: ({ now }) => sql`t.hour < ${moment(now)} - interval '91 days'`,
  },
  // One rewrite covers all changes of a record, so only the last change of each is kept.
  outgoingMessages: {
    table: 'outgoing_messages',
    where: ({ refusedSignInsFrom }) => sql`coalesce(t.sent_at, t.failed_at) < ${moment(refusedSignInsFrom)}`,
  },
  // Those that wait stay until they are sent or given up.
  webhookDeliveries: {
    table: 'webhook_deliveries',
    where: ({ now }) => sql`t.ended_at < ${moment(now)} - interval '30 days'`,
  },
  // A used token is kept for a week, so that its second use is noticed; with the connection it goes at once.
  refreshTokens: {
    table: 'oauth_refresh_tokens',
    where: ({ now }) => sql`(t.expires_at < ${moment(now)} or t.revoked < ${moment(now)} - interval '7 days'
      or exists (select 1 from oauth_grants g where g.id = t.reference_id and g.ended_at < ${moment(now)} - interval '1 day'))`,
  },
  // Those that ended are kept as long as the request log may refer to them, so that it can show their names.
  connections: {
    table: 'oauth_grants',
    where: ({ now, requestsFrom }) => sql`(t.ended_at < ${moment(requestsFrom)}
      or t.connected_at is null and t.created_at < ${moment(now)} - interval '1 day')`,
  },
  // Programs that introduced themselves and that nobody connected.
  connectionClients: {
    table: 'oauth_clients',
    where: ({ now }) => sql`t.created_at < ${moment(now)} - interval '1 day'
      and not exists (select 1 from oauth_grants g where g.client_id = t.client_id)`,
  },
  connectionAssertions: { table: 'oauth_client_assertions', where: ({ now }) => sql`t.expires_at < ${moment(now)}` },
  connectionKeys: {
    table: 'oauth_keys',
    where: ({ now }) => sql`t.expires_at < ${moment(now)} - interval '2 days'`,
  },
  loads: { table: 'loads', where: ({ changesFrom }) => sql`t.created_at < ${moment(changesFrom)}` },
  // One that is under way stays, however long it takes.
  connectorRuns: { table: 'connector_runs', where: ({ changesFrom }) => sql`t.ended_at < ${moment(changesFrom)}` },
  connectorAttempts: { table: 'connector_attempts', where: ({ now }) => sql`t.expires_at < ${moment(now)}` },
  // Before their uploads: all pieces of one in one statement would hold the embedded database for seconds.
  loadParts: {
    table: 'load_parts',
    where: ({ uploadsFrom }) => sql`exists (select 1 from load_uploads u
      where u.contractor_id = t.contractor_id and u.seen_at < ${moment(uploadsFrom)})`,
  },
  loadUploads: {
    table: 'load_uploads',
    where: ({ uploadsFrom }) => sql`t.seen_at < ${moment(uploadsFrom)}`,
  },
  // Before their files and drafts, for the same reason. What mails brought is kept while their source is paused, for a week.
  loadDraftParts: {
    table: 'load_draft_parts',
    where: (bounds) => sql`exists (select 1 from load_draft_files f join load_drafts d on d.id = f.draft_id
      where f.id = t.file_id and ${isOldDraft(bounds)})`,
  },
  loadDraftFiles: {
    table: 'load_draft_files',
    where: (bounds) => sql`exists (select 1 from load_drafts d where d.id = t.draft_id and ${isOldDraft(bounds)})`,
  },
  loadDrafts: {
    table: 'load_drafts',
    where: (bounds) => sql`exists (select 1 from load_drafts d where d.id = t.id and ${isOldDraft(bounds)})`,
  },
  // The latest run of a source is kept as long as the source is.
  sourceRuns: {
    table: 'source_runs',
    where: ({ changesFrom }) => sql`t.ended_at < ${moment(changesFrom)}
      and exists (select 1 from source_runs l where l.source_id = t.source_id and l.id > t.id)`,
  },
  sourceMails: { table: 'source_mails', where: ({ changesFrom }) => sql`t.received_at < ${moment(changesFrom)}` },
  // What a load changed, while it can be taken back; one that broke off keeps it until it is.
  loadImages: {
    table: 'load_images',
    where: ({ uploadsFrom }) => sql`exists (select 1 from load_journals j
      where j.contractor_id = t.contractor_id and j.ended_at < ${moment(uploadsFrom)} and j.state in ('ended', 'taken_back'))
      or exists (select 1 from earlier_loads e
        where e.contractor_id = t.contractor_id and e.last_image >= t.n and e.ended_at < ${moment(uploadsFrom)})`,
  },
  // After its images, so that none of them counts as the last load's.
  earlierLoads: {
    table: 'earlier_loads',
    where: ({ uploadsFrom }) => sql`t.ended_at < ${moment(uploadsFrom)} and not exists (select 1 from load_images i
      where i.contractor_id = t.contractor_id and i.n <= t.last_image)`,
  },
  // What people undid is kept as long, so that its idempotency key answers a late repetition.
  undoneEntries: {
    table: 'project_entries',
    where: ({ refusedSignInsFrom }) => sql`t.undone_at < ${moment(refusedSignInsFrom)}`,
  },
  // Of what is gone: all other work is taken up again, and its row goes when it ends.
  workInHand: { table: 'work_in_hand', where: ({ changesFrom }) => sql`t.begun_at < ${moment(changesFrom)}` },
  searchQueue: {
    table: 'search_queue',
    where: () => sql`exists (select 1 from search_queue l
      where l.owner = t.owner and l.kind = t.kind and l.reference = t.reference and l.id > t.id)`,
  },
} as const satisfies Record<string, { table: string; key?: string; where: (bounds: Bounds) => SQL }>

export type ExpiredKind = keyof typeof EXPIRED

/** Kinds of which every row is deleted before those they are pieces of, and which kind that is. */
export const FIRST: Partial<Record<ExpiredKind, ExpiredKind>> = {
  loadUploads: 'loadParts',
  loadDraftFiles: 'loadDraftParts',
  loadDrafts: 'loadDraftFiles',
  earlierLoads: 'loadImages',
}

const isKind = (name: string): name is ExpiredKind => Object.hasOwn(EXPIRED, name)

/** The kinds of data with a retention period. */
export const EXPIRED_KINDS: readonly ExpiredKind[] = Object.keys(EXPIRED).filter(isKind)

/** Counts the rows of a kind that are past their retention period. */
export async function countExpired(orm: Orm, kind: ExpiredKind, bounds: Bounds): Promise<number> {
  const { table, where } = EXPIRED[kind]
  const [found] = await rows<{ n: number }>(
    orm,
    sql`select count(*)::int as n from ${sql.raw(table)} t where ${where(bounds)}`,
  )
  return found?.n ?? 0
}

/**
 * Deletes at most `most` rows of a kind that are past their retention period, and returns how many. Skips rows that another process
 * is deleting.
 */
export async function removeExpired(orm: Orm, kind: ExpiredKind, bounds: Bounds, most: number): Promise<number> {
  const { table, where, key = 'ctid' }: (typeof EXPIRED)[ExpiredKind] & { key?: string } = EXPIRED[kind]
  const [of, by] = [sql.raw(table), sql.raw(key)]
  // The place of a row names it within its table or partition only; of a table in partitions, those without such rows are not looked at.
  const within = key === 'ctid' ? sql`true` : where(bounds)
  const [removed] = await rows<{ n: number }>(
    orm,
    sql`with gone as (delete from ${of} t where ${within} and t.${by} = any(array(
        select t.${by} from ${of} t where ${where(bounds)} limit ${most} for update of t skip locked)) returning 1)
      select count(*)::int as n from gone`,
  )
  return removed?.n ?? 0
}
