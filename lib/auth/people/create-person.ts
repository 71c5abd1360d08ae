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

/** An account to be made. `confirmed` means that the operator handed over what it is made with, so the address is known to belong to its owner. */
type NewPerson = { email: string; name: string; confirmed: boolean }

/** Stores an account with the hash of its password. @returns the person's id */
export async function insertPerson({ email, name, confirmed }: NewPerson, hash: string): Promise<string> {
  const { internalAdapter } = await (await peopleAuth()).$context
  const person = await internalAdapter.createUser(
    { email, name, emailVerified: confirmed },
    { method: 'email-password' },
  )
  await insertPassword((await database()).orm, person.id, crypto.randomUUID(), hash)
  return person.id
}

/**
 * Creates an account with a password. Only the command line and holders of an invitation get here; there is no open sign-up.
 * @returns the person's id
 * @throws ServiceError `bad_request` when the address already has an account or the password is not acceptable
 */
export async function createPerson({ password, ...made }: NewPerson & { password: string }): Promise<string> {
  checkPassword(password)
  if (await findPerson((await database()).orm, made.email))
    throw new ServiceError('bad_request', `There is an account for ${made.email} already. Sign in with it.`)
  return await insertPerson(made, await hashPassword(password))
}
