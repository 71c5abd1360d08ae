import type { Env } from '@/lib/core/env'

/** What is limited, by whom it is counted, and where its number comes from. All are per minute. */
export const POLICIES = {
  dataApi: { per: 'address', rate: (env: Env) => env.limits.dataApi },
} as const satisfies Record<string, { per: 'address' | 'key' | 'contractor'; rate(env: Env): number }>

export type PolicyName = keyof typeof POLICIES

export const WINDOW_MS = 60_000
