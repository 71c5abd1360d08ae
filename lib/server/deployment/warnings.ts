import { countsAlone } from '@/lib/core/entry'
import type { Env } from '@/lib/core/env'
import type { EntryName } from '@/lib/runtime/runtime'

/** What an operator should know at start, though it keeps nothing from running; a sentence each, with what to do. */
export function startWarnings(settings: Env, entry: EntryName): string[] {
  const warnings: string[] = []
  if (countsAlone(settings, entry))
    warnings.push(
      'Limits are counted by each instance alone, so several let through several times as much. Set UPSTASH_REDIS_REST_URL and ' +
        'UPSTASH_REDIS_REST_TOKEN to count in one place.',
    )
  if (settings.vercel !== undefined && settings.cronSecret === undefined)
    warnings.push(
      'CRON_SECRET is not set, so the scheduler is not let in and nothing past its retention period is deleted. Set it.',
    )
  return warnings
}
