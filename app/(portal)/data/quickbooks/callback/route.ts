import { redirect } from 'next/navigation'
import { actorFor, currentSession } from '@/app/session/actor'
import { isOurs, toServiceError } from '@/lib/core/errors'
import { logFault } from '@/lib/core/log'
import { finishConnector } from '@/lib/operations/connectors/connect'
import { execute } from '@/lib/operations/execute'
import { consumeBrowserBinding, storeConnectFault } from '../browser'

const PAGE = '/data/quickbooks'

/** GET /data/quickbooks/callback: where Intuit sends a person back to. The state in the query proves that they began here. */
export async function GET(request: Request): Promise<Response> {
  const session = await currentSession()
  if (!session?.current) redirect(`/sign-in?next=${encodeURIComponent(PAGE)}`)
  const actor = await actorFor(session, session.current)
  const query = new URL(request.url).search.slice(0, 4_000)
  try {
    await execute(
      finishConnector,
      { actor, now: new Date() },
      { connector: 'quickbooks', query, browser: await consumeBrowserBinding() },
    )
  } catch (thrown) {
    const error = toServiceError(thrown)
    if (isOurs(error)) logFault({ operation: 'finish_connector' }, error.cause ?? error)
    await storeConnectFault(error.message)
  }
  redirect(PAGE)
}
