import { actorFor, currentSession } from '@/app/session/actor'
import { portalRoute } from '@/app/session/portal-route'
import { ServiceError } from '@/lib/core/errors'
import { parseInstant } from '@/lib/core/time'
import { execute } from '@/lib/operations/execute'
import { cursorAt } from '@/lib/operations/requests/fields'
import { tailRequests } from '@/lib/operations/requests/log'
import type { FirstRequest } from '@/lib/portal/first-call'

/** Returns the current contractor's first request since the page was rendered; with `key`, the first with that key. */
async function firstRequest(query: URLSearchParams): Promise<FirstRequest> {
  const session = await currentSession()
  if (!session?.current)
    return { state: 'signed-out', message: 'Sign in to the portal to see your first request here as it arrives.' }
  const since = parseInstant(query.get('since') ?? '')
  if (!since) throw new ServiceError('bad_request', 'since: must be a time with its offset. Open the page again.')
  const actor = await actorFor(session, session.current)
  const keyId = query.get('key')?.slice(0, 50)
  const input = { after: cursorAt(since), limit: 1, ...(keyId && { keyId }) }
  const { items } = await execute(tailRequests, { actor, now: new Date() }, input)
  const [first] = items
  if (!first) return { state: 'waiting' }
  const { at, method, path, status } = first
  return { state: 'seen', at, method, path, status }
}

/** GET /developers/first-request: for a signed-in reader of the quick start. */
export const GET = portalRoute(firstRequest)
