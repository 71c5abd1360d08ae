import type { PersonActor } from '@/lib/auth/actor'
import { isSingle, PRESETS } from '@/lib/auth/scopes'
import { baseUrls, env } from '@/lib/core/env'
import { sources } from '@/lib/leads/sources/registry'
import { SCOPES_WITH_TEXTS } from '@/lib/resources/scope-texts'
import { relayHost } from '../developers/api/reader'
import type { Rights } from './create.client'
import type { Looking } from './key-parts'

/** The permissions that a key can have. */
export const RIGHTS: Rights = {
  presets: Object.entries(PRESETS).map(([id, { title, text }]) => ({ id, title, text })),
  scopes: SCOPES_WITH_TEXTS.filter(({ id }) => !isSingle(id)),
  sources: sources.map(({ name, title }) => ({ id: name, title })),
  singles: SCOPES_WITH_TEXTS.filter(({ id }) => isSingle(id)),
}

/** Returns what the key pages need to know about the reader, and the URLs for a first call. */
export function readerContext({ contractorId, address }: PersonActor): Looking {
  const urls = baseUrls(env())
  const addresses = {
    api: urls.api + urls.apiPrefix,
    leads: `${urls.api}/api/webhooks/leads/inbound`,
    mcp: urls.mcp,
    relayHost: relayHost(),
  }
  return { contractorId, ownAddress: address, addresses }
}
