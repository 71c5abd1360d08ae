import { and, eq, sql } from 'drizzle-orm'
import { type Database, type Orm, rows } from '../client'
import { leadSourceSecrets } from '../schema'
import { textOfRows } from './row-text'

/** A lead to be stored, with its delivery. */
export type LeadRow = {
  delivery_id: string
  key_id: string | null
  request_id: string
  source: string
  received_at: string
  content_type: string | null
  bytes: number
  body: string
  created_status: number
  /** JSON */
  mapping: string | null
  replay_of: string | null
  /** The person's name, as it is in the body. */
  lead_name: string | undefined
  lead_phone: string | undefined
  lead_email: string | undefined
  dedupe_key: string
  /** The key of the lead where its sender's id came before with another person; without it the id alone decides. */
  person_key: string | undefined
  /** Identifies a body without an id of its sender, which counts once in ten minutes. */
  body_key: string | undefined
  external_id: string | undefined
  new_project: string
  new_customer: string
  project_name: string
  customer_name: string
  first_name: string
  last_name: string
  email: string | undefined
  phone: string | undefined
  phone_raw: string | undefined
  address: string | undefined
  city: string | undefined
  state: string | undefined
  zip: string | undefined
  notes: string | undefined
  lead_source: string | undefined
  source_keyword: string | undefined
  source_category: string
}

/** The outcome of a lead: the project it created, or the one that an earlier lead with the same key created. */
export type StoredLead = { projectId: string; jobNumber: number; created: boolean }

/** The columns of the type `lead_row`, in its order: `n` is a lead's place in its group, from 1 on. */
const COLUMNS = [
  'n',
  'delivery_id',
  'key_id',
  'request_id',
  'source',
  'received_at',
  'content_type',
  'bytes',
  'body',
  'created_status',
  'mapping',
  'replay_of',
  'lead_name',
  'lead_phone',
  'lead_email',
  'dedupe_key',
  'person_key',
  'body_key',
  'external_id',
  'new_project',
  'new_customer',
  'project_name',
  'customer_name',
  'first_name',
  'last_name',
  'email',
  'phone',
  'phone_raw',
  'address',
  'city',
  'state',
  'zip',
  'notes',
  'lead_source',
  'source_keyword',
  'source_category',
] as const satisfies ('n' | keyof LeadRow)[]

/** Returns leads as an array of `lead_row`. */
export const leadsText = (leads: LeadRow[]): string => textOfRows(COLUMNS, leads.map(numbered))

/** Gives a lead its place in its group. In the lead itself: a copy of so many columns takes as long as all else here. */
const numbered = (lead: LeadRow, i: number): LeadRow & { n: number } => Object.assign(lead, { n: i + 1 })

const RECEIVE = {
  name: 'plumbline_receive_lead_rows',
  text: `select project_id as "projectId", job_number as "jobNumber", created from receive_lead_rows($1, $2::lead_row[])`,
}

/** Stores leads of one contractor with their deliveries, all or none. Returns the outcomes in the order of the leads. */
export function receiveLeads(db: Database, contractorId: string, leads: LeadRow[]): Promise<StoredLead[]> {
  return db.run<StoredLead>(RECEIVE, [contractorId, leadsText(leads)])
}

/**
 * Reports whether the statement caused the error and not the database: bad data (SQLSTATE classes 22 and 23) or a conflict with another
 * transaction (40).
 */
export const isOwnFault = (error: unknown): boolean => /^(22|23|40)/.test(String(Object(error).code ?? ''))

/** The stored form of a source's secret: the hash of what it sends, and sealed what it signs with. */
export type SourceSecret = { secretHash: string | null; sealed: string | null }

/** Returns what a source must prove itself with; undefined when nothing is set. */
export async function findSourceSecret(
  orm: Orm,
  contractorId: string,
  source: string,
): Promise<SourceSecret | undefined> {
  const { secretHash, sealed } = leadSourceSecrets
  const [row] = await orm
    .select({ secretHash, sealed })
    .from(leadSourceSecrets)
    .where(and(eq(leadSourceSecrets.contractorId, contractorId), eq(leadSourceSecrets.source, source)))
  return row
}

/** Returns the sources for which a secret is set. */
export async function sourcesWithSecret(orm: Orm, contractorId: string): Promise<string[]> {
  const { source } = leadSourceSecrets
  const found = await orm
    .select({ source })
    .from(leadSourceSecrets)
    .where(eq(leadSourceSecrets.contractorId, contractorId))
  return found.map((row) => row.source)
}

/** Sets a source's secret, or removes it when undefined. */
export async function setSourceSecret(
  orm: Orm,
  contractorId: string,
  source: string,
  secret: Partial<SourceSecret> | undefined,
) {
  const { secretHash = null, sealed = null } = secret ?? {}
  const isRow = and(eq(leadSourceSecrets.contractorId, contractorId), eq(leadSourceSecrets.source, source))
  if (!secret) return void (await orm.delete(leadSourceSecrets).where(isRow))
  await orm
    .insert(leadSourceSecrets)
    .values({ contractorId, source, secretHash, sealed })
    .onConflictDoUpdate({
      target: [leadSourceSecrets.contractorId, leadSourceSecrets.source],
      set: { secretHash, sealed },
    })
}

type LeadPreview = { projectId: string | null; nextJobNumber: number; customer: { id: string; name: string } | null }

/** Returns what `receive_leads` would do with a lead right now, without storing it. */
export async function previewLead(
  orm: Orm,
  lead: {
    contractorId: string
    keys: Pick<LeadRow, 'dedupe_key' | 'person_key'> | undefined
    replayOf: string | undefined
    name: string
    email: string | undefined
    phone: string | undefined
  },
): Promise<LeadPreview> {
  const { contractorId, keys, replayOf = null, name, email = null, phone = null } = lead
  const { dedupe_key: key = null, person_key: personKey = null } = keys ?? {}
  const owner = (
    column: 'email' | 'phone',
    value: string | null,
  ) => sql`(select json_build_object('id', u.id, 'name', u.name)
    from users u where u.${sql.raw(column)} = ${value} and u.contractor_id || '' = ${contractorId}
    order by ${column === 'phone' ? sql`names_agree(u.name, ${name}) desc, ` : sql``}u.created_at, u.id limit 1)`
  const [found] = await rows<LeadPreview>(
    orm,
    sql`select
      coalesce(
        (select l.project_id from leads l where l.dedupe_key in (${key}, ${personKey})
          and not (l.dedupe_key = ${key} and ${personKey}::text is not null and is_other_person(${name}, ${email}, ${phone},
            l.first_name || ' ' || l.last_name, l.email, l.phone)) limit 1),
        (select d.project_id from lead_deliveries d where (d.id = ${replayOf} or d.replay_of = ${replayOf})
          and d.project_id is not null and d.contractor_id || '' = ${contractorId} limit 1)) as "projectId",
      coalesce((select last from job_counters where contractor_id = ${contractorId}), 0) + 1 as "nextJobNumber",
      coalesce(${owner('email', email)}, ${owner('phone', phone)}) as customer`,
  )
  if (!found) throw new Error('a select without from answers one row')
  return found
}
