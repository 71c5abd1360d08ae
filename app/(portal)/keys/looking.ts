import type { PersonActor } from '@/lib/auth/actor'
import { PRESETS } from '@/lib/auth/scopes'
import { baseUrls, env } from '@/lib/core/env'
import { SCOPES_WITH_TEXTS } from '@/lib/resources/scope-texts'
import type { Rights } from './create.client'
import type { Looking } from './key-parts'

/** What a key can be allowed. */
export const RIGHTS: Rights = {
  presets: Object.entries(PRESETS).map(([id, { title, text }]) => ({ id, title, text })),
  scopes: SCOPES_WITH_TEXTS,
}

/** Returns who looks at keys, and where a first call goes. */
export function lookingOf({ contractorId, address }: PersonActor): Looking {
  const urls = baseUrls(env())
  const addresses = { api: urls.api + urls.apiPrefix, leads: `${urls.api}/api/webhooks/leads/inbound`, mcp: urls.mcp }
  return { contractorId, ownAddress: address, addresses }
}
