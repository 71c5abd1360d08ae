import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Role } from '@/lib/core/roles'
import { CONSOLE_CLIENT } from '@/lib/core/service'
import { type Database, type Orm, rows } from '../client'
import { connectionPolicies, oauthGrants } from '../schema'

export type GrantRecord = typeof oauthGrants.$inferSelect

/** The SQL of whether a contractor's list leaves out where a grant `g` goes back to. The console is a page of the portal and on no list. */
const UNLISTED = `(g.client_id <> '${CONSOLE_CLIENT}' and exists (
    select 1 from connection_policies l where l.contractor_id = g.contractor_id and g.destination <> all (l.destinations)))`

/**
 * The SQL of whether a grant `g` works: nobody ended it, its person `m` is still on the team, its client is not disabled, and the
 * contractor lets people connect what goes back there. A row of the policy narrows it to a list.
 */
const ALIVE = `g.ended_at is null and not coalesce(c.disabled, false) and not ${UNLISTED}`

const FROM = `oauth_grants g join members m on m.person_id = g.person_id and m.contractor_id = g.contractor_id
    join oauth_clients c on c.client_id = g.client_id`

/** Grants `g` that work, with their member `m`, as what follows `from`; a condition more may follow. */
export const LIVE_GRANTS = `${FROM} where ${ALIVE}`

const FIND = {
  name: 'plumbline_find_grant',
  text: `select g.id, g.contractor_id as "contractorId", g.person_id as "personId", p.name, p.email, m.role,
    g.client_name as client, g.client_id as "clientId" from ${FROM} join people p on p.id = g.person_id where g.id = $1 and ${ALIVE}`,
}

/** A grant that works, with what a request needs to know of its person. */
export type LiveGrant = {
  id: string
  contractorId: string
  personId: string
  name: string
  email: string
  role: Role
  client: string
  clientId: string
}

/** Returns a grant with its person's role now, unless it has ended. */
export async function findLiveGrant(db: Database, id: string): Promise<LiveGrant | undefined> {
  const [grant] = await db.run<LiveGrant>(FIND, [id])
  return grant
}

/** Reports whether a grant works. */
export const grantAlive = async (db: Database, id: string): Promise<boolean> =>
  (await findLiveGrant(db, id)) !== undefined

const CONNECTED = {
  name: 'plumbline_has_connected',
  text: `select 1 from ${FROM} where g.person_id = $1 and g.client_id = $2 and g.destination = $3 and ${ALIVE} limit 1`,
}

/** Reports whether a person has a grant that works for a client that goes back to a destination. */
export async function hasConnected(
  db: Database,
  { personId, clientId, destination }: Pick<GrantRecord, 'clientId' | 'destination'> & { personId: string },
): Promise<boolean> {
  return (await db.run(CONNECTED, [personId, clientId, destination])).length > 0
}

const STILL_LIVE = {
  name: 'plumbline_live_grants',
  text: `select g.id from ${FROM} where g.id in (select jsonb_array_elements_text($1::jsonb)) and ${ALIVE}`,
}

/** Returns those of the grants that still work. */
export async function grantsAlive(db: Database, ids: string[]): Promise<string[]> {
  const found = await db.run<{ id: string }>(STILL_LIVE, [JSON.stringify(ids)])
  return found.map(({ id }) => id)
}

export async function insertGrant(orm: Orm, grant: typeof oauthGrants.$inferInsert): Promise<void> {
  await orm.insert(oauthGrants).values(grant)
}

/** Removes a grant that never got a code. */
export async function deleteGrant(orm: Orm, id: string): Promise<void> {
  await orm.delete(oauthGrants).where(eq(oauthGrants.id, id))
}

/** Stores the hash of the code that was issued for a grant. */
export async function noteCode(orm: Orm, id: string, codeHash: string): Promise<void> {
  await orm.update(oauthGrants).set({ codeHash }).where(eq(oauthGrants.id, id))
}

/** Returns the grant that a code was issued for. */
export async function grantOfCode(orm: Orm, codeHash: string): Promise<GrantRecord | undefined> {
  const [grant] = await orm.select().from(oauthGrants).where(eq(oauthGrants.codeHash, codeHash))
  return grant
}

/** Returns a grant, ended or not. */
export async function findGrant(orm: Orm, id: string): Promise<GrantRecord | undefined> {
  const [grant] = await orm.select().from(oauthGrants).where(eq(oauthGrants.id, id))
  return grant
}

/** Notes that a grant's code became tokens. */
export async function noteConnected(orm: Orm, id: string): Promise<void> {
  await orm.update(oauthGrants).set({ connectedAt: sql`now()` }).where(eq(oauthGrants.id, id))
}

/**
 * The row of a refresh token as far as its use matters: its grant, its client, and whether it is still to be used, is being answered, was
 * answered a moment ago, so that it may come again as long as nobody used what it became, or was used before.
 */
export type RefreshRecord = { grantId: string | null; clientId: string; state: 'new' | 'rotating' | 'rotated' | 'used' }

/** Returns what a refresh token, by its hash, belongs to. */
export async function findRefreshToken(orm: Orm, hash: string): Promise<RefreshRecord | undefined> {
  const [token] = await rows<RefreshRecord>(
    orm,
    sql`select t.reference_id as "grantId", t.client_id as "clientId",
        case when t.revoked is null then 'new'
          when coalesce(t.rotation_replay_expires_at <= clock_timestamp(), true) or exists (select 1 from oauth_refresh_tokens s
            where s.reference_id = t.reference_id and s.id <> t.id and s.created_at >= t.rotated_at and s.revoked is not null) then 'used'
          when t.rotation_replay_response is null then 'rotating' else 'rotated' end as state
      from oauth_refresh_tokens t where t.token = ${hash}`,
  )
  return token
}

/**
 * The grants to end: one by its id, a person's for one contractor or for all, or those of the same person, contractor and client that were
 * made before one.
 */
export type GrantsToEnd = { id?: string; personId?: string; contractorId?: string; before?: GrantRecord }

const madeBefore = ({ id, contractorId, userId, clientId }: GrantRecord) =>
  and(
    eq(oauthGrants.contractorId, contractorId),
    eq(oauthGrants.userId, userId),
    eq(oauthGrants.clientId, clientId),
    sql`(${oauthGrants.createdAt}, ${oauthGrants.id}) < (select l.created_at, l.id from oauth_grants l where l.id = ${id})`,
  )

/** Ends grants that have not ended. None of their tokens works then. */
export async function endGrants(orm: Orm, of: GrantsToEnd): Promise<GrantRecord[]> {
  if (of.id === undefined && of.personId === undefined && of.before === undefined)
    throw new Error('grants are ended by their id, their person or a later one')
  const ended = await orm
    .update(oauthGrants)
    .set({ endedAt: sql`clock_timestamp()` })
    .where(
      and(
        isNull(oauthGrants.endedAt),
        of.id === undefined ? undefined : eq(oauthGrants.id, of.id),
        of.personId === undefined ? undefined : eq(oauthGrants.userId, of.personId),
        of.contractorId === undefined ? undefined : eq(oauthGrants.contractorId, of.contractorId),
        of.before && madeBefore(of.before),
      ),
    )
    .returning()
  return ended
}

/**
 * Returns a contractor's grants that were connected, newest first; only a person's where one is named. One that has ended is left out once
 * the person connected its program again: the audit log has it.
 */
export async function listGrants(orm: Orm, contractorId: string, personId?: string) {
  const since = sql`now() - interval '30 days'`
  return await rows<{
    id: string
    personId: string
    person: string
    email: string
    role: Role | null
    client: string
    clientId: string
    destination: string
    isVerified: boolean
    isBlocked: boolean
    scopes: string[]
    connectedAt: string
    endedAt: string | null
    lastUsedAt: string | null
    requests: number
  }>(
    orm,
    sql`select g.id, g.person_id as "personId", p.name as person, p.email, m.role, g.client_name as client, g.client_id as "clientId",
        g.destination, (starts_with(g.client_id, 'https://') or g.client_id = ${CONSOLE_CLIENT}) as "isVerified",
        (g.client_id <> ${CONSOLE_CLIENT} and exists (select 1 from connection_policies l
          where l.contractor_id = g.contractor_id and g.destination <> all (l.destinations))) as "isBlocked",
        to_json(g.scopes) as scopes, g.connected_at::text as "connectedAt", g.ended_at::text as "endedAt",
        (select max(a.used_at)::text from key_addresses a where a.contractor_id = g.contractor_id and a.key_id = g.id) as "lastUsedAt",
        (select coalesce(sum(s.requests), 0)::float8 from request_sums s
          where s.contractor_id = g.contractor_id and s.key_id = g.id and s.hour >= ${since}) as requests
      from oauth_grants g join people p on p.id = g.person_id
      left join members m on m.person_id = g.person_id and m.contractor_id = g.contractor_id
      where g.contractor_id = ${contractorId} and g.connected_at is not null
        ${personId === undefined ? sql`` : sql`and g.person_id = ${personId}`}
        and (g.ended_at is null or not exists (select 1 from oauth_grants n where n.contractor_id = g.contractor_id
          and n.person_id = g.person_id and n.client_id = g.client_id and n.connected_at is not null
          and (n.created_at, n.id) > (g.created_at, g.id)))
      order by g.ended_at is not null, g.created_at desc, g.id desc limit 500`,
  )
}

/** Names of a contractor's connections, for lists of requests. */
export async function grantNames(orm: Orm, contractorId: string) {
  return await rows<{ id: string; person: string; client: string; isOver: boolean }>(
    orm,
    sql`select g.id, p.name as person, g.client_name as client, g.ended_at is not null as "isOver"
      from oauth_grants g join people p on p.id = g.person_id
      where g.contractor_id = ${contractorId} and g.connected_at is not null order by g.created_at desc, g.id desc`,
  )
}

/** Returns where a contractor lets its people connect programs from; undefined for anywhere. */
export async function allowedDestinations(orm: Orm, contractorId: string): Promise<string[] | undefined> {
  const [policy] = await orm
    .select({ destinations: connectionPolicies.destinations })
    .from(connectionPolicies)
    .where(eq(connectionPolicies.contractorId, contractorId))
  return policy?.destinations
}

/** Sets where a contractor lets its people connect programs from; undefined for anywhere. */
export async function setAllowedDestinations(
  orm: Orm,
  contractorId: string,
  destinations: string[] | undefined,
): Promise<void> {
  await orm.delete(connectionPolicies).where(eq(connectionPolicies.contractorId, contractorId))
  if (destinations) await orm.insert(connectionPolicies).values({ contractorId, destinations })
}

/** Public halves of the keys that sign access tokens. */
export async function signingKeys(
  db: Database,
): Promise<{ id: string; publicKey: string; alg: string | null; expiresAt: number | null }[]> {
  return await db.run(
    {
      name: 'plumbline_signing_keys',
      text: `select id, public_key as "publicKey", alg, (extract(epoch from expires_at) * 1000)::float8 as "expiresAt" from oauth_keys order by created_at desc limit 20`,
    },
    [],
  )
}
