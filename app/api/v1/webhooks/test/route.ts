import { route } from '@/lib/http/rest/route'
import { testWebhook } from '@/lib/operations/webhooks/deliveries'

/** POST /v1/webhooks/test */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(testWebhook)
