import { httpRoute } from '@/lib/http/rest/route'
import { operations } from '@/lib/operations/registry'

/** GET /v1/customers/{id} */
const handler = httpRoute(operations.getCustomer)

export {
  handler as DELETE,
  handler as GET,
  handler as HEAD,
  handler as OPTIONS,
  handler as PATCH,
  handler as POST,
  handler as PUT,
}
