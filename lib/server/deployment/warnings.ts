import { countsAlone } from '@/lib/core/entry'
import type { Env } from '@/lib/core/env'
import type { EntryName } from '@/lib/runtime/runtime'

/** Returns warnings for the operator at start. Each is a sentence that says what to do; none stops the server. */
export function startWarnings(settings: Env, entry: EntryName): string[] {
  const warnings: string[] = []
  if (countsAlone(settings, entry))
    warnings.push(
      'Each instance counts rate limits separately, so several instances together let more requests through. Set ' +
        'UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN to share one count.',
    )
  if (settings.vercel !== undefined && settings.cronSecret === undefined)
    warnings.push(
      'CRON_SECRET is not set, so cron requests are refused and nothing past its retention period is deleted. Set it.',
    )
  return warnings
}
