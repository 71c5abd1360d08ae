import { getOpenapi } from '@/lib/http/openapi/operation'
import { httpRoute } from '@/lib/http/rest/route'

/** GET /v1/openapi */
const handler = httpRoute(getOpenapi)

export {
  handler as DELETE,
  handler as GET,
  handler as HEAD,
  handler as OPTIONS,
  handler as PATCH,
  handler as POST,
  handler as PUT,
}
