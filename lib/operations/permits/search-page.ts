import type { FoundPermit } from '@/db/queries/permits/search'
import { env } from '@/lib/core/env'
import type { Context } from '../define'
import { requireTokens } from '../list-page'
import { issuePageToken, readPageToken, type TokenBinding } from '../page-token'
import type { PermitSearch } from './search-input'

/** Returns the binding of a search's page token: every argument except the page length. */
function bindingOf({ actor }: Context, asked: PermitSearch): TokenBinding {
  const { limit: _, pageToken: __, ...filters } = asked
  return {
    resource: 'permits',
    contractorId: actor.contractorId,
    keyId: actor.kind === 'key' ? actor.keyId : actor.kind,
    filters: { asked: JSON.stringify(Object.entries(filters).sort()) },
  }
}

/** Returns the permit after which the page begins. @throws ServiceError `bad_request` when the token belongs to another search */
export function startOf(ctx: Context, asked: PermitSearch): { at: string; id: string } | undefined {
  if (asked.pageToken === undefined) return undefined
  return readPageToken(requireTokens(), asked.pageToken, bindingOf(ctx, asked), ctx.now)
}

/** Returns the token for the page after a permit; null when the server signs none. */
export function tokenAfter(ctx: Context, asked: PermitSearch, { away, datedOn, id }: FoundPermit): string | null {
  const [secret] = env().tokenSecrets
  if (secret === undefined) return null
  const at = away === null ? datedOn : String(away)
  return issuePageToken(secret, { at, id }, bindingOf(ctx, asked), ctx.now)
}
