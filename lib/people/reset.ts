import { database, type Orm } from '@/db/client'
import { confirmPerson, deleteWaysIn, type EndedWaysIn, findPerson, insertPassword } from '@/db/queries/people'
import { operatorFor } from '@/lib/auth/actor'
import { audit } from '@/lib/auth/audit'
import { ServiceError } from '@/lib/core/errors'
import { hashPassword } from './create-person'

/**
 * Gives an account to whoever the operator handed a link or password to: every earlier way in ends, the new password is the only one,
 * and the address counts as confirmed. Nobody who set the account up before, or planted a passkey in it, keeps anything.
 */
export async function handOver(orm: Orm, personId: string, passwordHash: string): Promise<EndedWaysIn> {
  const ended = await deleteWaysIn(orm, personId)
  await insertPassword(orm, personId, crypto.randomUUID(), passwordHash)
  await confirmPerson(orm, personId, true)
  return ended
}

async function byOperator(
  email: string,
  work: (orm: Orm, personId: string) => Promise<EndedWaysIn>,
): Promise<EndedWaysIn> {
  const { orm } = await database()
  return await orm.transaction(async (tx) => {
    const person = await findPerson(tx, email)
    if (!person) throw new ServiceError('not_found', `Nobody has an account for ${email}.`)
    const ended = await work(tx, person.id)
    await audit(tx, operatorFor(''), { event: 'account_reset', subject: email, detail: ended, contractorId: null })
    return ended
  })
}

/**
 * Sets a person's password, whatever it was, and ends every other way in: for whoever runs the service, at its command line.
 * @returns what has ended
 * @throws ServiceError `not_found` when nobody has this address, `bad_request` for an unfit password
 */
export async function setPassword(email: string, newPassword: string): Promise<EndedWaysIn> {
  const hash = await hashPassword(newPassword)
  return await byOperator(email, (tx, personId) => handOver(tx, personId, hash))
}

/**
 * Ends every way into an account, its password included, until its owner opens a link of the operator's.
 * @returns what has ended
 * @throws ServiceError `not_found` when nobody has this address
 */
export async function closeAccount(email: string): Promise<EndedWaysIn> {
  return await byOperator(email, async (tx, personId) => {
    await confirmPerson(tx, personId, false)
    return await deleteWaysIn(tx, personId)
  })
}

/** What has ended, for people: `2 sessions, a passkey and the second factor`. */
export function tellEnded({ sessions, passkeys, secondFactor }: EndedWaysIn): string {
  const count = (n: number, one: string) => (n === 1 ? `1 ${one}` : `${n} ${one}s`)
  return `${count(sessions, 'session')}, ${count(passkeys, 'passkey')}, ${secondFactor ? '1' : 'no'} second factor`
}
