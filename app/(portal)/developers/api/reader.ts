import { actorFor, currentSession } from '@/app/session/actor'
import { env } from '@/lib/core/env'
import { mayRun } from '@/lib/operations/access'
import { issueExplorerKey } from '@/lib/operations/keys/issue-explorer-key'
import { tailRequests } from '@/lib/operations/requests/log'
import { issueExplorerKeyAction } from './actions'

/** Returns what the reader of the API pages may do: create a test key, and see the log. On other hosts nobody is signed in. */
export async function reader() {
  const session = await currentSession()
  if (!session?.current) return { issuer: undefined, logs: undefined }
  const actor = await actorFor(session, session.current)
  const issuer = { contractorId: session.current.contractorId, issue: issueExplorerKeyAction }
  return {
    issuer: mayRun(issueExplorerKey, actor) ? issuer : undefined,
    logs: mayRun(tailRequests, actor) ? '/logs/' : undefined,
  }
}

/**
 * Returns the portal's host, where test requests go through a relay to the API; undefined when the API answers on the same host. The
 * browser compares it with its own location, because a cached page is the same on every host.
 */
export function relayHost(): string | undefined {
  const { hosts } = env()
  return hosts.portal === hosts.api ? undefined : hosts.portal
}
