import { database, type Orm, withinContractor } from '@/db/client'
import { endSessionsOfDeadLineage } from '@/db/queries/mcp-sessions'
import { endGrants, type GrantRecord, type GrantsToEnd } from '@/db/queries/oauth-grants'
import { passVouching } from '@/db/queries/webhook-vouchers'
import { ServiceError } from '@/lib/core/errors'
import type { ActingPerson } from '../actor'
import { type Author, audit } from '../audit'
import { forgetKeys } from '../key-cache'

/** Returns how a connection is named in the audit log: its program and where that is. */
export const connectionName = ({ clientName, destination }: Pick<GrantRecord, 'clientName' | 'destination'>): string =>
  `${clientName} (${destination})`

type Why =
  | 'ended'
  | 'removed from the team'
  | 'account reset'
  | 'by the program'
  | 'its code or token was used twice'
  | 'signed in again'

/**
 * Ends connections, with their MCP sessions, in the transaction of what ends the right to them. The caller must call `forgetKeys` after it
 * commits.
 * @returns how many were still working
 */
export async function endConnections(tx: Orm, of: GrantsToEnd, by: Author, why: Why): Promise<number> {
  const ended = await endGrants(tx, of)
  for (const grant of ended) {
    await endSessionsOfDeadLineage(tx, grant.id)
    const { contractorId, userId: person } = grant
    await audit(tx, by, {
      event: 'connection_ended',
      subject: connectionName(grant),
      contractorId,
      detail: { connection: grant.id, person, why },
    })
  }
  return ended.length
}

/** The program itself, as the author of what its use of tokens ends. */
const program = (clientName: string, address: string): Author => ({ kind: 'nobody', name: clientName, address })

/** Ends a connection because of what its program did: it revoked it, or used a code or refresh token twice. */
export async function endByProgram(
  { id, clientName, address }: { id: string; clientName: string; address: string },
  why: Extract<Why, 'by the program' | 'its code or token was used twice'>,
): Promise<void> {
  const { orm } = await database()
  await orm.transaction((tx) => endConnections(tx, { id }, program(clientName, address), why))
  forgetKeys()
}

/** Ends what a program was connected by before, for the same person and contractor, once it is connected again. */
export async function endReplaced(grant: GrantRecord, address: string): Promise<void> {
  const { orm } = await database()
  const by = program(grant.clientName, address)
  const ended = await orm.transaction(async (tx) => {
    await passVouching(tx, grant)
    return await endConnections(tx, { before: grant }, by, 'signed in again')
  })
  if (ended > 0) forgetKeys()
}

/**
 * Ends connections of the author's contractor: one, or all of a person. Administrators end any, others their own.
 * @throws ServiceError `not_found` when there is no such connection that still works
 */
export async function endOwnConnections(
  by: ActingPerson,
  of: { id?: string | undefined; personId?: string | undefined },
): Promise<number> {
  const isAdmin = by.kind === 'operator' || by.role === 'admin'
  const own = isAdmin ? of : { ...of, personId: by.personId }
  const { orm } = await database()
  const { contractorId } = by
  const ended = await withinContractor(orm, contractorId, (tx) =>
    endConnections(
      tx,
      {
        contractorId,
        ...(own.id === undefined ? {} : { id: own.id }),
        ...(own.personId === undefined ? {} : { personId: own.personId }),
      },
      by,
      'ended',
    ),
  )
  forgetKeys()
  if (ended === 0) throw new ServiceError('not_found', 'This connection has ended already.')
  return ended
}
