import type { Orm } from '@/db/client'
import { revokeKeysOf } from '@/db/queries/keys'
import { endSessionsOfDeadLineage } from '@/db/queries/mcp-sessions'
import type { ActingPerson } from './actor'
import { audit } from './audit'

/**
 * Ends a person's explorer keys, for one contractor or for all, in the transaction that ends the right to them. The caller must
 * call `forgetKeys` after it commits.
 * @returns how many were still working
 */
export async function endIssuedKeys(
  tx: Orm,
  of: { personId: string; contractorId?: string },
  by: ActingPerson,
): Promise<number> {
  const keys = await revokeKeysOf(tx, of.personId, of.contractorId)
  for (const { id, lineage, name, contractorId } of keys) {
    await endSessionsOfDeadLineage(tx, lineage ?? id)
    await audit(tx, by, { event: 'key_revoked', subject: id, contractorId, detail: { name } })
  }
  return keys.length
}
