import { database } from '@/db/client'
import { findPerson } from '@/db/queries/people'
import { parseEmail } from '@/lib/core/contact'
import { ServiceError } from '@/lib/core/errors'
import { PASSWORD_LENGTH, peopleAuth } from './auth'

/** @throws ServiceError `bad_request` for a password that is too short or too long */
export function checkPassword(password: string): void {
  const { min, max } = PASSWORD_LENGTH
  if (password.length < min)
    throw new ServiceError('bad_request', `The password is too short: at least ${min} characters.`)
  if (password.length > max)
    throw new ServiceError('bad_request', `The password is too long: at most ${max} characters.`)
}

/**
 * Makes an account with a password. Only the command line and whoever holds an invitation get here; there is no open sign-up.
 * @returns the person's id
 * @throws ServiceError `bad_request` for what is no e-mail address, an address that has an account, or an unfit name or password
 */
export async function createPerson(input: { email: string; name: string; password: string }): Promise<string> {
  const email = parseEmail(input.email)
  const name = input.name.trim()
  if (!email) throw new ServiceError('bad_request', 'This is not an e-mail address.')
  if (name === '' || name.length > 100) throw new ServiceError('bad_request', 'A name has 1 to 100 characters.')
  checkPassword(input.password)
  const { orm } = await database()
  if (await findPerson(orm, email))
    throw new ServiceError('bad_request', `There is an account for ${email} already. Sign in with it.`)
  const { internalAdapter, password } = await (await peopleAuth()).$context
  const hash = await password.hash(input.password)
  const person = await internalAdapter.createUser({ email, name, emailVerified: true }, { method: 'email-password' })
  await internalAdapter.linkAccount({
    userId: person.id,
    accountId: person.id,
    providerId: 'credential',
    password: hash,
  })
  return person.id
}

/**
 * Sets a person's password, whatever it was, and ends all their sessions: for whoever runs the service, at its command line.
 * @throws ServiceError `not_found` when nobody has this address, `bad_request` for an unfit password
 */
export async function setPassword(email: string, newPassword: string): Promise<void> {
  checkPassword(newPassword)
  const { orm } = await database()
  const person = await findPerson(orm, email)
  if (!person) throw new ServiceError('not_found', `Nobody has an account for ${email}.`)
  const { internalAdapter, password } = await (await peopleAuth()).$context
  await internalAdapter.updatePassword(person.id, await password.hash(newPassword))
  await internalAdapter.deleteUserSessions(person.id)
}
