import { webHandler } from '@/lib/http/endpoint'
import { metricsEndpoint } from '@/lib/http/metrics'

/** GET /metrics */
const handler = webHandler(metricsEndpoint.answer)

export {
  handler as DELETE,
  handler as GET,
  handler as HEAD,
  handler as OPTIONS,
  handler as PATCH,
  handler as POST,
  handler as PUT,
}
