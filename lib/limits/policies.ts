import type { Env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import type { Verdict } from './window'

/**
 * The refusal of a request over its limit: 429 with `Retry-After`.
 * @param what what was counted: "requests in a minute to this endpoint"
 */
export function rateLimited({ limit, retryAfterMs }: Verdict, what: string): ServiceError {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000))
  return new ServiceError('rate_limited', `More than ${limit} ${what}. Wait ${seconds} s, then go on.`, {
    headers: { 'retry-after': String(seconds) },
  })
}

/** The limits: what is counted, by what, where the number comes from, and what clients are told it is called. All are per minute. */
export const POLICIES = {
  dataApi: { per: 'address', called: 'data-api', rate: (env: Env) => env.limits.dataApi },
  export: { per: 'address', called: 'export', rate: (env: Env) => env.limits.export },
  leads: { per: 'key', called: 'leads', rate: (env: Env) => env.limits.leads },
  mcp: { per: 'key', called: 'mcp', rate: (env: Env) => env.limits.mcp },
  /** Sign-in attempts: of a known browser, or of unknown ones by address and by account (lib/auth/people/attempts.ts). */
  signIn: { per: 'address', called: 'sign-in', rate: (env: Env) => env.limits.signIn },
  /** Steps of connecting a program, each counted by itself. Programs in a cloud share its addresses. */
  oauth: { per: 'address', called: 'oauth', rate: (env: Env) => env.limits.oauth },
  rag: { per: 'contractor', called: 'search', rate: (env: Env) => env.limits.rag },
  /** Pages, rendered or cached; protects this process. */
  pages: { per: 'address', called: 'pages', rate: (env: Env) => env.limits.pages },
  /** Documents for everyone, each counted by itself; protects this process. */
  documents: { per: 'address', called: 'documents', rate: (env: Env) => env.limits.pages },
  /** Health checks; a caller refused here takes this process for dead, and several balancers may share an address. */
  health: { per: 'address', called: 'health', rate: (env: Env) => 10 * env.limits.pages },
  // How many refused requests are logged, so that a flood of them cannot fill the disk.
  logged: { per: 'key', called: 'logged', rate: () => 60 },
  /** Keys that are checked although their address is over its limit; protects the database. */
  keyChecks: { per: 'address', called: 'key-checks', rate: () => 60 },
} as const satisfies Record<string, { per: 'address' | 'key' | 'contractor'; called: string; rate(env: Env): number }>

/** The name that clients are told for a key's own limit. */
export const OWN_LIMIT = 'key'

export type PolicyName = keyof typeof POLICIES

export const WINDOW_MS = 60_000
