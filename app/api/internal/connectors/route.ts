import { routeOf } from '@/lib/http/endpoint'
import { internal } from '@/lib/http/internal'

/** GET /api/internal/connectors: called by the hosting platform's scheduler */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeOf(internal.connectors.answer)
