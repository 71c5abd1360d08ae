import { route } from '@/lib/http/rest/route'
import { getWebhookDelivery } from '@/lib/operations/webhooks/deliveries'

/** GET /v1/webhook-deliveries/{id} */
export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = route(getWebhookDelivery)
