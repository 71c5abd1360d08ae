import { httpRoute } from '@/lib/http/rest/route'
import { operations } from '@/lib/operations/registry'

/** POST /webhooks/leads/{source} */
const handler = httpRoute(operations.receiveLead)

export {
  handler as DELETE,
  handler as GET,
  handler as HEAD,
  handler as OPTIONS,
  handler as PATCH,
  handler as POST,
  handler as PUT,
}
