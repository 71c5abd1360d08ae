import { ServiceError } from '@/lib/core/errors'
import { parseBody } from './body'
import { INBOUND } from './read'
import { detectSource } from './sources/registry'

/** Returns whose form a body is, by its shape: ours where our names are used and no sender's mark is in it. */
export function detectForm(body: string, contentType: string | null): string {
  try {
    const parsed = parseBody(body, contentType)
    const found = detectSource(parsed)?.name ?? INBOUND
    return found === 'zapier' && 'firstName' in parsed && 'lastName' in parsed ? INBOUND : found
  } catch (error) {
    if (error instanceof ServiceError) return INBOUND
    throw error
  }
}
