import { drizzleAdapter } from 'better-auth/adapters/drizzle'
import type { Orm } from '../client'
import {
  people,
  personAccounts,
  personPasskeys,
  personSessions,
  personTwoFactors,
  personVerifications,
} from '../schema'

/** The database adapter for sign-in. */
export const peopleStore = (orm: Orm) =>
  drizzleAdapter(orm, {
    provider: 'pg',
    schema: {
      user: people,
      session: personSessions,
      account: personAccounts,
      verification: personVerifications,
      twoFactor: personTwoFactors,
      passkey: personPasskeys,
    },
  })
