import { cleanText } from '@/lib/core/clean'
import { INBOUND } from '@/lib/leads/read'
import { sources } from '@/lib/leads/sources/registry'

/** Returns the name of a lead source; of one that is not known, what its address had. */
export const sourceTitle = (source: string): string =>
  source === INBOUND ? 'Website form' : (sources.find(({ name }) => name === source)?.title ?? cleanText(source))
