import { POLICIES } from '@/lib/limits/policies'
import type { Tool } from '../tools'
import type { Site } from './site'

/** The limit that calls of a tool reach first: searches are counted by contractor, everything else by key (specification 8). */
export function limitOf({ operation: { limit } }: Tool, { rate, searchRate, leadRate }: Site) {
  if (limit === 'rag') return { requests_per_minute: searchRate, per: POLICIES.rag.per }
  const most = limit === 'leads' ? Math.min(rate, leadRate) : rate
  return { requests_per_minute: most, per: 'api_key' }
}

/** The limits over all tools and of searches, for programs. */
export const limitsOf = ({ rate, searchRate }: Site) => ({
  requests_per_minute: rate,
  per: 'api_key',
  searches: { requests_per_minute: searchRate, per: POLICIES.rag.per },
})

/** The same in a sentence. */
export const limitSentence = ({ rate, searchRate }: Site): string =>
  `A key may make ${rate} requests a minute, and all keys of a contractor together ${searchRate} searches (rag.search).`
