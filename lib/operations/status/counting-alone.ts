import { database } from '@/db/client'
import { countOtherServers } from '@/db/queries/servers'
import { countsAlone, entryName, processName } from '@/lib/core/entry'
import { env } from '@/lib/core/env'
import { log } from '@/lib/core/log'
import { shared } from '@/lib/core/shared'

const seen = shared<{ others: boolean }>('otherServers', () => ({ others: false }))

/** Reports whether this process counts limits alone while others serve the same database, as far as is known. */
export const isCountingAlone = (): boolean => countsAlone(env(), entryName()) || seen().others

/** Looks whether other servers use the same Postgres while no store counts for all; the log says it once each time that they come. */
export async function lookForOthers(): Promise<void> {
  if (env().limitStore !== undefined || env().databaseDriver !== 'pg') return
  const others = (await countOtherServers((await database()).orm, processName())) > 0
  if (others && !isCountingAlone())
    log(
      'warn',
      { operation: 'limits' },
      'Another server uses the same database, and each counts rate limits separately, so together they let more requests through. Set ' +
        'UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN to share one count.',
    )
  seen().others = others
}
