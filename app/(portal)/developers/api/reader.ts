import { actorFor, currentSession } from '@/app/session/actor'
import { env } from '@/lib/core/env'
import { mayRun } from '@/lib/operations/access'
import { issueExplorerKey } from '@/lib/operations/keys/issue-explorer-key'
import { operations } from '@/lib/operations/registry'
import { issueExplorerKeyAction } from './actions'

/** Who reads the API's pages: whether they may issue a key to try it with, and see the log. On other hosts nobody is signed in. */
export async function reader() {
  const session = await currentSession()
  if (!session?.current) return { issuer: undefined, logs: undefined }
  const actor = await actorFor(session, session.current)
  const issuer = { contractorId: session.current.contractorId, issue: issueExplorerKeyAction }
  return {
    issuer: mayRun(issueExplorerKey, actor) ? issuer : undefined,
    logs: mayRun(operations.tailRequests, actor) ? '/logs/' : undefined,
  }
}

/**
 * The portal's host, where a request to try goes by its own way to the API; undefined where the API answers beside the page. The browser
 * compares it with where it is: a page that is kept is the same on every host.
 */
export function relayHost(): string | undefined {
  const { hosts } = env()
  return hosts.portal === hosts.api ? undefined : hosts.portal
}
