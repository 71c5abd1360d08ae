import { formActor } from '@/app/session/action'
import { portalRoute } from '@/app/session/portal-route'
import { ServiceError } from '@/lib/core/errors'
import { execute } from '@/lib/operations/execute'
import { tailRequests } from '@/lib/operations/requests/log'
import type { Tail } from '@/lib/portal/log-rows'
import { readFilters } from '../filters'
import { readKeyNames, rowsOf } from '../rows'

const AT_ONCE = 100

async function tail(query: URLSearchParams): Promise<Tail> {
  // The contractor the page was rendered for, because another window may have switched since.
  const actor = await formActor(query.get('contractor') ?? '')
  const { filters, faults } = readFilters(Object.fromEntries(query))
  if (Object.keys(faults).length > 0)
    throw new ServiceError('bad_request', 'The filters cannot be used. Reload the log.')
  const after = query.get('after') ?? undefined
  const input = { ...filters, limit: AT_ONCE, ...(after && { after }) }
  const { items, cursor } = await execute(tailRequests, { actor, now: new Date() }, input)
  const keys = items.length > 0 ? await readKeyNames(actor) : []
  return { rows: rowsOf(items, keys), cursor, more: items.length === AT_ONCE }
}

/** GET /logs/tail: for the log's live view. */
export const GET = portalRoute(tail)
