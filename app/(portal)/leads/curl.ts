import { baseUrls, env } from '@/lib/core/env'
import { curlOf, KEY_VARIABLE } from '@/lib/portal/curl'

/** A valid lead. Its domain is reserved for examples (RFC 2606). */
export const EXAMPLE_LEAD = {
  firstName: 'Ana',
  lastName: 'Lopez',
  email: 'ana@example.com',
  phone: '(615) 555-0142',
  leadSource: 'Website form',
  notes: 'Leak above the kitchen.',
  externalId: 'form-1001',
}

/** Returns the curl command that sends a first lead to this server. */
export function leadCurl(): string {
  const request = {
    method: 'POST',
    url: `${baseUrls(env()).api}/api/webhooks/leads/inbound`,
    requestHeaders: { 'x-api-key': `$${KEY_VARIABLE}`, 'content-type': 'application/json' },
    requestBody: JSON.stringify(EXAMPLE_LEAD),
  }
  return curlOf(request, '')
}
