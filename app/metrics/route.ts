import { routeOf } from '@/lib/http/endpoint'
import { metricsEndpoint } from '@/lib/http/metrics'

/** GET /metrics */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeOf(metricsEndpoint.answer)
