import { z } from 'zod'

/** What ends with an account's reset: ways in, and what was given out by whoever was in. */
export const Ended = z.object({
  sessions: z.int(),
  passkeys: z.int(),
  secondFactor: z.boolean(),
  explorerKeys: z.int(),
  invitations: z.int(),
})
