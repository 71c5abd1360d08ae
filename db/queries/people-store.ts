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

/** Where sign-in keeps its records. */
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
