import { randomBytes } from 'node:crypto'
import { database } from '@/db/client'
import { findPerson, insertPassword } from '@/db/queries/people'
import { ServiceError } from '@/lib/core/errors'
import { peopleAuth } from './auth'
import { busyAsRefusal, passwordHashing } from './hashing'
import { PASSWORD_LENGTH } from './sign-in-settings'

/** Generates a password of 120 random bits. */
export const randomPassword = (): string => randomBytes(15).toString('base64url')

/** Checks a password's length. @throws ServiceError `bad_request` when it is too short or too long */
export function checkPassword(password: string): void {
  const { min, max } = PASSWORD_LENGTH
  if (password.length < min)
    throw new ServiceError('bad_request', `The password is too short: at least ${min} characters.`)
  if (password.length > max)
    throw new ServiceError('bad_request', `The password is too long: at most ${max} characters.`)
}

/**
 * Returns a new password's hash. @throws ServiceError `bad_request` when it is not acceptable, `rate_limited` when too many are
 * being checked
 */
export async function hashPassword(password: string): Promise<string> {
  checkPassword(password)
  try {
    return await passwordHashing.hash(password)
  } catch (error) {
    throw busyAsRefusal(error)
  }
}

/**
 * Creates an account with a password. Only the command line and holders of an invitation get here; there is no open sign-up.
 * `confirmed` means that the operator handed over what the account is created with, so the address is known to belong to its owner.
 * @returns the person's id
 * @throws ServiceError `bad_request` when the address already has an account or the password is not acceptable
 */
export async function createPerson(input: {
  email: string
  name: string
  password: string
  confirmed: boolean
}): Promise<string> {
  const { email, name } = input
  checkPassword(input.password)
  const { orm } = await database()
  if (await findPerson(orm, email))
    throw new ServiceError('bad_request', `There is an account for ${email} already. Sign in with it.`)
  const hash = await hashPassword(input.password)
  const { internalAdapter } = await (await peopleAuth()).$context
  const made = { email, name, emailVerified: input.confirmed }
  const person = await internalAdapter.createUser(made, { method: 'email-password' })
  await insertPassword(orm, person.id, crypto.randomUUID(), hash)
  return person.id
}
