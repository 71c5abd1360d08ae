import { and, desc, eq, gt, isNull, or, sql } from 'drizzle-orm'
import { ROLE_FOR, rolesWith } from '@/lib/core/roles'
import type { Database, Orm } from '../client'
import { apiKeys } from '../schema'

/** Names of every key a contractor has ever had, newest first, with only the last four characters of each secret. */
export async function keyNames(orm: Orm, contractorId: string) {
  return await orm
    .select({
      keyId: apiKeys.id,
      name: apiKeys.name,
      last4: apiKeys.last4,
      revokedAt: apiKeys.revokedAt,
      expiresAt: apiKeys.expiresAt,
    })
    .from(apiKeys)
    .where(eq(apiKeys.contractorId, contractorId))
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id))
}

export type KeyRecord = typeof apiKeys.$inferSelect
export type NewKeyRecord = typeof apiKeys.$inferInsert

/** The facts a request needs about its key. */
export type LiveKey = {
  id: string
  lineage: string
  contractorId: string
  preset: string | null
  leadSource: string | null
  scopes: string[]
  allowedAddresses: string[] | null
  perMinute: number | null
  insteadOfAddress: boolean
  expiresAt: number | null
}

/** The roles that may hold an explorer key. */
const HOLDERS = JSON.stringify(rolesWith(ROLE_FOR.explorerKey))

/** The SQL of whether a key works. Wants the roles in $2. */
const LIVE = `revoked_at is null and (expires_at is null or expires_at > now())
      and (issued_to is null or exists (select 1 from members m where m.person_id = issued_to
        and m.contractor_id = api_keys.contractor_id and m.role in (select jsonb_array_elements_text($2::jsonb))))`

const FIND = {
  name: 'plumbline_find_key',
  brief: true,
  text: `select id, coalesce(lineage, id) as lineage, contractor_id as "contractorId", preset,
    lead_source as "leadSource", scopes,
    allowed_addresses as "allowedAddresses", per_minute as "perMinute", instead_of_address as "insteadOfAddress",
    (extract(epoch from expires_at) * 1000)::float8 as "expiresAt"
    from api_keys where secret_hash = $1 and ${LIVE}`,
}

/**
 * Returns the key with this hash unless it is revoked, expired, or issued to a person who may no longer have it; `expiresAt` is in
 * epoch milliseconds.
 */
export async function findLiveKey(db: Database, secretHash: string): Promise<LiveKey | undefined> {
  const [key] = await db.run<LiveKey>(FIND, [secretHash, HOLDERS])
  return key
}

const STILL_LIVE = {
  name: 'plumbline_live_keys',
  text: `select id from api_keys where id in (select jsonb_array_elements_text($1::jsonb)) and ${LIVE}`,
}

/** Returns those of the keys that still work. */
export async function keysAlive(db: Database, ids: string[]): Promise<string[]> {
  const found = await db.run<{ id: string }>(STILL_LIVE, [JSON.stringify(ids), HOLDERS])
  return found.map(({ id }) => id)
}

export async function insertKey(orm: Orm, key: NewKeyRecord): Promise<void> {
  await orm.insert(apiKeys).values(key)
}

/** Returns a contractor's keys, newest first. */
export async function listKeys(orm: Orm, contractorId: string): Promise<KeyRecord[]> {
  return await orm.select().from(apiKeys).where(eq(apiKeys.contractorId, contractorId)).orderBy(desc(apiKeys.createdAt))
}

/** Returns the contractor of a key, for an operator who knows only its id. */
export async function keyContractor(orm: Orm, id: string): Promise<string | undefined> {
  const [key] = await orm.select({ contractorId: apiKeys.contractorId }).from(apiKeys).where(eq(apiKeys.id, id))
  return key?.contractorId
}

/** Returns a key. */
export async function findKey(orm: Orm, id: string): Promise<KeyRecord | undefined> {
  const [key] = await orm.select().from(apiKeys).where(eq(apiKeys.id, id))
  return key
}

/** Returns a key, locked until the transaction ends. */
export async function lockKey(orm: Orm, id: string): Promise<KeyRecord | undefined> {
  const [key] = await orm.select().from(apiKeys).where(eq(apiKeys.id, id)).for('update')
  return key
}

/** Returns all keys of a chain of rotations, locked until the transaction ends. */
export async function lockLineage(orm: Orm, lineage: string): Promise<KeyRecord[]> {
  return await orm
    .select()
    .from(apiKeys)
    .where(or(eq(apiKeys.id, lineage), eq(apiKeys.lineage, lineage)))
    .orderBy(apiKeys.id)
    .for('update')
}

/** Sets a key's expiry, never later than the current one. */
export async function expireKey(orm: Orm, id: string, at: Date): Promise<void> {
  await orm
    .update(apiKeys)
    .set({ expiresAt: sql`least(coalesce(${apiKeys.expiresAt}, 'infinity'), ${at.toISOString()}::timestamptz)` })
    .where(eq(apiKeys.id, id))
}

/** Revokes a key now; false when it was already revoked. Sessions end with the last working key of their lineage. */
export async function revokeKey(orm: Orm, id: string): Promise<boolean> {
  const revoked = await orm
    .update(apiKeys)
    .set({ revokedAt: sql`clock_timestamp()` })
    .where(sql`${apiKeys.id} = ${id} and ${apiKeys.revokedAt} is null`)
    .returning({ id: apiKeys.id })
  return revoked.length > 0
}

/** Revokes the keys that were issued to a person, for one contractor or for all. */
export async function revokeKeysOf(orm: Orm, personId: string, contractorId?: string): Promise<KeyRecord[]> {
  return await orm
    .update(apiKeys)
    .set({ revokedAt: sql`clock_timestamp()` })
    .where(
      and(
        eq(apiKeys.issuedTo, personId),
        contractorId === undefined ? undefined : eq(apiKeys.contractorId, contractorId),
        isNull(apiKeys.revokedAt),
        gt(apiKeys.expiresAt, sql`now()`),
      ),
    )
    .returning()
}

/** Changes the editable settings of a live key. */
export async function updateKey(
  orm: Orm,
  id: string,
  changes: Pick<KeyRecord, 'name' | 'allowedAddresses' | 'perMinute' | 'insteadOfAddress'>,
): Promise<void> {
  await orm.update(apiKeys).set(changes).where(eq(apiKeys.id, id))
}
