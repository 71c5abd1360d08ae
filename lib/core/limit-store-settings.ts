import * as z from 'zod'

/** Variable names for the limiter's shared store: Upstash's, then those of Vercel KV; the first complete pair is used. */
const PAIRS = [
  ['UPSTASH_REDIS_REST_URL', 'UPSTASH_REDIS_REST_TOKEN'],
  ['KV_REST_API_URL', 'KV_REST_API_TOKEN'],
] as const
type Variables = { [name in (typeof PAIRS)[number][number]]?: string | undefined }

/** The store of the limiter: its address, its token, and how long a request waits for it. */
export type LimitStoreSettings = { url: string; token: string; patienceMs: number }

/** The variables of the limiter's shared store; `url` is the schema of an address. */
export const limitStoreVariables = <Url extends z.ZodType>(url: Url) => ({
  UPSTASH_REDIS_REST_URL: url.optional(),
  UPSTASH_REDIS_REST_TOKEN: z.string().min(1).optional(),
  KV_REST_API_URL: url.optional(),
  KV_REST_API_TOKEN: z.string().min(1).optional(),
  // A check within a region takes a few milliseconds.
  RATE_LIMIT_STORE_TIMEOUT_MS: z.coerce.number().int().min(100).max(10_000).default(250),
})

/** Returns each pair of which only one half is set, one line each for an EnvError; empty when there is none. */
export function limitStoreFaults(given: Variables): string[] {
  return PAIRS.flatMap(([address, token]) => {
    if ((given[address] === undefined) === (given[token] === undefined)) return []
    const [set, unset] = given[address] === undefined ? [token, address] : [address, token]
    return [`${unset}: is needed beside ${set}; set both to count limits in a shared Redis, or neither`]
  })
}

/** The store in which all instances count limits; undefined when each process counts alone. */
export function limitStoreSettings(
  given: Variables & { RATE_LIMIT_STORE_TIMEOUT_MS: number },
): LimitStoreSettings | undefined {
  for (const [address, secret] of PAIRS) {
    const { [address]: url, [secret]: token } = given
    if (url !== undefined && token !== undefined) return { url, token, patienceMs: given.RATE_LIMIT_STORE_TIMEOUT_MS }
  }
  return undefined
}
