import { desc, eq } from 'drizzle-orm'
import type { Orm } from '../client'
import { apiKeys } from '../schema'

/** Every key a contractor has had by name, newest first; of its secret only the last four characters. */
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
