import { z } from 'zod'

/** The limiter's shared store under the names of Upstash, then under those of Vercel's KV; the first pair that is set counts. */
const PAIRS = [
  ['UPSTASH_REDIS_REST_URL', 'UPSTASH_REDIS_REST_TOKEN'],
  ['KV_REST_API_URL', 'KV_REST_API_TOKEN'],
] as const
type Variables = { [name in (typeof PAIRS)[number][number]]?: string | undefined }

/** The variables of the limiter's shared store; `url` says what an address must be. */
export const limitStoreVariables = <Url extends z.ZodType>(url: Url) => ({
  UPSTASH_REDIS_REST_URL: url.optional(),
  UPSTASH_REDIS_REST_TOKEN: z.string().min(1).optional(),
  KV_REST_API_URL: url.optional(),
  KV_REST_API_TOKEN: z.string().min(1).optional(),
})

/** The half of a pair that is set without its other half, each a line for the reader of an EnvError; empty when there is none. */
export function limitStoreFaults(given: Variables): string[] {
  return PAIRS.flatMap(([address, token]) => {
    if ((given[address] === undefined) === (given[token] === undefined)) return []
    const [set, unset] = given[address] === undefined ? [token, address] : [address, token]
    return [`${unset}: is needed beside ${set}; set both to count limits in a shared Redis, or neither`]
  })
}

/** Where limits are counted for all instances; undefined where each process counts for itself. */
export function limitStoreSettings(given: Variables): { url: string; token: string } | undefined {
  for (const [address, secret] of PAIRS) {
    const { [address]: url, [secret]: token } = given
    if (url !== undefined && token !== undefined) return { url, token }
  }
  return undefined
}
