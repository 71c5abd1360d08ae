import type { Env } from '@/lib/core/env'

/** What is limited, what it is counted by, and where its number comes from. All are per minute. */
export const POLICIES = {
  dataApi: { per: 'address', rate: (env: Env) => env.limits.dataApi },
  leads: { per: 'key', rate: (env: Env) => env.limits.leads },
  mcp: { per: 'key', rate: (env: Env) => env.limits.mcp },
  /** Sign-in attempts: of a known browser, or of unknown ones by address and by account (lib/auth/people/attempts.ts). */
  signIn: { per: 'address', rate: (env: Env) => env.limits.signIn },
  rag: { per: 'contractor', rate: (env: Env) => env.limits.rag },
  /** Pages, rendered or cached; protects this process. */
  pages: { per: 'address', rate: (env: Env) => env.limits.pages },
  // How many refused requests are logged, so that a flood of them cannot fill the disk.
  logged: { per: 'key', rate: () => 60 },
} as const satisfies Record<string, { per: 'address' | 'key' | 'contractor'; rate(env: Env): number }>

export type PolicyName = keyof typeof POLICIES

export const WINDOW_MS = 60_000
