import type { EntryName } from '@/lib/core/entry'
import { countsAlone } from '@/lib/core/entry'
import type { Env } from '@/lib/core/env'
import { sourcesFolderFault } from '@/lib/core/sources-folder'

/** Returns what is missing without secrets that a service in production has. */
function lackingSecrets({ tokenSecrets, authSecret }: Pick<Env, 'tokenSecrets' | 'authSecret'>): string[] {
  const lacking: string[] = []
  if (tokenSecrets[0] === undefined)
    lacking.push(
      'EXTERNAL_API_TOKEN_SECRET is not set: each list ends after its first page, and there is no changes feed, no outgoing webhook, no ' +
        'single sign-on, no QuickBooks connection and no source with a password. Set it to what `openssl rand -base64 48` prints.',
    )
  if (authSecret === undefined)
    lacking.push(
      'BETTER_AUTH_SECRET is not set: nobody can sign in to the portal, and no assistant can be connected by OAuth. Set it to what ' +
        '`openssl rand -base64 48` prints.',
    )
  return lacking
}

/** Returns warnings for the operator at start. Each is a sentence that says what to do; none stops the server. */
export function startWarnings(settings: Env, entry: EntryName): string[] {
  const warnings: string[] = settings.production ? lackingSecrets(settings) : []
  if (countsAlone(settings, entry))
    warnings.push(
      'Each instance counts rate limits separately, so several instances together let more requests through. Set ' +
        'UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN to share one count.',
    )
  if (settings.vercel !== undefined && settings.cronSecret === undefined)
    warnings.push(
      'CRON_SECRET is not set, so cron requests are refused and nothing past its retention period is deleted. Set it.',
    )
  const folder = sourcesFolderFault(settings)
  if (folder) warnings.push(folder)
  return warnings
}
