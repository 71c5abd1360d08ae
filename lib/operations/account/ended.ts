import * as z from 'zod'

/** The access that a reset of an account ended: ways to sign in, and what the account's holder had given out. */
export const Ended = z.object({
  sessions: z.int(),
  passkeys: z.int(),
  secondFactor: z.boolean(),
  explorerKeys: z.int(),
  connections: z.int(),
  invitations: z.int(),
})
