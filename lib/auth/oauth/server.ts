import type { Database } from '@/db/client'
import { database } from '@/db/client'
import { env } from '@/lib/core/env'
import { shared } from '@/lib/core/shared'
import type { OAuthServer } from './library'

const made = shared<WeakMap<Database, OAuthServer>>('oauth', () => new WeakMap())

/** The authorization server, using the process's database; loaded with the first request for it. Call it only where {@link isOAuthOffered}. */
export async function oauthServer(): Promise<OAuthServer> {
  const db = await database()
  const known = made().get(db)
  if (known) return known
  const { authSecret } = env()
  if (authSecret === undefined) throw new Error('connections need the secret of sign-in')
  const { buildOAuthServer } = await import('./library')
  const server = made().get(db) ?? buildOAuthServer(db, env(), authSecret)
  made().set(db, server)
  return server
}
