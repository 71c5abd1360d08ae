import { database, type Orm } from '@/db/client'
import { deleteWaysIn, type EndedWaysIn, findPerson, insertPassword, updatePerson } from '@/db/queries/people'
import { ServiceError } from '@/lib/core/errors'
import type { ActingPerson, OperatorActor } from '../actor'
import { audit } from '../audit'
import { endIssuedKeys } from '../issued-keys'
import { forgetKeys } from '../key-cache'
import { endConnections } from '../oauth/grants'
import { hashPassword } from './create-person'
import { endInvitations } from './invitations'

/** The access that a reset ended: ways to sign in, and what the account's holder had given out. */
export type Ended = EndedWaysIn & { explorerKeys: number; connections: number; invitations: number }

async function endAll(orm: Orm, personId: string, by: ActingPerson): Promise<Ended> {
  const ended = await deleteWaysIn(orm, personId)
  const explorerKeys = await endIssuedKeys(orm, { personId }, by)
  const connections = await endConnections(orm, { personId }, by, 'account reset')
  return { ...ended, explorerKeys, connections, invitations: await endInvitations(orm, { invitedBy: personId }, by) }
}

/**
 * Gives an account to the person the operator handed a link or password to. Every earlier way to sign in ends, the new password is
 * the only one, and the address counts as confirmed. Anyone who set the account up before, or added a passkey to it, loses access.
 */
export async function handOver(
  orm: Orm,
  personId: string,
  own: { hash: string; name?: string },
  by: ActingPerson,
): Promise<Ended> {
  const ended = await endAll(orm, personId, by)
  await insertPassword(orm, personId, crypto.randomUUID(), own.hash)
  await updatePerson(orm, personId, { emailVerified: true, ...(own.name !== undefined && { name: own.name }) })
  return ended
}

async function byOperator(
  by: OperatorActor,
  email: string,
  work: (orm: Orm, personId: string) => Promise<Ended>,
): Promise<Ended> {
  const { orm } = await database()
  const all = await orm.transaction(async (tx) => {
    const person = await findPerson(tx, email)
    if (!person) throw new ServiceError('not_found', `Nobody has an account for ${email}.`)
    const ended = await work(tx, person.id)
    await audit(tx, by, { event: 'account_reset', subject: email, detail: ended, contractorId: null })
    return ended
  })
  forgetKeys()
  return all
}

/**
 * Sets a person's password and ends every other way to sign in. For operators, on the command line.
 * @returns what has ended
 * @throws ServiceError `not_found` when nobody has this address, `bad_request` when the password is not acceptable
 */
export async function setPassword(by: OperatorActor, email: string, newPassword: string): Promise<Ended> {
  const hash = await hashPassword(newPassword)
  return await byOperator(by, email, (tx, personId) => handOver(tx, personId, { hash }, by))
}

/**
 * Ends every way to sign in to an account, including its password, until its owner opens a link from the operator.
 * @returns what has ended
 * @throws ServiceError `not_found` when nobody has this address
 */
export async function closeAccount(by: OperatorActor, email: string): Promise<Ended> {
  return await byOperator(by, email, async (tx, personId) => {
    await updatePerson(tx, personId, { emailVerified: false })
    return await endAll(tx, personId, by)
  })
}

/** Describes what has ended: `2 sessions, 1 passkey, no second factor`, plus keys and invitations if there were any. */
export function describeEndedAccess({
  sessions,
  passkeys,
  secondFactor,
  explorerKeys,
  connections,
  invitations,
}: Ended): string {
  const count = (n: number, one: string) => (n === 1 ? `1 ${one}` : `${n} ${one}s`)
  return [
    count(sessions, 'session'),
    count(passkeys, 'passkey'),
    `${secondFactor ? '1' : 'no'} second factor`,
    ...(explorerKeys > 0 ? [count(explorerKeys, 'explorer key')] : []),
    ...(connections > 0 ? [count(connections, 'connection')] : []),
    ...(invitations > 0 ? [count(invitations, 'open invitation')] : []),
  ].join(', ')
}
