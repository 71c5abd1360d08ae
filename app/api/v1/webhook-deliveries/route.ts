import { route } from '@/lib/http/rest/route'
import { listWebhookDeliveries } from '@/lib/operations/webhooks/deliveries'

/** GET /v1/webhook-deliveries */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(listWebhookDeliveries)
