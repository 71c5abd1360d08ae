import { desc, eq } from 'drizzle-orm'
import type { Orm } from '../client'
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
