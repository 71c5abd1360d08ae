import { quickbooksWebhook } from '@/lib/http/connectors'
import { routeOf } from '@/lib/http/endpoint'

/** POST /api/webhooks/quickbooks */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = routeOf(quickbooksWebhook.answer)
