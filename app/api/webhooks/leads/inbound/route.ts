import { httpRoute } from '@/lib/http/rest/route'
import { operations } from '@/lib/operations/registry'

/** POST /webhooks/leads/inbound */
const handler = httpRoute(operations.createLead)

export {
  handler as DELETE,
  handler as GET,
  handler as HEAD,
  handler as OPTIONS,
  handler as PATCH,
  handler as POST,
  handler as PUT,
}
