import type { Database } from '@/db/client'
import { database } from '@/db/client'
import { env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import { shared } from '@/lib/core/shared'
import type { PeopleAuth } from './library'

const made = shared<WeakMap<Database, PeopleAuth>>('people', () => new WeakMap())

/**
 * Returns sign-in, using the process's database. It is called on the server only; none of the library's own paths is served.
 * @throws ServiceError `internal` when no secret is configured
 */
export async function peopleAuth(): Promise<PeopleAuth> {
  const db = await database()
  const known = made().get(db)
  if (known) return known
  const { authSecret } = env()
  if (authSecret === undefined)
    throw new ServiceError(
      'internal',
      'Sign-in is not configured. Whoever runs this service must set BETTER_AUTH_SECRET to a random text of at least 32 characters.',
    )
  // Loaded on demand, because it is half of the server's code and only sign-in, accounts and invitations need it.
  const { buildPeopleAuth } = await import('./library')
  const auth = made().get(db) ?? buildPeopleAuth(db, env(), authSecret)
  made().set(db, auth)
  return auth
}
