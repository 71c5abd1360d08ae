import { database, type Orm } from '@/db/client'
import { queueAccountMail } from '@/db/queries/outbox'
import { deletePassword, findReset, useReset } from '@/db/queries/password-resets'
import { deleteWaysIn, type EndedWaysIn, findPerson, insertPassword, updatePerson } from '@/db/queries/people'
import { deleteSessions } from '@/db/queries/person-sessions'
import { hashOfToken, mailsPeople } from '@/lib/auth/people/mailed-links'
import { parseEmail } from '@/lib/core/contact'
import { ServiceError } from '@/lib/core/errors'
import { newId } from '@/lib/core/ids'
import { addressSubject } from '@/lib/limits/address-subject'
import { type ActingPerson, accountOf, type OperatorActor } from '../actor'
import { audit } from '../audit'
import { endIssuedKeys } from '../issued-keys'
import { forgetKeys } from '../key-cache'
import { endConnections } from '../oauth/grants'
import { countStep } from './attempts'
import { checkPassword, hashPassword } from './create-person'
import { hashingFor } from './hashing'
import { endInvitations } from './invitations'
import type { Visitor } from './visitor'

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

/** The error where the operator has set no mail server. */
const noMail = () =>
  new ServiceError(
    'bad_request',
    'This server sends no email. Ask the operator of this service to reset your password.',
  )

/**
 * Asks for a link that resets the password of an address. What is done and answered is the same whether it has an account or not; the link
 * is made when the email is sent.
 * @throws ServiceError `bad_request` when it is not an email address or no email is sent here, `rate_limited`
 */
export async function requestPasswordReset(visitor: Visitor, text: string): Promise<void> {
  if (!mailsPeople()) throw noMail()
  const email = parseEmail(text)
  if (email === undefined)
    throw new ServiceError('bad_request', 'Some fields need to be fixed.', {
      fields: [{ field: 'email', message: 'is not an email address' }],
    })
  await countStep(visitor, 'reset asked')
  await queueAccountMail((await database()).orm, { id: newId('message'), to: email, about: { kind: 'reset' } })
}

/** Returns the address whose password a link resets; undefined when it was used, is too old or never existed. */
export async function resetFor(token: string): Promise<string | undefined> {
  return (await findReset((await database()).orm, hashOfToken(token)))?.email
}

const spent = () =>
  new ServiceError('not_found', 'This link was used, or is too old. Ask for a new one under “Forgot your password?”.')

/**
 * Sets a new password with a link from an email, and ends every session of the account. A second factor and passkeys stay, and so do
 * connected programs. Of an account whose address nobody had confirmed, everything that was set up before ends: whoever set it up may
 * have been somebody else.
 * @throws ServiceError `not_found` for a link that no longer works, `bad_request` when the password is not acceptable, `rate_limited`
 */
export async function finishReset(
  visitor: Visitor,
  { token, password }: { token: string; password: string },
): Promise<{ email: string }> {
  await countStep(visitor, 'reset')
  checkPassword(password)
  const tokenHash = hashOfToken(token)
  const { orm } = await database()
  const person = await findReset(orm, tokenHash)
  if (!person) throw spent()
  const lane = { lane: 'stranger', subject: addressSubject(visitor.address) } as const
  const hash = await hashingFor(lane, () => hashPassword(password))
  const by = accountOf(person, visitor.address)
  await orm.transaction(async (tx) => {
    if (!(await useReset(tx, tokenHash, person.id))) throw spent()
    if (person.emailVerified) {
      await deletePassword(tx, person.id)
      await insertPassword(tx, person.id, crypto.randomUUID(), hash)
      const sessions = await deleteSessions(tx, person.id)
      await audit(tx, by, { event: 'password_reset', contractorId: null, detail: { sessions } })
    } else {
      const ended = await handOver(tx, person.id, { hash }, by)
      await audit(tx, by, { event: 'password_reset', contractorId: null, detail: ended })
    }
    const about = { kind: 'password_changed', by: 'reset' } as const
    await queueAccountMail(tx, { id: newId('message'), to: person.email, about })
  })
  forgetKeys()
  return { email: person.email }
}
