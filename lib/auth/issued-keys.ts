import type { Orm } from '@/db/client'
import { revokeKeysOf } from '@/db/queries/keys'
import { endSessionsOfDeadLineage } from '@/db/queries/mcp-sessions'
import { operatorFor, type PersonActor } from './actor'
import { audit } from './audit'

/**
 * Ends the explorer keys of a person, for one contractor or for all, in the transaction that ends the right to them. Once that is
 * done the caller calls `forgetKeys`.
 * @returns how many worked until now
 */
export async function endIssuedKeys(
  tx: Orm,
  of: { personId: string; contractorId?: string },
  by?: PersonActor,
): Promise<number> {
  const keys = await revokeKeysOf(tx, of.personId, of.contractorId)
  for (const { id, lineage, name, contractorId } of keys) {
    await endSessionsOfDeadLineage(tx, lineage ?? id)
    await audit(tx, by ?? operatorFor(contractorId), { event: 'key_revoked', subject: id, detail: { name } })
  }
  return keys.length
}
